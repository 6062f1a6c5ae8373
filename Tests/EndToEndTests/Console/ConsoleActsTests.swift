import Foundation
import PGVerifier
import TestSupport
import Testing

/// What people do for customers in the console, alone and with a second person, and what is kept of it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleActsTests {
    @Test func `each name of a payment leads to its customer`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, id) = try await console.buy()
            let hold = try await console.service.post(
                "/v1/users/ann/holds", #"{"coins": 5, "reference": "game-7"}"#, key: "hold")
            let holdID = try #require(hold.json["hold"]["id"].integer)
            let order = try #require(try await console.service.order("coins_500", at: .v1).json["merchant_uid"].text)
            let browser = try await console.browser(as: "viewer-1")
            for name in ["ann", payment.impUID, payment.merchantUID, "\(id)", "\(holdID)", order, " ann "] {
                try await browser.open("/console/search?q=\(Browser.encoded(name))")
                #expect(browser.path.hasPrefix("/console/customers/ann"), "\(name): \(browser.page)")
            }
            for text in [payment.impUID, payment.merchantUID, "game-7", order, "550", "₩5,000"] {
                #expect(browser.page.text.contains(text), "\(text)")
            }
            #expect(!browser.page.text.contains("Refund</a>"), "a viewer is shown no acts")
            try await browser.open("/console/search?q=nobody")
            #expect(browser.page.text.contains("Nothing is found"))
        }
    }

    @Test func `a disputed purchase is marked on the customer's page and is a finding`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await console.buy()
            let browser = try await console.browser(as: "finance-1")
            #expect(try await !browser.open("/console/customers/ann").text.contains("disputed"))
            try await console.house.books.execute(
                """
                INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
                SELECT nextval('record_id'), stripe, id, user_id, now(), '<b>not mine</b>', now() FROM purchase
                """)
            #expect(try await browser.open("/console/customers/ann").text.contains(">disputed</span>"))
            #expect(try await browser.open("/console/findings").text.contains("payment disputed"))
        }
    }

    @Test func `a small refund is made by one person, with its quote, reason and record`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, id) = try await console.buy()
            let browser = try await console.browser(as: "support-1")
            let page = try await browser.open("/console/customers/ann/refund/\(id)")
            #expect(page.text.contains("₩5,000") && !page.text.contains("another person"), "\(page)")
            let form = browser.fields
            let done = try await browser.submit("/console/customers/ann/refund/\(id)", [("reason", "wrong  product")])
            #expect(done.status == 200 && done.text.contains("The refund is begun"), "\(done)")
            let books = console.house.books
            #expect(try await books.texts("SELECT status || explanation FROM refund") == ["completedwrong product"])
            let record = """
                SELECT concat_ws('|', subject, name, role, act, target, user_id, reason, seen->>'amount',
                    seen->>'paid', audit_outcome.outcome, detail->>'status')
                FROM audit JOIN audit_outcome ON audit_id = audit.id WHERE act = 'refund'
                """
            #expect(
                try await books.texts(record) == [
                    "support-1|Suho Park|support|refund|purchase:\(id)|ann|wrong product|5000|500|done|completed"
                ])
            // The same form again is the same refund.
            let again = try await browser.post(
                "/console/customers/ann/refund/\(id)", form + [("reason", "wrong product")])
            #expect(again.status == 200, "\(again)")
            #expect(try await books.count("SELECT count(*) FROM refund") == 1)
            #expect(try await books.count("SELECT count(*) FROM audit WHERE act = 'refund'") == 1)
            #expect(try await console.gateway.cancelled(payment) == 5000)
            try await console.house.expectSound()
        }
    }

    @Test func `a debt is written off, at most what is owed`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, _) = try await console.buy("1000")
            let spend = try await console.service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
            #expect(spend.status == 201, "\(spend)")
            try await console.gateway.change(payment, to: "cancelled")
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/customers/ann")
            // The webhook is not set up here: the look-up books the cancellation.
            let looked = try await finance.submit("/console/customers/ann/look-up")
            #expect(looked.status == 200 && looked.text.contains("A cancellation was booked"), "\(looked)")
            #expect(looked.text.contains("cancelled"))
            let page = try await finance.open("/console/customers/ann")
            #expect(page.text.contains("Write off the debt"), "\(page)")
            try await finance.open("/console/customers/ann/write-off")
            let much = try await finance.submit(
                "/console/customers/ann/write-off", [("coins", "61"), ("reason", "x")])
            #expect(much.status == 422 && much.text.contains("<code>exceeds_debt</code>"), "\(much)")
            try await finance.open("/console/customers/ann/write-off")
            let done = try await finance.submit(
                "/console/customers/ann/write-off", [("coins", "60"), ("reason", "fair")])
            #expect(done.status == 200 && done.text.contains("The debt is written off"), "\(done)")
            let balance = try await console.service.get("/v1/users/ann/balance", as: Token.service()).json
            #expect(balance["debt"] == 0 && balance["total"] == 0, "\(balance)")
            try await console.house.expectSound()
        }
    }

    @Test func `an act without its number of coins does nothing, and never all`() async throws {
        try await ConsoleHouse.open { console in
            let id = try await console.buy().id
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
            let entry = try #require(spent.json["spend"]["journal_entry_id"].integer)
            let cancelled = try await console.gateway.pay()
            #expect(try await console.service.present(cancelled, by: "bob").status == 201)
            let used = try await console.service.post("/v1/users/bob/spends", #"{"coins": 60}"#, key: "used")
            #expect(used.status == 201, "\(used)")
            try await console.gateway.change(cancelled, to: "cancelled")
            #expect(try await console.service.tellV1(Hooks.v1(cancelled, "cancelled")).status == 200)
            try await eventually("bob owes coins") {
                try await console.service.get("/v1/users/bob/balance", as: Token.service()).json["debt"] == 60
            }
            let books = console.house.books
            let entries = try await books.count("SELECT count(*) FROM journal_entry")

            let refund = "/console/customers/ann/refund/\(id)"
            let wrong = [
                [], [("coins", "")], [("coins", " ")], [("coins", ",")], [("coins", "NaN")], [("coins", "null")],
                [("coins", "0")], [("coins", "-1")], [("coins", "1.5")], [("coins", "all")], [("coin", "10")],
                [("coins", "10"), ("coins", "20")],
            ]
            for (person, path) in [
                ("support-1", refund), ("support-1", "/console/customers/ann/reverse/\(entry)"),
                ("finance-1", "/console/customers/bob/write-off"),
            ] {
                let browser = try await console.browser(as: person)
                #expect(try await browser.open(path).status == 200)
                let token = try #require(browser.formToken)
                for fields in wrong {
                    let form = [("token", token), ("once", Fresh.key), ("reason", "r"), ("amount", "4900")] + fields
                    let answer = try await browser.post(path, form)
                    #expect(answer.status == 400, "\(path) \(fields): \(answer)")
                }
            }
            let support = try await console.browser(as: "support-1")
            for query in ["coins=", "coins=NaN", "coins=0", "coin=10", "coins=10&coins=20"] {
                #expect(try await support.open("\(refund)?\(query)").status == 400, "\(query)")
            }
            #expect(try await books.count("SELECT count(*) FROM journal_entry") == entries)
            let acts = "SELECT (SELECT count(*) FROM refund) + (SELECT count(*) FROM approval)"
            #expect(try await books.count(acts) == 0)
            try await console.house.expectSound()
        }
    }

    @Test func `a spend is taken back in parts, the large part by two people`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let (entry, path) = try await console.spendToReverse()
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await !viewer.open("/console/customers/ann").text.contains(path))
            #expect(try await viewer.open(path).status == 403)
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/customers/ann").text.contains(path))
            #expect(try await support.open(path).text.contains("300"))
            let part = try await support.submit(path, [("coins", "10"), ("reason", "not delivered")])
            #expect(part.text.contains("The coins came back") && part.text.contains("spend undone"), "\(part)")
            #expect(try await console.service.coins() == 260)

            try await support.open(path)
            let rest = try await support.submit(path, [("coins", "290"), ("reason", "the rest too")])
            #expect(rest.text.contains("Another person has to approve it now"), "\(rest)")
            let finance = try await console.browser(as: "finance-1")
            let books = console.house.books
            let proposal = try await console.onlyProposal()
            try await finance.open(proposal)
            let done = try await finance.submit("\(proposal)/approve", [("reason", "checked")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins() == 550)
            #expect(try await support.open(path).text.contains("All coins came back already"))
            let records = "SELECT concat_ws('|', act, target, reason, seen->>'left') FROM audit WHERE act = 'reverse'"
            #expect(
                try await books.texts(records + " ORDER BY id") == [
                    "reverse|entry:\(entry)|not delivered|300", "reverse|entry:\(entry)|the rest too|290",
                ])
            try await console.house.expectSound()
        }
    }

    @Test func `a hold is released, and notes are kept in the history`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await console.buy()
            let hold = try await console.service.post("/v1/users/ann/holds", #"{"coins": 5}"#, key: "hold")
            let id = try #require(hold.json["hold"]["id"].integer)
            let browser = try await console.browser(as: "support-1")
            try await browser.open("/console/customers/ann/void/\(id)")
            let missing = try await browser.submit("/console/customers/ann/void/\(id)", [("reason", " ")])
            #expect(missing.status == 400 && missing.text.contains("Reason is required"), "\(missing)")
            try await browser.open("/console/customers/ann/void/\(id)")
            let done = try await browser.submit("/console/customers/ann/void/\(id)", [("reason", "match cancelled")])
            #expect(done.text.contains("The hold is released") && done.text.contains("match cancelled"), "\(done)")
            #expect(try await console.house.books.texts("SELECT status FROM hold") == ["voided"])
            let noted = try await browser.submit("/console/customers/ann/notes", [("text", "called twice")])
            #expect(noted.text.contains("called twice") && noted.text.contains("The note is added"), "\(noted)")
        }
    }

    @Test func `nothing that a customer, a colleague or a gateway writes is more than text on a page`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "1"]) { console in
            let evil = #"<script>alert(1)</script>"'&<img src=x onerror=alert(2)>"#
            let user = "\"><svg onload=alert(3)>'"
            let path = "/console/customers/" + Browser.encoded(user)
            let payment = try await console.gateway.pay("5000")
            #expect(try await console.service.present(payment, by: user).status == 201)
            let hold = try await console.service.post(
                path.replacing("/console/customers", with: "/v1/users") + "/holds",
                try Self.json(["reference": evil, "reason": evil], coins: 1), key: "h")
            #expect(hold.status == 201, "\(hold)")
            let browser = try await console.browser(as: "finance-1")
            try await browser.open(path)
            try await browser.submit("\(path)/notes", [("text", evil)])
            try await browser.open("\(path)/grant")
            try await browser.submit("\(path)/grant", [("coins", "5"), ("reason", evil)])
            let approval = try await console.house.books.count("SELECT id FROM approval")
            let pages = [
                path, "\(path)/grant", "/console/audit", "/console/approvals", "/console/approvals/\(approval)",
                "/console/search?q=" + Browser.encoded(evil), "/console/audit?person=" + Browser.encoded(evil),
            ]
            for page in pages {
                let answer = try await browser.open(page)
                #expect(answer.status == 200, "\(page): \(answer)")
                for tag in ["<script>", "<img", "<svg", "<b>", "onload=alert(3)>'", "\"'&<"] {
                    #expect(!answer.text.contains(tag), "\(page) has \(tag)")
                }
            }
            #expect(browser.page.text.contains("&lt;script&gt;"))
        }
    }

    /// The fields of a decision about a proposal, without the page that has its form.
    static func decision(_ reason: String, _ browser: Browser) throws -> [(String, String)] {
        [("token", try #require(browser.formToken)), ("reason", reason), ("once", Fresh.key)]
    }

    private static func json(_ texts: [String: String], coins: Int) throws -> String {
        let members = try texts.map { name, text in
            "\"\(name)\": \(String(decoding: try JSONEncoder().encode(text), as: UTF8.self))"
        }
        return "{\"coins\": \(coins), \(members.joined(separator: ", "))}"
    }
}
