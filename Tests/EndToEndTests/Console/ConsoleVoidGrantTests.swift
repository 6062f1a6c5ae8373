import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// How support takes back in the console what was granted by mistake.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleVoidGrantTests {
    /// Grants ann 50 coins, and returns the grant's entry with the address of its void.
    private static func grant(_ console: ConsoleHouse) async throws -> (entry: Int64, path: String) {
        let granted = try await console.service.post(
            "/v1/users/ann/grants", #"{"coins": 50, "reason": "campaign", "issuer": "spring"}"#, key: "grant")
        let entry = try #require(granted.json["grant"]["journal_entry_id"].integer, "\(granted)")
        return (entry, "/console/customers/ann/void-grant/\(entry)")
    }

    private static func hold(_ coins: Int64, _ console: ConsoleHouse) async throws {
        let held = try await console.service.post("/v1/users/ann/holds", #"{"coins": \#(coins)}"#, key: "hold")
        try #require(held.status == 201, "\(held)")
    }

    @Test func `a grant is voided by one person, in part and then whole, of what the page shows`() async throws {
        try await ConsoleHouse.open { console in
            let (entry, path) = try await Self.grant(console)
            try await Self.hold(10, console)
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await viewer.open(path).status == 403)
            #expect(try await !viewer.open("/console/customers/ann").text.contains(path))
            let support = try await console.browser(as: "support-1")
            let customer = try await support.open("/console/customers/ann")
            #expect(customer.text.contains(path), "\(customer)")
            #expect(customer.text.contains("<h1><span class=\"id\">ann</span></h1>"), "it has a button that copies it")
            #expect(try await support.open(path.replacing("/ann/", with: "/bob/")).status == 404)
            #expect(try await support.open("\(path)?coins=41").text.contains("The wallet has fewer coins of the grant"))
            #expect(try await support.open("\(path)?coins=").status == 400)
            let part = try await support.open("\(path)?coins=15")
            #expect(part.text.contains("spring") && part.text.contains("Only these"), "\(part)")
            #expect(part.text.contains("<dd>40</dd>") && part.text.contains("<dd>25</dd>"), "\(part)")
            let form = support.fields
            let done = try await support.submit(path, [("reason", "given twice")])
            #expect(done.status == 200 && done.text.contains("The coins are voided"), "\(done)")
            #expect(try await console.service.coins() == 35)
            // The same form again is the same act.
            let again = try await support.post(path, form + [("reason", "given twice")])
            #expect(again.status == 200 && again.text.contains("The coins are voided"), "\(again)")
            #expect(try await console.service.coins() == 35)

            // The customer spends of it with the page open.
            try await support.open(path)
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 5}"#, key: "spend")
            let spend = try #require(spent.json["spend"]["journal_entry_id"].integer, "\(spent)")
            let late = try await support.submit(path, [("reason", "a mistake")])
            #expect(late.status == 409 && late.text.contains("Check the new numbers"), "\(late)")
            #expect(try await console.service.coins() == 30)
            let rest = try await support.submit(path, [("reason", "a mistake")])
            #expect(rest.text.contains("The coins are voided"), "\(rest)")
            #expect(try await console.service.coins() == 10, "what is on hold")
            let none = try await support.open(path)
            #expect(none.text.contains("The wallet has fewer coins of the grant"), "\(none)")
            #expect(!none.text.contains("name=\"reason\""), "\(none)")

            // What comes back now is voided in the same act, and who takes it back is told before.
            let reversal = try await support.open("/console/customers/ann/reverse/\(spend)")
            #expect(
                reversal.text.contains("Of them of voided grants, and voided at once</dt><dd>5</dd>"), "\(reversal)")
            let back = try await console.service.post("/v1/spends/\(spend)/reversals", "{}", key: "back")
            #expect(back.status == 201 && back.json["balance"]["total"] == 10, "\(back)")
            let record = """
                SELECT concat_ws('|', subject, act, target, user_id, reason, seen->>'available', seen->>'grant_held',
                    seen->>'voided_before', seen->>'asked_coins', audit_outcome.outcome, detail->>'coins', detail->>'left')
                FROM audit JOIN audit_outcome ON audit_id = audit.id WHERE act = 'void-grant' ORDER BY audit.id
                """
            #expect(
                try await console.house.books.texts(record) == [
                    "support-1|void-grant|entry:\(entry)|ann|given twice|40|10|0|15|done|15|25",
                    "support-1|void-grant|entry:\(entry)|ann|a mistake|20|10|15|20|done|20|0",
                ])
            try await console.house.expectSound()
        }
    }

    @Test func `with what was voided before, more than the limit is proposed, and outdated by any change`() async throws
    {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "30"]) { console in
            let (entry, path) = try await Self.grant(console)
            let support = try await console.browser(as: "support-1")
            let small = try await support.open("\(path)?coins=20")
            #expect(!small.text.contains("another person has to approve it"), "\(small)")
            _ = try await support.submit(path, [("reason", "twice")])
            #expect(try await console.service.coins() == 30)
            // As small as the first, and with it above the limit.
            let more = try await support.open("\(path)?coins=20")
            #expect(more.text.contains("another person has to approve it"), "\(more)")
            let proposed = try await support.submit(path, [("reason", "more of it")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            #expect(try await console.service.coins() == 30)

            let finance = try await console.browser(as: "finance-1")
            let first = try await console.onlyProposal()
            #expect(try await finance.open(path).text.contains(first), "it stands on the page of the grant")
            let open = try await finance.open(first)
            #expect(open.text.contains("Approve: void") && open.text.contains("Afterwards"), "\(open)")
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "spend")
            try #require(spent.status == 201, "\(spent)")
            let late = try await finance.submit("\(first)/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await console.service.coins() == 29)

            try await support.open(path)
            try await support.submit(path, [("reason", "all of it")])
            let second = try await console.newestProposal()
            try await finance.open(second)
            let done = try await finance.submit("\(second)/approve", [("reason", "checked")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins() == 0)
            let books = console.house.books
            #expect(try await books.texts("SELECT is_voided::text FROM lot") == ["true"], "it was of all")
            let voids = "SELECT count(*) FROM journal_entry WHERE kind = 'grant_void' AND reverses = \(entry)"
            #expect(try await books.count(voids) == 2)
            try await console.house.expectSound()
        }
    }

    @Test func `a proposed void of all takes as many coins as were decided about, and no others`() async throws {
        try await ConsoleHouse.open { console in
            let entry = try await Self.grant(console).entry
            // Stored by hand, without what was seen.
            try await console.house.books.execute(
                """
                INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
                VALUES ('1', 'void-grant', 'entry:\(entry)', 'ann', '{"grant": \(entry), "coins": 20, "whole": true}', '{}',
                    'r', 'kim', 'Kim')
                """)
            let finance = try await console.browser(as: "finance-1")
            let path = try await console.onlyProposal()
            try await finance.open(path)
            let late = try await finance.submit("\(path)/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await console.service.coins() == 50)
        }
    }

    @Test func `of forty forms at once no more is voided than one person may void`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "12"]) { console in
            let path = try await Self.grant(console).path
            let support = try await console.browser(as: "support-1")
            try await support.open("\(path)?coins=5")
            let (cookies, token) = (support.cookies, try #require(support.formToken))
            let statuses = try await together(40) { _ in
                let one = Browser(at: console, cookies: cookies)
                let form = [("coins", "5"), ("extent", "part"), ("available", "50"), ("reason", "part")]
                return try await one.post(path, form + [("token", token), ("once", Fresh.key)]).status
            }
            #expect(statuses.count { $0 == 200 } == 1 && statuses.allSatisfy { $0 == 200 || $0 == 409 }, "\(statuses)")
            #expect(try await console.service.coins() == 45)
            try await console.house.expectSound()
        }
    }

    @Test func `a form without its number, its extent or what it showed does nothing`() async throws {
        try await ConsoleHouse.open { console in
            let path = try await Self.grant(console).path
            let support = try await console.browser(as: "support-1")
            try await support.open(path)
            let token = try #require(support.formToken)
            for (form, status) in [
                ([("extent", "all"), ("available", "50")], 400), ([("coins", "50"), ("available", "50")], 400),
                ([("coins", "50"), ("extent", "whole"), ("available", "50")], 400),
                ([("coins", "50"), ("extent", "all")], 409),
                ([("coins", "40"), ("extent", "all"), ("available", "50")], 409),
                ([("coins", "51"), ("extent", "part"), ("available", "50")], 422),
            ] {
                let fields = [("token", token), ("once", Fresh.key), ("reason", "r")] + form
                let answer = try await support.post(path, fields)
                #expect(answer.status == status, "\(form): \(answer)")
            }
            #expect(try await console.service.coins() == 50)
            #expect(try await console.house.books.count("SELECT count(*) FROM approval") == 0)
        }
    }
}
