import EndToEndSupport
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// The limits of one person and the decisions of two hold, however many forms come at once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleLimitsTests {
    /// Buys and spends for ann, and opens the page that reverses the spend of 300 coins.
    private func openReversal(_ console: ConsoleHouse) async throws -> (support: Browser, path: String) {
        let path = try await console.spendToReverse().path
        let support = try await console.browser(as: "support-1")
        try await support.open(path)
        return (support, path)
    }

    /// Sends forms of one page at the same time, each as its own act, and returns the statuses.
    private static func send(
        _ forms: [[(String, String)]], to path: String, by browser: Browser, _ console: ConsoleHouse
    ) async throws -> [Int] {
        let (cookies, token) = (browser.cookies, try #require(browser.formToken))
        return try await together(forms.count) { number in
            let one = Browser(at: console, cookies: cookies)
            return try await one.post(path, forms[number] + [("token", token), ("once", Fresh.key)]).status
        }
    }

    @Test func `of forty refund forms at once no more is paid than one person may refund`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "4000"]) { console in
            let id = try await console.buy().id
            let path = "/console/customers/ann/refund/\(id)"
            let support = try await console.browser(as: "support-1")
            try await support.open("\(path)?coins=75")
            try #require(support.page.text.contains("₩750"))
            let form = [("coins", "75"), ("amount", "750"), ("reason", "part")]
            let statuses = try await Self.send(
                Array(repeating: form, count: 40), to: path, by: support, console)
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 }, "\(statuses)")
            let books = console.house.books
            #expect(try await books.count("SELECT coalesce(sum(amount), 0)::int8 FROM refund") <= 4000)
            #expect(try await books.count("SELECT count(*) FROM approval") <= 1, "the rest is proposed once")
            #expect(
                try await books.count(
                    """
                    SELECT count(*) FROM audit JOIN audit_outcome ON audit_id = audit.id
                    WHERE act = 'refund' AND outcome = 'unknown'
                    """) == 0)
            try await console.house.expectSound()
        }
    }

    @Test func `of parts of a spend at once no more comes back than one person may return`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "100"]) { console in
            let (support, path) = try await openReversal(console)
            let form = [("coins", "40"), ("reason", "part")]
            let statuses = try await Self.send(
                Array(repeating: form, count: 12), to: path, by: support, console)
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 }, "\(statuses)")
            #expect(try await console.service.coins() == 250 + 80)
            // One more part, as small as the others, is proposed, unless one of the others was.
            try await support.open(path)
            _ = try await support.submit(path, [("coins", "40"), ("reason", "one more")])
            #expect(try await console.house.books.count("SELECT count(*) FROM approval") == 1)
            #expect(try await console.service.coins() == 250 + 80)
            try await console.house.expectSound()
        }
    }

    @Test func `a reversal that is sent again, or that is too large, is not proposed`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "100"]) { console in
            let (support, path) = try await openReversal(console)
            let token = try #require(support.formToken)
            let form = [("token", token), ("once", Fresh.key), ("coins", "60"), ("reason", "part")]
            for _ in 1...2 {
                let answer = try await support.post(path, form)
                #expect(answer.status == 200 && answer.text.contains("The coins came back"), "\(answer)")
            }
            #expect(try await console.service.coins() == 250 + 60)
            let large = [("token", token), ("once", Fresh.key), ("coins", "241"), ("reason", "too much")]
            let refused = try await support.post(path, large)
            #expect(refused.status == 422 && refused.text.contains("exceeds_redemption"), "\(refused)")
            #expect(try await console.house.books.count("SELECT count(*) FROM approval") == 0)
            try await console.house.expectSound()
        }
    }

    @Test func `a grant of more coins than any grant may have is not proposed`() async throws {
        let limits = ["LEDGERD_CONSOLE_GRANT_LIMIT": "10", "LEDGERD_GRANT_LIMIT": "50"]
        try await ConsoleHouse.open(limits) { console in
            _ = try await console.buy()
            let path = "/console/customers/ann/grant"
            let support = try await console.browser(as: "support-1")
            try await support.open(path)
            let refused = try await support.submit(path, [("coins", "51"), ("reason", "a gift")])
            #expect(refused.text.contains("grant_limit_exceeded"), "\(refused)")
            #expect(try await console.house.books.count("SELECT count(*) FROM approval") == 0)
            try await support.open(path)
            let proposed = try await support.submit(path, [("coins", "50"), ("reason", "a gift")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
        }
    }

    @Test func `the same refund is proposed once, and an approval of what has changed is refused`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            let id = try await console.buy().id
            let path = "/console/customers/ann/refund/\(id)"
            let support = try await console.browser(as: "support-1")
            let page = try await support.open("\(path)?coins=450")
            let amount = try #require(page.text.firstMatch(of: #/name="amount" value="([0-9]+)"/#)).1
            let form = [("coins", "450"), ("amount", String(amount)), ("reason", "half")]
            let statuses = try await Self.send([form, form, form], to: path, by: support, console)
            #expect(statuses.sorted() == [200, 409, 409])
            let books = console.house.books
            let first = try await books.count("SELECT id FROM approval")
            try await support.open("\(path)?coins=450")
            let second = try await support.submit(path, [("reason", "half again")])
            #expect(
                second.status == 409 && second.text.contains("Something is proposed about this already"), "\(second)")

            // Something else is refunded of the purchase before it is approved, with the approver's page open.
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/approvals/\(first)")
            let part = try await console.service.post(
                "/v1/purchases/\(id)/refunds", #"{"coins": 10, "reason": "x"}"#, key: "part")
            try #require(part.status == 201, "\(part)")
            let before = try await books.count("SELECT sum(amount)::int8 FROM refund")
            let late = try await finance.submit("/console/approvals/\(first)/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await books.count("SELECT sum(amount)::int8 FROM refund") == before)
            let outcome = "SELECT status || (outcome->>'code') FROM approval"
            #expect(try await books.texts(outcome) == ["refusedapproval_outdated"])

            // Proposed again, it is paid, once.
            try await support.open("\(path)?coins=450")
            let again = try await support.submit(path, [("reason", "half")])
            #expect(again.text.contains("Another person has to approve it now"), "\(again)")
            let next = try await books.count("SELECT max(id) FROM approval")
            try await finance.open("/console/approvals/\(next)")
            let done = try await finance.submit("/console/approvals/\(next)/approve", [("reason", "ok")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await books.count("SELECT count(*) FROM refund") == 2)
            try await console.house.expectSound()
        }
    }

    @Test func `an approval of a write-off is refused when the debt has changed`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let payment = try await console.gateway.pay("1000")
            #expect(try await console.service.present(payment).status == 201)
            _ = try await console.service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
            try await console.gateway.change(payment, to: "cancelled")
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/customers/ann")
            try await finance.submit("/console/customers/ann/look-up")
            let owed = try await console.service.get("/v1/users/ann/balance", as: Token.service()).json
            try #require(owed["debt"] == 60, "\(owed)")
            try await finance.open("/console/customers/ann/write-off")
            try await finance.submit("/console/customers/ann/write-off", [("coins", "30"), ("reason", "fair")])
            let administrator = try await console.browser(as: "administrator-1")
            let proposal = try await console.onlyProposal()
            try await administrator.open(proposal)
            try await finance.open("/console/customers/ann/write-off")
            try await finance.submit("/console/customers/ann/write-off", [("coins", "10"), ("reason", "small")])
            let late = try await administrator.submit("\(proposal)/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            let balance = try await console.service.get("/v1/users/ann/balance", as: Token.service()).json
            #expect(balance["debt"] == 50, "\(balance)")
        }
    }

    @Test func `a payment is credited to a customer without any record only if the person says so again`()
        async throws
    {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            for (number, amount) in ["1000", "5000"].enumerated() {
                let path = "/console/findings/\(try await console.find(amount).id)"
                let user = "anm-\(number)"
                let finance = try await console.browser(as: "finance-1")
                try await finance.open(path)
                let asked = try await finance.submit("\(path)/claim", [("user", user), ("reason", "her \"card\"")])
                #expect(asked.status == 409 && asked.text.contains("Nothing is known of this customer"), "\(asked)")
                #expect(asked.text.contains(user) && asked.text.contains("her &quot;card&quot;"), "\(asked)")
                #expect(try await console.service.coins(of: user) == 0)
                // The answer counts for that customer only.
                let other = try await finance.submit("\(path)/claim", [("user", "anm")])
                #expect(other.status == 409 && other.text.contains("Nothing is known of this customer"), "\(other)")
                try await finance.open(path)
                try await finance.submit("\(path)/claim", [("user", user), ("reason", "her card")])
                let said = try await finance.submit("\(path)/claim")
                if number == 0 {
                    #expect(said.text.contains("The payment is credited"), "\(said)")
                } else {
                    #expect(said.text.contains("Another person has to approve it now"), "\(said)")
                    let proposal = try await console.onlyProposal()
                    let administrator = try await console.browser(as: "administrator-1")
                    try await administrator.open(proposal)
                    let done = try await administrator.submit("\(proposal)/approve", [("reason", "checked")])
                    #expect(done.text.contains("It is approved and carried out"), "\(done)")
                }
                #expect(try await console.service.coins(of: user) == (number == 0 ? 100 : 550))
            }
            try await console.house.expectSound()
        }
    }

    @Test func `an approval of a credit is refused when the finding was resolved meanwhile`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "0"]) { console in
            _ = try await console.buy()
            let finance = try await console.claim()
            let administrator = try await console.browser(as: "administrator-1")
            try await administrator.open("/console/approvals/1")
            try await finance.open("/console/findings/1")
            try await finance.submit("/console/findings/1/resolve", [("reason", "it is bob's, and goes back")])
            let late = try await administrator.submit("/console/approvals/1/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await console.service.coins() == 550)
            try await console.house.expectSound()
        }
    }

    @Test func `a finding without a payment is not proposed to be credited`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "0"]) { console in
            let books = console.house.books
            try await books.execute("INSERT INTO finding (kinds) VALUES ('{custody_short}')")
            let id = try await books.count("SELECT id FROM finding")
            let finance = try await console.browser(as: "finance-1")
            let page = try await finance.open("/console/findings/\(id)")
            #expect(page.status == 200 && !page.text.contains("/claim"), "\(page)")
            let token = try #require(finance.formToken)
            let form = [
                ("token", token), ("once", Fresh.key), ("user", "ann"), ("new_user", "ann"), ("reason", "her card"),
            ]
            let answer = try await finance.post("/console/findings/\(id)/claim", form)
            #expect(answer.status == 400 && answer.text.contains("there is nothing to credit"), "\(answer)")
            #expect(try await books.count("SELECT count(*) FROM approval") == 0)
        }
    }
}
