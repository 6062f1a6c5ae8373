import EndToEndSupport
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// A proposal is seen by all whom it concerns, and done once: a second one, a withdrawal, what changes meanwhile, and what the
/// second person reads.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleProposalsTests {
    @Test func `two people propose the same refund: the second sees the first, and one of them is paid`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            let id = try await console.buy().id
            let path = "/console/customers/ann/refund/\(id)"
            let support = try await console.browser(as: "support-1")
            let page = try await support.open(path)
            #expect(page.text.contains("Ask for approval: refund ₩5,000") && !page.text.contains("Asked for approval"))
            let made = try await support.submit(path, [("reason", "wrong product")])
            #expect(made.text.contains("Another person has to approve it now"), "\(made)")
            let books = console.house.books
            let first = try await books.count("SELECT id FROM approval")
            let link = "/console/approvals/\(first)"

            // It stands on the pages of the customer and of the purchase, for everybody; only its author has a button.
            for open in ["/console/customers/ann", path] {
                let own = try await support.open(open)
                #expect(own.text.contains(link) && own.text.contains("\(link)/withdraw"), "\(open): \(own)")
                #expect(own.text.components(separatedBy: "href=\"\(link)\"").count == 2, "listed once: \(own)")
            }
            let finance = try await console.browser(as: "finance-1")
            let seen = try await finance.open(path)
            #expect(seen.text.contains(link) && seen.text.contains("wrong product") && seen.text.contains("Suho Park"))
            #expect(!seen.text.contains("\(link)/withdraw"))

            // The second one is refused with the first, and made with the tick.
            let asked = try await finance.submit(path, [("reason", "she called")])
            #expect(asked.status == 409 && asked.text.contains("wrong product"), "\(asked)")
            #expect(asked.text.contains("Something is proposed about this already"))
            #expect(try await books.count("SELECT count(*) FROM approval") == 1)
            // A tick that is about another proposal is none.
            let stale = try await finance.submit(path, [("beside", "\(first - 1)")])
            #expect(stale.status == 409, "\(stale)")
            let second = try await finance.submit(path, [("beside", "\(first)")])
            #expect(second.text.contains("Another person has to approve it now"), "\(second)")
            let kept = "SELECT concat_ws('|', proposed_by, reason, beside) FROM approval ORDER BY id"
            #expect(
                try await books.texts(kept) == ["support-1|wrong product", "finance-1|she called|\(first)"])

            // One is approved: the other one is about what is no more.
            let administrator = try await console.browser(as: "administrator-1")
            let next = try await console.newestProposal()
            let both = try await administrator.open(next)
            #expect(both.text.contains("Other proposals") && both.text.contains(link), "\(both)")
            let done = try await administrator.submit("\(next)/approve")
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            let late = try await administrator.open(link)
            #expect(late.text.contains("It has changed since it was proposed"), "\(late)")
            #expect(late.text.contains(">changed</span>") && !late.text.contains("\(link)/approve\""), "\(late)")
            let forced = try await administrator.post(
                "\(link)/approve", try ConsoleActsTests.decision("", administrator))
            #expect(forced.status == 409 || forced.status == 422, "\(forced)")
            #expect(try await books.count("SELECT count(*) FROM refund") == 1)
            // What became of them stays on the customer's page.
            let after = try await support.open("/console/customers/ann")
            #expect(after.text.contains(link) && after.text.contains(next), "\(after)")
            try await console.house.expectSound()
        }
    }

    @Test func `who proposed withdraws, nobody else, and an approval comes too late`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let support = try await console.browser(as: "support-1")
            try await support.open("/console/customers/ann/grant")
            try await support.submit("/console/customers/ann/grant", [("coins", "11"), ("reason", "sorry")])
            let books = console.house.books
            let path = try await console.onlyProposal()
            let finance = try await console.browser(as: "finance-1")
            try await finance.open(path)
            let other = try await finance.post("\(path)/withdraw", try ConsoleActsTests.decision("", finance))
            #expect(other.status == 403 && other.text.contains("<code>not_the_proposer</code>"), "\(other)")
            try await finance.open(path)
            try await support.open(path)
            let withdrawn = try await support.submit("\(path)/withdraw")
            #expect(withdrawn.text.contains("It is withdrawn"), "\(withdrawn)")
            #expect(withdrawn.text.contains(">withdrawn</span>") && !withdrawn.text.contains("\(path)/withdraw"))
            let late = try await finance.submit("\(path)/approve")
            #expect(late.status == 409 && late.text.contains("<code>approval_decided</code>"), "\(late)")
            #expect(try await console.service.coins() == 0)
            let audit = """
                SELECT act || coalesce(outcome, '') FROM audit LEFT JOIN audit_outcome ON audit_id = id
                WHERE act <> 'sign-in' ORDER BY id
                """
            #expect(
                try await books.texts(audit) == [
                    "grantproposed", "withdraw-proposalrefused", "withdraw-proposaldone", "approverefused",
                ])
            // The next one is proposed without a tick.
            try await support.open("/console/customers/ann/grant")
            let next = try await support.submit(
                "/console/customers/ann/grant", [("coins", "12"), ("reason", "sorry")])
            #expect(next.text.contains("Another person has to approve it now"), "\(next)")
        }
    }

    @Test func `an approval and a withdrawal at once: one of them counts`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "1"]) { console in
            let support = try await console.browser(as: "support-1")
            let finance = try await console.browser(as: "finance-1")
            for round in 1...3 {
                try await support.open("/console/customers/ann/grant")
                try await support.submit("/console/customers/ann/grant", [("coins", "7"), ("reason", "sorry")])
                let id = try await console.house.books.count("SELECT max(id) FROM approval")
                let path = "/console/approvals/\(id)"
                let forms = [
                    (finance.cookies, "\(path)/approve", try await Self.token(finance, path)),
                    (support.cookies, "\(path)/withdraw", try await Self.token(support, path)),
                ]
                let statuses = try await together(2) { number in
                    let (cookies, action, token) = forms[number]
                    let one = Browser(at: console, cookies: cookies)
                    return try await one.post(action, [("token", token), ("once", Fresh.key)]).status
                }
                #expect(statuses.sorted() == [200, 409], "round \(round): \(statuses)")
                let ended = try await console.house.books.texts("SELECT status FROM approval WHERE id = \(id)")
                #expect(ended == [statuses[0] == 200 ? "done" : "withdrawn"], "round \(round)")
            }
            let done = try await console.house.books.count("SELECT count(*) FROM approval WHERE status = 'done'")
            #expect(try await console.service.coins() == 7 * done)
            try await console.house.expectSound()
        }
    }

    private static func token(_ browser: Browser, _ path: String) async throws -> String {
        try await browser.open(path)
        return try #require(browser.formToken)
    }

    @Test func `a spent coin outdates a refund: both states are shown, and who declines says why`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            let id = try await console.buy().id
            let path = "/console/customers/ann/refund/\(id)"
            let support = try await console.browser(as: "support-1")
            try await support.open("\(path)?coins=200")
            try await support.submit(path, [("reason", "a part")])
            let books = console.house.books
            let proposal = try await console.onlyProposal()
            let finance = try await console.browser(as: "finance-1")
            let before = try await finance.open(proposal)
            #expect(
                before.text.contains("200 × ₩10 = ₩2,000") && before.text.contains("\(proposal)/approve"), "\(before)")
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
            try #require(spent.status == 201, "\(spent)")
            let late = try await finance.submit("\(proposal)/approve")
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await books.count("SELECT count(*) FROM refund") == 0)
            let ended = try await support.open(proposal)
            #expect(ended.text.contains("Refused because"), "\(ended)")

            // Proposed again and changed again, it is declined.
            try await support.open("\(path)?coins=200")
            try await support.submit(path, [("reason", "a part")])
            let next = try await console.newestProposal()
            _ = try await console.service.post("/v1/users/ann/spends", #"{"coins": 10}"#, key: "more")
            let changed = try await finance.open(next)
            for text in ["Unused coins of the purchase", "changed</span>", "It has changed since it was proposed"] {
                #expect(changed.text.contains(text), "\(text): \(changed)")
            }
            let silent = try await finance.submit("\(next)/decline")
            #expect(silent.status == 400, "\(silent)")
            try await finance.open(next)
            let declined = try await finance.submit("\(next)/decline", [("reason", "she plays on")])
            #expect(declined.text.contains("It is declined") && declined.text.contains("she plays on"), "\(declined)")
            let shown = try await support.open("/console/customers/ann")
            #expect(shown.text.contains("she plays on"), "the author reads why")
        }
    }

    @Test func `a proposal from before anything was kept of its object is approved`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            let id = try await console.buy().id
            try await console.house.books.execute(
                """
                INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
                VALUES ('old', 'refund', 'purchase:\(id)', 'ann', '{"purchase": \(id), "coins": 500}', '{}', 'old',
                    'kim', 'Kim')
                """)
            let path = try await console.onlyProposal()
            let finance = try await console.browser(as: "finance-1")
            try await finance.open(path)
            let done = try await finance.submit("\(path)/approve")
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.house.books.texts("SELECT status FROM refund") == ["completed"])
        }
    }

    @Test func `a proposal that was stored by hand of coins that no act can move is shown, and can't be approved`()
        async throws
    {
        try await ConsoleHouse.open { console in
            let entry = try await console.spendToReverse().entry
            let purchase = try await console.house.books.count("SELECT id FROM purchase")
            try await console.house.books.execute(
                """
                INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
                VALUES ('1', 'reverse', 'entry:\(entry)', 'ann', '{"entry": \(entry), "coins": \(Int64.min)}', '{}', 'r',
                        'kim', 'Kim'),
                    ('2', 'refund', 'purchase:\(purchase)', 'ann', '{"purchase": \(purchase), "coins": -1}', '{}', 'r',
                        'kim', 'Kim')
                """)
            let finance = try await console.browser(as: "finance-1")
            for id in try await console.house.books.texts("SELECT id::text FROM approval ORDER BY id") {
                let path = "/console/approvals/\(id)"
                let page = try await finance.open(path)
                #expect(page.status == 200 && !page.text.contains("\(path)/approve"), "\(page)")
                let form = [("token", try #require(finance.formToken)), ("once", Fresh.key)]
                #expect(try await finance.post("\(path)/approve", form).status == 404)
            }
            let moved = "SELECT count(*) FROM journal_entry WHERE kind NOT IN ('purchase', 'spend')"
            #expect(try await console.house.books.count(moved) == 0)
            try await console.house.expectSound()
        }
    }

    @Test func `the second person reads words of her language, and no names of members, codes or kinds`() async throws {
        let limits = ["LEDGERD_CONSOLE_REFUND_LIMIT": "0", "LEDGERD_CONSOLE_GRANT_LIMIT": "0"]
        try await ConsoleHouse.open(limits) { console in
            let reversal = try await console.spendToReverse()
            let purchase = try await console.house.books.count("SELECT id FROM purchase")
            let support = try await console.browser(as: "support-1")
            for (path, coins) in [
                ("/console/customers/ann/refund/\(purchase)", "100"), ("/console/customers/ann/grant", "5"),
                (reversal.path, "20"),
            ] {
                let isRefund = path.contains("/refund/")
                try await support.open(isRefund ? "\(path)?coins=\(coins)" : path)
                let values = [("reason", "sorry")] + (isRefund ? [] : [("coins", coins)])
                let made = try await support.submit(path, values)
                #expect(made.text.contains("Another person has to approve it now"), "\(path): \(made)")
            }
            let administrator = try await console.browser(as: "administrator-1")
            let ids = try await console.house.books.texts("SELECT id::text FROM approval ORDER BY id")
            for id in ids {
                for language in ["ko", "en"] {
                    let page = try await administrator.open(
                        "/console/approvals/\(id)", headers: [("Accept-Language", language)])
                    let text = page.text.replacing(#/<[^>]*>/#, with: " ")
                    #expect(text.contains(language == "ko" ? "요청 시점" : "When it was proposed"), "\(id): \(page)")
                    let keys = text.matches(of: #/\b(?!imp_|merchant_)[a-z]+_[a-z_]+\b/#).map { String($0.output) }
                    #expect(
                        keys.filter { !$0.hasPrefix("order_") && !$0.hasPrefix("imp") } == [], "\(id) in \(language)")
                    for word in ["sign-in", "claim-finding", "{\"", "journal_entry"] {
                        #expect(!text.contains(word), "\(word) in \(id)")
                    }
                }
            }
        }
    }
}
