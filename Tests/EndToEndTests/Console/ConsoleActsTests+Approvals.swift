import PGVerifier
import TestSupport
import Testing

extension ConsoleActsTests {
    @Test func `a refund above the limit is made once a second person has approved it`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "4999"]) { console in
            let (payment, id) = try await console.buy()
            let support = try await console.browser(as: "support-1")
            let page = try await support.open("/console/customers/ann/refund/\(id)")
            #expect(page.text.contains("another person has to approve it"))
            let proposed = try await support.submit("/console/customers/ann/refund/\(id)", [("reason", "asked for it")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            let books = console.house.books
            #expect(try await books.count("SELECT count(*) FROM refund") == 0)
            let approval = try await books.count("SELECT id FROM approval WHERE status = 'waiting'")

            // Neither the proposer, whatever the role, nor support may approve it.
            let path = "/console/approvals/\(approval)"
            try await support.open(path)
            #expect(support.page.text.contains("You proposed this") && !support.page.text.contains("/approve"))
            let own = try await support.post("\(path)/approve", try Self.decision("me", support))
            #expect(own.status == 403)

            let finance = try await console.browser(as: "finance-1")
            try await finance.open(path)
            #expect(finance.page.text.contains("asked for it") && finance.page.text.contains("₩5,000"))
            // The object itself: what it is, what happens to the balance, and how the sum comes about.
            for text in [
                payment.impUID, payment.merchantUID, "500 × ₩10 = ₩5,000", "Afterwards", "Approve: refund ₩5,000",
            ] {
                #expect(finance.page.text.contains(text), "\(text): \(finance.page)")
            }
            let done = try await finance.submit("\(path)/approve", [("reason", "checked")])
            #expect(done.status == 200 && done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await books.texts("SELECT status FROM refund") == ["completed"])
            #expect(try await console.gateway.cancelled(payment) == 5000)
            let decided = "SELECT concat_ws('|', status, proposed_by, decided_by, decision_reason) FROM approval"
            #expect(try await books.texts(decided) == ["done|support-1|finance-1|checked"])

            // It is decided: a second decision changes nothing.
            let late = try await finance.post("\(path)/decline", try Self.decision("no", finance))
            #expect(late.status == 409, "\(late)")
            let audit = try await finance.open("/console/audit")
            for text in [
                "approval", "Second person: Fin Cho", "waits for a second person", "checked", "Coins on hold",
                "The payer gets",
            ] {
                #expect(audit.text.contains(text), "\(text)")
            }
            try await console.house.expectSound()
        }
    }

    @Test func `a large refund needs a second person, also in small parts`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "4999"]) { console in
            let id = try await console.buy().id
            let path = "/console/customers/ann/refund/\(id)"
            let support = try await console.browser(as: "support-1")
            let first = try await support.open("\(path)?coins=250")
            #expect(first.text.contains("₩2,500") && !first.text.contains("another person"), "\(first)")
            let done = try await support.submit(path, [("reason", "half of it")])
            #expect(done.text.contains("The refund is begun"), "\(done)")
            // The other half is as small, but together they are above the limit.
            let second = try await support.open(path)
            #expect(second.text.contains("₩2,500") && second.text.contains("another person has to approve it"))
            let proposed = try await support.submit(path, [("reason", "the other half")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            #expect(try await console.house.books.count("SELECT sum(amount)::int8 FROM refund") == 2500)
        }
    }

    @Test func `a large payment of a finding is credited once a second person has approved it`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "4999"]) { console in
            let finance = try await console.claim()
            // There is no record of ann: the console asks once more.
            let proposed = try await finance.submit("/console/findings/1/claim")
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            #expect(try await console.service.coins() == 0)
            let books = console.house.books
            let path = try await console.onlyProposal()
            try await finance.open(path)
            let own = try await finance.post("\(path)/approve", try Self.decision("me", finance))
            #expect(own.status == 403, "\(own)")

            let administrator = try await console.browser(as: "administrator-1")
            try await administrator.open(path)
            #expect(administrator.page.text.contains("₩5,000") && administrator.page.text.contains("her card"))
            // While the gateway does not confirm the payment, the proposal stays open.
            try await console.gateway.fail(#"{"path": "/payments", "times": 1000, "kind": "status", "status": 503}"#)
            let early = try await administrator.submit("\(path)/approve", [("reason", "checked")])
            #expect(early.status == 409 && early.text.contains("does not confirm the payment"), "\(early)")
            try await console.gateway.fail(#"{"path": "/payments", "times": 0, "kind": "status", "status": 503}"#)
            try await administrator.open(path)
            let done = try await administrator.submit("\(path)/approve", [("reason", "checked")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins() == 550)
            #expect(try await books.texts("SELECT status || (outcome ? 'purchase') FROM approval") == ["donetrue"])
            try await console.house.expectSound()
        }
    }

    @Test func `who proposes can't approve, even with the right, and what is declined is not done`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/customers/ann/grant")
            try await finance.submit("/console/customers/ann/grant", [("coins", "11"), ("reason", "sorry")])
            let books = console.house.books
            let approval = try await books.count("SELECT id FROM approval")
            let path = "/console/approvals/\(approval)"
            try await finance.open(path)
            let own = try await finance.post("\(path)/approve", try Self.decision("me", finance))
            #expect(own.status == 403 && own.text.contains("Another person has to decide this"), "\(own)")
            let administrator = try await console.browser(as: "administrator-1")
            try await administrator.open(path)
            let declined = try await administrator.submit(
                "\(path)/approve", [("reason", "too much")], sendTo: "\(path)/decline")
            #expect(declined.text.contains("It is declined"), "\(declined)")
            #expect(try await console.service.coins() == 0)
            #expect(
                try await books.texts(
                    """
                    SELECT act || coalesce(outcome, '') FROM audit LEFT JOIN audit_outcome ON audit_id = id
                    WHERE act <> 'sign-in' ORDER BY id
                    """
                ) == ["grantproposed", "approverefused", "declinedone"])
            // Below the limit one person is enough.
            try await finance.open("/console/customers/ann/grant")
            let granted = try await finance.submit(
                "/console/customers/ann/grant", [("coins", "10"), ("reason", "sorry")])
            #expect(granted.text.contains("The coins are granted"), "\(granted)")
            #expect(try await console.service.coins() == 10)
            #expect(try await books.texts("SELECT issuer FROM lot") == ["Fin Cho"])
        }
    }

    @Test func `an approval whose process ended is carried out once when it is approved again`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "1"]) { console in
            let support = try await console.browser(as: "support-1")
            try await support.open("/console/customers/ann/grant")
            try await support.submit("/console/customers/ann/grant", [("coins", "7"), ("reason", "sorry")])
            let books = console.house.books
            // As after a crash between the decision and the act.
            try await books.execute(
                """
                UPDATE approval SET status = 'approved', decided_by = 'x', decided_name = 'X', decided_at = now(),
                    decision_reason = 'ok'
                """)
            let path = try await console.onlyProposal()
            for name in ["finance-1", "administrator-1"] {
                let browser = try await console.browser(as: name)
                try await browser.open(path)
                if name == "finance-1" {
                    let done = try await browser.submit("\(path)/approve", [("reason", "again")])
                    #expect(done.status == 200, "\(done)")
                } else {
                    #expect(!browser.page.text.contains("/approve"))
                }
            }
            #expect(try await console.service.coins() == 7)
        }
    }

    @Test func `a reversal shows how many coins have a place, to who asks for it and to who approves it`() async throws
    {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let (entry, path) = try await console.spendToReverse()
            try await Self.payWithOthersWhatADisputeTook(console)
            let support = try await console.browser(as: "support-1")
            let full = try await support.open(path)
            #expect(full.text.contains("Of them with a place in their lots</dt><dd>0</dd>"), "\(full)")
            #expect(full.text.contains("Not all have a place") && !full.text.contains("name=\"coins\""), "\(full)")
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 100}"#, key: "later")
            try #require(spent.status == 201, "\(spent)")
            let refused = try await console.service.post("/v1/spends/\(entry)/reversals", "{}", key: "all")
            let place = try #require(refused.json["available"].integer, "\(refused)")
            #expect(refused.code == "no_place_for_coins" && place > 10 && place < 300, "\(refused)")
            let some = try await support.open(path)
            #expect(some.text.contains("Of them with a place in their lots</dt><dd>\(place)</dd>"), "\(some)")
            #expect(some.text.contains("inputmode=\"numeric\" value=\"\(place)\""), "the field has as many: \(some)")
            let much = try await support.submit(path, [("coins", "\(place + 1)"), ("reason", "sorry")])
            #expect(much.status == 409, "a second person could not approve it: \(much)")
            #expect(try await console.house.books.count("SELECT count(*) FROM approval") == 0)

            try await support.open(path)
            try await support.submit(path, [("coins", "\(place)"), ("reason", "sorry")])
            let finance = try await console.browser(as: "finance-1")
            let proposal = try await console.onlyProposal()
            for language in ["ko", "en"] {
                let page = try await finance.open(proposal, headers: [("Accept-Language", language)])
                let words = language == "ko" ? "그중 적립 건에 자리가 있는 코인" : "Of them with a place in their lots"
                #expect(page.text.components(separatedBy: words).count == 3, "seen, and now: \(page)")
                #expect(!page.text.contains("Not all have a place"), "as many as are asked for have one")
            }
            let done = try await finance.submit("\(proposal)/approve", [("reason", "checked")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            let back = "SELECT sum(coins)::int8 FROM coin_return WHERE redemption_id = \(entry)"
            #expect(try await console.house.books.count(back) == place)
            try await console.house.expectSound()
        }
    }

    /// A dispute of ann's purchase is lost, she buys coins that pay the debt, and then it is won.
    private static func payWithOthersWhatADisputeTook(_ console: ConsoleHouse) async throws {
        let books = console.house.books
        try await books.execute(
            """
            INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
            SELECT nextval('record_id'), stripe, id, user_id, now(), 'not mine', now() FROM purchase
            """)
        let path = "/v1/disputes/\(try await books.count("SELECT id FROM dispute"))/decisions"
        for outcome in ["lost", "won"] {
            let decided = try await console.service.post(
                path, #"{"outcome": "\#(outcome)", "reason": "a letter"}"#, key: outcome, as: Token.finance())
            try #require(decided.status == 201, "\(decided)")
            if outcome == "lost" { _ = try await console.buy() }
        }
    }
}
