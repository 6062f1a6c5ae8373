import Testing

/// Refunds, gifts, voids of grants and merges: above the limit a second person is asked.
extension SupportCommandTests {
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
}
