import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What others have to do with who is forgotten: campaigns and gifts.
extension ForgettingTests {
    @Test func `a user on the list of a campaign waits until it gave or has ended`() async throws {
        try await TestLedger.with { ledger, _ in
            let id = try await ledger.make(.sample())
            _ = try await ledger.campaigns.add([CampaignUser(.named(Self.id))], to: id).get()
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["campaign"])
            let run = try #require(try await ledger.campaignRuns.takeDue(limit: 1, lease: .zero).first)
            _ = try await ledger.campaignRuns.next(of: run, most: 5)
            _ = try await ledger.submit(GrantFromCampaign(campaign: id, user: .named(Self.id)))
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["coins"])
        }
    }

    @Test func `a claim that nobody finished keeps no user, and its coins are free again`() async throws {
        try await TestLedger.with { ledger, test in
            let id = try await ledger.make(.sample(budget: 30, code: "SPRING"))
            _ = try await ledger.submit(Grant.sample("g", to: "lee"))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            for user in [Self.id, "lee"] {
                #expect(try await ledger.campaigns.claim("SPRING", for: .named(user)) == .success(id))
            }
            #expect(try await ledger.forgettings.open(of: .named(Self.id)).isEmpty)
            let user = try await Self.forget(ledger, test)
            #expect(try await test.number("SELECT reserved FROM campaign") == 10, "lee's")
            let freed = "user_id = '\(user.rawValue)' AND refusal = 'user_forgotten'"
            #expect(try await test.number("SELECT count(*) FROM campaign_user WHERE \(freed)") == 1)
        }
    }

    @Test func `an id in a campaign's name is replaced in the name and in its lots alike`() async throws {
        try await TestLedger.with { ledger, test in
            let id = try await ledger.make(.sample())
            _ = try await ledger.submit(Grant.sample("g", to: "lee", issuer: "for \(Self.id)"))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                "SET session_replication_role = replica; UPDATE campaign SET name = 'for \(Self.id)' WHERE id = \(id)")
            let user = try await Self.forget(ledger, test)
            let alike = "SELECT count(*) FROM lot JOIN campaign ON name = issuer WHERE name = 'for \(user.rawValue)'"
            #expect(try await test.number(alike) == 1)
        }
    }

    @Test func `the reasons of gifts go from the entries of both users`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, by: Self.id, bonus: 0))
            _ = try await ledger.submit(Grant.sample(to: "lee", coins: 1))
            _ = try await ledger.submit(Gift.sample("1", from: Self.id, to: "lee", coins: 60, reason: "my dear"))
            _ = try await ledger.submit(Gift.sample("2", from: "lee", to: Self.id, coins: 10, reason: "dear, thanks"))
            _ = try await ledger.submit(Spend.sample("rest", by: Self.id, coins: 50))
            _ = try await ledger.buy(.sample(2, by: "mia", bonus: 0))
            _ = try await ledger.submit(Gift.sample("3", from: "mia", to: "lee", coins: 1, reason: "not theirs"))
            let key = SealKey()
            let seal = try #require(try await ledger.seals.make(with: key)).seal
            _ = try await Self.forget(ledger, test)
            let told = "SELECT count(*) FROM journal_entry WHERE kind LIKE 'gift_%' AND reason"
            #expect(try await test.number("\(told) LIKE '%dear%'") == 0)
            #expect(try await test.number("\(told) = '(erased)'") == 4)
            #expect(try await test.number("\(told) = 'not theirs'") == 2)
            try await Audit.expectSound(test)
            let found = try await Doctor(try .unhurried(test.serviceURL))
                .examine(against: seal, trusting: key.publicKey).findings
            #expect(found.isEmpty, "\(found)")
        }
    }
}
