import EndToEndSupport
import TestSupport
import Testing

/// What support and finance do at a terminal: the same looks, acts and limits as in the API and the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SupportCommandTests {
    /// Runs commands on the books of a house, with its gateway.
    struct Terminal {
        let house: House
        let gateway: Gateway
        var refundLimit = 100_000
        var grantLimit = 1000

        /// - Parameter command: its words; `~` is a space in one.
        /// - Returns: what was printed: the result, or the error.
        @discardableResult func run(
            _ command: String, code: Int32 = 0, says: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            let words = command.split(separator: " ").map { String($0).replacing("~", with: " ") }
            let settings = house.settings(gateway: gateway.url)
                .merging([
                    "LEDGERD_CONSOLE_REFUND_LIMIT": "\(refundLimit)", "LEDGERD_CONSOLE_GRANT_LIMIT": "\(grantLimit)",
                ]) { $1 }
            let child = try house.start(words, settings)
            let exit = try await child.exit()
            let said = code == 0 ? child.standardOutput : child.standardError
            #expect(
                exit == .code(code), "\(command): \(child.standardOutput)\(child.standardError)",
                sourceLocation: sourceLocation)
            if let says { #expect(said.contains(says), "\(command): \(said)", sourceLocation: sourceLocation) }
            return said
        }

        func json(_ command: String) async throws -> JSON { JSON(Array(try await run(command + " --json").utf8)) }
    }

    @Test func `a user's case is found by any name, looked at, and settled`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway)
            let bought = try await service.present(try await gateway.pay("1000")).purchase
            let id = try #require(bought["id"].integer)
            let (order, payment) = (try #require(bought["merchant_uid"].text), try #require(bought["imp_uid"].text))
            #expect(try await service.present(try await gateway.pay("1234")).code == "amount_mismatch")

            for name in ["ann", "an*", order, payment, "\(id)"] {
                try await terminal.run("users search \(name)", says: "ann")
            }
            for name in ["nobody", "nobody*", "*"] {
                try await terminal.run("users search \(name)", code: 1, says: "nothing has this name")
            }
            try await terminal.run("users show Ann", code: 1, says: "no record of this user")
            let shown = try await terminal.run("users show ann")
            #expect(shown.hasPrefix("Open findings\n") && shown.contains("amount_mismatch"), "\(shown)")
            #expect(shown.contains("\nBalance\n") && shown.contains("\nPurchases\n"), "\(shown)")
            let standing = try await terminal.json("users show ann")
            #expect(standing["balance"]["paid"] == 100 && standing["purchases"].elements.count == 1)
            #expect(standing["lots"].elements.count == 1 && standing["holds"].elements.isEmpty)
            try await terminal.run("users timeline ann", says: "purchase")
            try await terminal.run("users export ann", says: payment)
            try await terminal.run("users export nobody", says: #"{"rows": 0}"#)

            for option in ["--user ann", "--order \(order)", "--payment \(payment)"] {
                let found = try await terminal.json("purchases list \(option)")
                #expect(found["purchases"].elements.map { $0["id"].integer } == [id], "\(option)")
            }
            try await terminal.run("purchases list", code: 64, says: "Give one of --user, --payment and --order.")
            #expect(try await terminal.json("purchases show \(id)")["user"] == "ann")
            try await terminal.run("purchases show 999", code: 1, says: "Error: ")

            let findings = try await terminal.json("findings --user ann")["findings"].elements
            let finding = try #require(findings.first?["id"].integer)
            try await terminal.run("findings --kind amount_mismach", code: 64, says: "did you mean amount_mismatch?")
            #expect(try await terminal.json("findings --older-than 1")["findings"].elements.isEmpty, "it is new")
            #expect(try await terminal.json("findings --unassigned")["findings"].elements.count == 1)
            try await terminal.run("findings assign \(finding) --by min", says: "is open, min works on it")
            #expect(try await terminal.json("findings --assignee min")["findings"].elements.count == 1)
            try await terminal.run("findings note \(finding) asked~her --by min")
            try await terminal.run("findings resolve \(finding) --reason cancelled --by min", says: "is resolved")
            let acts = try await terminal.json("findings show \(finding)")["acts"].elements
            #expect(acts.map { $0["act"] } == ["assign", "note", "resolve"] && acts.allSatisfy { $0["by"] == "min" })
            try await terminal.run("findings resolve 999 --reason x", code: 1, says: "the finding does not exist")
            let unnamed = try house.start(["findings", "assign", "\(finding)"], house.settings(gateway: gateway.url))
            #expect(try await unnamed.exit() == .code(0))
            #expect(unnamed.standardError.contains("--by is not given"), "\(unnamed.standardError)")

            // A payment that nobody presents, credited by a person's decision: the line has the state after it.
            let lost = try await gateway.pay("1000")
            _ = try await service.tellV1(Hooks.v1(lost, "paid"))
            func unclaimed() async throws -> Int64? {
                try await service.findings().first { $0["kind"] == "paid_unclaimed" }?["id"].integer
            }
            try await eventually("it is found") { try await unclaimed() != nil }
            let found = try #require(try await unclaimed())
            let claimed = try await terminal.run(
                "findings claim \(found) --user ann --reason her~card --by min",
                says: "finding \(found) is resolved: purchase ")
            #expect(claimed.hasSuffix(" of ann is credited: 100 coins\n"), "\(claimed)")
            try await house.expectSound()
        }
    }

    @Test func `a consent to top-ups is shown, paused, resumed and revoked at a terminal`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway)
            try await terminal.run("top-ups show ann", code: 1, says: "has not agreed")
            #expect(try await service.agree("ann", at: .v1, card: "card-of-ann").status == 200)
            try await terminal.run("top-ups pause ann --reason away --by min")
            let shown = try await service.topUp(of: "ann")
            #expect(shown["status"] == "paused" && shown["reason"] == "away", "\(shown)")
            #expect(shown["changed_by"] == "min", "\(shown)")
            try await terminal.run("top-ups resume ann --by min")
            #expect(try await service.topUp(of: "ann")["status"] == "active")
            try await terminal.run("top-ups revoke ann --by min")
            #expect(try await !terminal.run("top-ups show ann").contains("card-of-ann"))
            #expect(try await service.topUp(of: "ann")["status"] == "revoked")
        }
    }

    @Test func `a campaign is created, filled, approved by another person and voided at a terminal`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway, grantLimit: 10)
            try await terminal.run(
                "campaigns create spring --coins 10 --budget 5 --reason spring --by min", code: 64,
                says: "--budget must be")
            let made = JSON(
                Array(
                    try await terminal.run("campaigns create spring --coins 10 --budget 20 --reason spring --by min")
                        .utf8))
            let id = try #require(made["id"].integer)
            #expect(made["status"] == "waiting" && made["created_by"] == "min", "\(made)")
            let file = house.directory.appending(path: "users.csv").path
            try "ann\nbob\n".write(toFile: file, atomically: true, encoding: .utf8)
            try await terminal.run("campaigns add \(id) \(file) --dry-run", says: #""added""#)
            try await terminal.run("campaigns add \(id) \(file)", says: #""added""#)
            try await terminal.run("campaigns approve \(id) --by min", code: 1)
            try await terminal.run("campaigns approve \(id) --by kim", says: #""approved_by""#)
            try await eventually("both users have coins") {
                try await house.books.count("SELECT count(*) FROM campaign_grant") == 2
            }
            try await terminal.run("campaigns pause \(id) --reason away --by kim", says: "paused")
            try await terminal.run("campaigns resume \(id) --by kim", says: "active")
            try await terminal.run("campaigns void \(id) --reason mistake --by kim", says: "mistake")
            try await eventually("it is voided") {
                try await terminal.run("campaigns show \(id)").contains(#""voided""#)
            }
            try await terminal.run("campaigns list", says: "spring")
            try await terminal.run("campaigns show 999", code: 1, says: "does not exist")
            try await house.expectSound()
        }
    }

    @Test func `a request to forget a user is made, shown and cancelled at a terminal`() async throws {
        try await House.open { house, gateway, _ in
            let terminal = Terminal(house: house, gateway: gateway)
            try await terminal.run("users forget ann", code: 1, says: "nobody asked")
            try await terminal.run("users forget ann --reason left --by min", code: 1, says: "not configured to forget")
            let key = try await terminal.run("users keygen").split(separator: "=", maxSplits: 1)[1].dropLast()
            let keyed = "--forgetting-key \(key)"
            func json(_ command: String) async throws -> JSON { JSON(Array(try await terminal.run(command).utf8)) }
            #expect(try await json("users forget ann --reason left --by min \(keyed)")["status"] == "waiting")
            #expect(try await json("users forget ann")["asked_by"] == "min")
            try await terminal.run("users kept-id ann \(keyed)", code: 1, says: "nothing is kept")
            #expect(try await json("users cancel-forgetting ann --by min")["status"] == "cancelled")
        }
    }

    @Test func `thresholds of coins are set, shown and removed at a terminal`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway)
            try await terminal.run("balance-alerts", code: 1, says: "there are no thresholds")
            try await terminal.run("balance-alerts set --above 9 --by min")
            try await terminal.run("balance-alerts set --user ann --below 70 --below 50 --by min")
            let shown = try await service.get("/v1/users/ann/balance-alerts", as: Token.service())
            #expect(shown.json["below"].elements == [50, 70] && shown.json["set_by"] == "min", "\(shown)")
            #expect(try await service.get("/v1/balance-alerts", as: Token.service()).json["above"].elements == [9])
            let eleven = String(repeating: " --below 5", count: 11)
            try await terminal.run("balance-alerts set\(eleven)", code: 64, says: "at most 10 thresholds")
            try await terminal.run("balance-alerts set --below 0", code: 64, says: "must be an integer from 1")
            try await terminal.run("balance-alerts remove --user ann")
            try await terminal.run("balance-alerts --user ann", code: 1, says: "there are no thresholds")
            #expect(try await terminal.run("balance-alerts").contains("min"))
        }
    }

    @Test func `a receipt that waits is asked for again, or no more`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway)
            try await house.books.execute(
                """
                INSERT INTO receipt_retry (
                    user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                VALUES ('ann', 'another', 'imp_7', 'order_7', 'waiting', 'awaiting_payment', now() + interval '1 day')
                """)
            let waiting = try await terminal.json("receipts")["receipts"].elements
            let id = try #require(waiting.first?["id"].integer)
            #expect(waiting.count == 1 && waiting.first?["user"] == "ann")
            #expect(try await terminal.json("receipts --reason gateway_unavailable")["receipts"].elements.isEmpty)
            try await terminal.run("receipts --status refused", code: 64, says: "needs --user")
            try await terminal.run("receipts retry \(id)", says: "the gateway is asked now")
            let asked = "SELECT count(*) FROM receipt_retry WHERE next_attempt_at < now() + interval '1 hour'"
            #expect(try await house.books.count(asked) == 1)
            try await terminal.run("receipts stop \(id) --reason paid~elsewhere --by min", says: "is abandoned")
            try await terminal.run("receipts stop \(id) --reason x --by min", code: 1, says: "it is abandoned")
            try await terminal.run("receipts retry \(id)", code: 1, says: "does not wait")
            try await terminal.run("receipts retry 999", code: 1, says: "the receipt does not exist")
            #expect(try await terminal.json("receipts --user ann --status abandoned")["receipts"].elements.count == 1)
            let note = "min: The gateway is not asked again about receipt \(id)"
            try await terminal.run("users timeline ann", says: note)
        }
    }
}
