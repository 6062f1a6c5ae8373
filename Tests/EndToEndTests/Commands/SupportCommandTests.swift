import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// What support and finance do at a terminal: the same looks, acts and limits as in the API and the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SupportCommandTests {
    /// Runs commands on the books of a house, with its gateway.
    private struct Terminal {
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
            try await terminal.run("balance-alerts set\(eleven)", code: 64, says: "at most 10 times")
            try await terminal.run("balance-alerts set --below 0", code: 64, says: "must be an integer from 1")
            try await terminal.run("balance-alerts remove --user ann")
            try await terminal.run("balance-alerts --user ann", code: 1, says: "there are no thresholds")
            #expect(try await terminal.run("balance-alerts").contains("min"))
        }
    }

    @Test func `a refund within the limit is done, and above it another person approves it`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway, refundLimit: 4000)
            let bought = try await service.present(try await gateway.pay("5000")).purchase
            let id = try #require(bought["id"].integer)
            try await terminal.run("refunds quote \(id)", says: "A second person has to approve it.")
            let quoted = try await terminal.run("refunds quote \(id) --coins 100", says: "One person can refund it.")
            let amount = try #require(quoted.firstMatch(of: /--amount (\d+)/)?.1)
            let part = "refunds request \(id) --coins 100 --reason changed~her~mind --by min"
            try await terminal.run("\(part) --amount 1", code: 1, says: "the amount is \(amount) now")
            for _ in 1...2 {
                try await terminal.run(
                    "\(part) --amount \(amount)", says: "of purchase \(id) is completed: \(amount) KRW")
            }
            let refunds = "SELECT count(*) FROM refund WHERE status = 'completed'"
            #expect(try await house.books.count(refunds) == 1, "a repeat refunds nothing more")

            let all = try await terminal.run("refunds quote \(id)")
            let rest = try #require(all.firstMatch(of: /--coins (\d+) --amount (\d+)/))
            let request = "refunds request \(id) --coins \(rest.1) --amount \(rest.2) --reason all --by min"
            let proposed = try await terminal.run(request, says: "waits for a second person")
            let proposal = try #require(proposed.firstMatch(of: /proposal (\d+)/)?.1)
            try await terminal.run("refunds proposals", says: "\(rest.2) KRW")
            let waiting = try await terminal.json("refunds proposals")["proposals"].elements
            #expect(waiting.map { $0["purchase_id"].integer } == [id] && waiting.first?["proposed_by"] == "min")
            #expect(waiting.first?["act"] == "refund" && waiting.first?["target"].text == "purchase:\(id)")
            #expect(waiting.first?["amount"].integer == Int64(rest.2) && waiting.first?["currency"] == "KRW")
            try await terminal.run("refunds approve \(proposal) --reason ok --by min", code: 1, says: "Another person")
            try await terminal.run("refunds decline \(proposal) --reason no --by max", says: "is declined")
            try await terminal.run(request, code: 1, says: "is declined; give another --key")
            let again = try await terminal.run("\(request) --key again", says: "waits for a second person")
            let second = try #require(again.firstMatch(of: /proposal (\d+)/)?.1)
            try await house.books.execute(
                """
                INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
                SELECT 'of the console', act, 'purchase:0', user_id, parameters, seen, reason, 'oidc-7', 'max'
                FROM approval WHERE id = \(second)
                """)
            let ofConsole = try await house.books.count("SELECT max(id) FROM approval")
            // Another one about the same purchase is made by who has seen the first; only who made it withdraws it.
            try await terminal.run("\(request) --key more", code: 1, says: "give --beside \(second)")
            let more = try await terminal.run("\(request) --key more --beside \(second)", says: "waits for a second")
            let third = try #require(more.firstMatch(of: /proposal (\d+)/)?.1)
            try await terminal.run("refunds withdraw \(third) --by max", code: 1, says: "Only the person who proposed")
            for _ in 1...2 { try await terminal.run("refunds withdraw \(third) --by min", says: "is withdrawn") }
            for name in ["max", "oidc-7"] {
                try await terminal.run(
                    "refunds approve \(ofConsole) --reason ok --by \(name)", code: 1, says: "Another person")
            }
            try await terminal.run(
                "refunds approve \(second) --by max", says: "proposal \(second) is done: refund ")
            #expect(try await house.books.count(refunds) == 2)
            let audited = """
                SELECT count(*) FROM audit JOIN audit_outcome ON audit_id = audit.id
                WHERE subject IN ('terminal:min', 'terminal:max') AND outcome IN ('done', 'proposed')
                """
            #expect(try await house.books.count(audited) == 9, "the repeats have records of their own")
            let refund = try await house.books.count("SELECT max(id) FROM refund")
            #expect(try await terminal.json("refunds show \(refund)")["status"] == "completed")
            try await terminal.run("refunds", says: "STATUS")
            try await house.expectSound()
        }
    }

    @Test func `gifts from and to a user are listed, with what is left of them`() async throws {
        try await House.open(["LEDGERD_GIFT_COINS": "all"]) { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway, grantLimit: 20)
            for user in ["ann", "bob"] {
                _ = try await service.post(
                    "/v1/users/\(user)/grants", #"{"coins": 50, "reason": "campaign"}"#, key: "grant-\(user)")
            }
            let given = try await service.post("/v1/users/ann/transfers", #"{"to": "bob", "coins": 20}"#, key: "gift")
            try #require(given.status == 201, "\(given)")
            _ = try await service.post("/v1/users/bob/spends", #"{"coins": 55}"#, key: "spend")
            for user in ["ann", "bob"] {
                let listed = try await terminal.json("gifts \(user)")
                let gift = listed["gifts"].elements.first
                #expect(gift?["from"] == "ann" && gift?["to"] == "bob" && gift?["coins"] == 20, "\(listed)")
                #expect(gift?["left"] == 15 && listed["has_more"] == false, "\(listed)")
            }
            try await terminal.run("gifts bob", says: "ann")
        }
    }

    @Test func `a grant is looked at and voided, and above the limit proposed`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway, grantLimit: 20)
            let granted = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 50, "reason": "campaign", "issuer": "spring"}"#, key: "grant")
            let grant = try #require(granted.json["grant"]["journal_entry_id"].integer, "\(granted)")
            let held = try await service.post("/v1/users/ann/holds", #"{"coins": 10}"#, key: "hold")
            try #require(held.status == 201, "\(held)")
            try await terminal.run("grants list ann", says: "spring")
            let listed = try await terminal.json("grants list ann")
            #expect(listed["grants"].elements.map { $0["journal_entry_id"].integer } == [grant], "\(listed)")
            #expect(listed["grants"].elements.first?["available"] == 40 && listed["has_more"] == false, "\(listed)")
            let void = "grants void \(grant)"
            let shown = try await terminal.run("\(void) --coins 15", says: "One person can do it.")
            let kept = "25 of the grant stay in the wallet, 10 on hold"
            #expect(shown.contains("spring") && shown.contains(kept), "\(shown)")
            #expect(shown.contains("Give --coins 15 --available 40."), "\(shown)")
            try await terminal.run("\(void) --coins 41", code: 1, says: "but 40 of the grant can be voided")
            try await terminal.run("grants void 1", code: 1, says: "the grant does not exist")
            try await terminal.run("\(void) --available 40", code: 64, says: "Give --reason with --available.")
            let part = "\(void) --coins 15 --reason given~twice --by min"
            try await terminal.run("\(part) --available 39", code: 1, says: "40 coins of the grant can be voided now")
            for _ in 1...2 {
                try await terminal.run(
                    "\(part) --available 40", says: "15 coins are voided: \(kept)")
            }
            #expect(try await service.coins() == 35, "a repeat voids nothing more")

            try await terminal.run(void, says: "A second person has to approve it. Give --available 25.")
            let rest = "\(void) --available 25 --reason a~mistake --by min"
            let proposed = try await terminal.run(rest, says: "waits for a second person")
            let proposal = try #require(proposed.firstMatch(of: /proposal (\d+)/)?.1)
            #expect(try await service.coins() == 35)
            try await terminal.run("\(rest) --key more", code: 1, says: "give --beside \(proposal)")
            try await terminal.run("refunds approve \(proposal) --by max", code: 1, says: "no refund has this proposal")
            try await terminal.run("refunds withdraw \(proposal) --by min", says: "is withdrawn")
            try await house.expectSound()
        }
    }

    @Test func `a user is merged at a terminal, and above the limit proposed`() async throws {
        try await House.open { house, gateway, service in
            let terminal = Terminal(house: house, gateway: gateway, grantLimit: 25)
            for (name, coins) in [("ann", 10), ("bob", 15), ("cid", 1)] {
                let granted = try await service.post(
                    "/v1/users/\(name)/grants", #"{"coins": \#(coins), "reason": "campaign"}"#, key: "grant-\(name)")
                try #require(granted.status == 201, "\(granted)")
            }
            try await terminal.run("users merge ann --into bob", says: "One person can do it.")
            try await terminal.run(
                "users merge ann --into nobody --reason a~slip --by min", code: 1, says: "nothing is known of nobody")
            for _ in 1...2 {
                try await terminal.run(
                    "users merge ann --into bob --reason two~sign-ins --by min", says: "ann is bob now: 10 coins moved")
            }
            #expect(try await service.coins(of: "bob") == 25)
            // Whoever names the old id means the other one.
            try await terminal.run("balance-alerts set --user ann --below 777 --by min", says: "bob")
            try await terminal.run("balance-alerts show --user bob", says: "777")
            // Who has few coins gets the many of the other one by it.
            try await terminal.run("users merge cid --into bob", says: "A second person has to approve it.")
            try await terminal.run(
                "users merge cid --into bob --reason two~sign-ins --by min", says: "waits for a second person")
            #expect(try await service.coins(of: "bob") == 25)
            try await house.expectSound()
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
