import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// How support makes two accounts of one person one, in the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleMergeTests {
    private static let path = "/console/customers/ann/merge"

    /// Grants ann and bob coins.
    private static func grant(_ coins: Int, _ console: ConsoleHouse) async throws {
        for (name, count) in [("ann", coins), ("bob", 5)] {
            let granted = try await console.service.post(
                "/v1/users/\(name)/grants", #"{"coins": \#(count), "reason": "campaign"}"#, key: "grant-\(name)")
            try #require(granted.status == 201, "\(granted)")
        }
    }

    @Test func `a customer is merged by one person, and both pages lead to each other`() async throws {
        try await ConsoleHouse.open { console in
            try await Self.grant(50, console)
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await viewer.open(Self.path).status == 403)
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/customers/ann").text.contains(Self.path))
            let first = try await support.open(Self.path)
            #expect(!first.text.contains("name=\"reason\""), "\(first)")
            _ = try await support.open("\(Self.path)?into=nobody")
            let slip = try await support.submit(Self.path, [("reason", "a slip")])
            #expect(slip.status == 422, "\(slip)")
            let shown = try await support.open("\(Self.path)?into=bob")
            #expect(shown.text.contains("<dd>50</dd>") && shown.text.contains("<dd>5</dd>"), "\(shown)")
            #expect(shown.text.contains("There is no way back"), "\(shown)")
            let done = try await support.submit(Self.path, [("reason", "two sign-ins")])
            #expect(done.status == 200 && done.text.contains("The customers are one"), "\(done)")
            #expect(done.text.contains("This customer was merged into") && !done.text.contains(Self.path), "\(done)")
            #expect(try await console.service.coins(of: "bob") == 55)
            #expect(try await support.open("/console/customers/bob").text.contains("Formerly also"))
            let record = """
                SELECT concat_ws('|', subject, act, target, user_id, reason, seen->>'bonus', seen->>'asked_into',
                    audit_outcome.outcome, detail->>'coins')
                FROM audit JOIN audit_outcome ON audit_id = audit.id
                WHERE act = 'merge-user' AND audit_outcome.outcome = 'done'
                """
            #expect(
                try await console.house.books.texts(record) == [
                    "support-1|merge-user|user:ann|ann|two sign-ins|50|bob|done|50"
                ])
            try await console.house.expectSound()
        }
    }

    @Test func `what a customer did under the old id is on the page, and is taken back under both`() async throws {
        try await ConsoleHouse.open { console in
            try await Self.grant(50, console)
            let spent = try await console.service.post("/v1/users/ann/spends", #"{"coins": 20}"#, key: "spend")
            try #require(spent.status == 201, "\(spent)")
            let entry = try await console.house.books.count("SELECT id FROM journal_entry WHERE kind = 'spend'")
            let merged = try await console.service.post(
                "/v1/users/ann/merge", #"{"into": "bob", "reason": "two sign-ins"}"#, key: "merge")
            try #require(merged.status == 201, "\(merged)")
            let support = try await console.browser(as: "support-1")
            let page = try await support.open("/console/customers/bob")
            #expect(page.text.contains("/console/customers/bob/reverse/\(entry)"), "\(page)")
            for name in ["bob", "ann"] {
                let path = "/console/customers/\(name)/reverse/\(entry)"
                #expect(try await support.open(path).status == 200, "\(name)")
                _ = try await support.submit(path, [("coins", "10"), ("reason", "a mistake")])
            }
            #expect(try await console.service.coins(of: "bob") == 55)
            try await console.house.expectSound()
        }
    }

    @Test func `what was proposed for a customer who is merged is done to the other one, and a merge to nobody`()
        async throws
    {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "30"]) { console in
            try await Self.grant(50, console)
            let support = try await console.browser(as: "support-1")
            let finance = try await console.browser(as: "finance-1")
            try await support.open("/console/customers/ann/grant")
            _ = try await support.submit("/console/customers/ann/grant", [("coins", "40"), ("reason", "a gift")])
            let grant = try await console.onlyProposal()
            let merged = try await console.service.post(
                "/v1/users/ann/merge", #"{"into": "bob", "reason": "two sign-ins"}"#, key: "merge")
            try #require(merged.status == 201, "\(merged)")
            #expect(try await finance.open(grant).text.contains("/console/customers/bob"))
            let done = try await finance.submit("\(grant)/approve", [("reason", "asked the customer")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins(of: "bob") == 95)

            _ = try await support.open("/console/customers/bob/merge?into=u-1&new=yes")
            _ = try await support.submit("/console/customers/bob/merge", [("reason", "new ids")])
            let rename = try await console.newestProposal()
            let renamed = try await console.service.post(
                "/v1/users/bob/merge", #"{"into": "u-2", "new_user": true, "reason": "new ids"}"#, key: "rename")
            try #require(renamed.status == 201, "\(renamed)")
            _ = try await finance.open(rename)
            let late = try await finance.submit("\(rename)/approve", [("reason", "asked the customer")])
            #expect(!late.text.contains("It is approved and carried out"), "\(late)")
            #expect(try await console.service.coins(of: "u-2") == 95)
            try await console.house.expectSound()
        }
    }

    @Test func `a customer with many coins is renamed by two people`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "30"]) { console in
            try await Self.grant(50, console)
            let support = try await console.browser(as: "support-1")
            // Who has few coins gets the many of the other one by it.
            let into = try await support.open("/console/customers/bob/merge?into=ann")
            #expect(into.text.contains("Ask for approval: merge"), "\(into)")
            let shown = try await support.open("\(Self.path)?into=u-1&new=yes")
            #expect(shown.text.contains("Ask for approval: merge"), "\(shown)")
            let proposed = try await support.submit(Self.path, [("reason", "new ids")])
            #expect(proposed.status == 200, "\(proposed)")
            #expect(try await console.service.coins() == 50)
            let proposal = try await console.onlyProposal()
            let finance = try await console.browser(as: "finance-1")
            let page = try await finance.open(proposal)
            #expect(page.text.contains("Approve: merge") && page.text.contains("u-1"), "\(page)")
            let done = try await finance.submit("\(proposal)/approve", [("reason", "asked the customer")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins(of: "u-1") == 50)
            #expect(try await console.house.books.count("SELECT count(*) FROM user_merge WHERE is_rename") == 1)
            try await console.house.expectSound()
        }
    }
}
