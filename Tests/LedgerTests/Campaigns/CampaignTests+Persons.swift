import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Users with several ids: a person gets the coins once.
extension CampaignTests {
    @Test func `a person gets the coins once, under whichever id, and they are counted where the person is now`()
        async throws
    {
        try await Self.with(for: Self.users("ann", "bob")) { ledger, test, id in
            try await ledger.runCampaign(id)
            for user in ["cat", "dan", "eve", "fay"] {  // of all stripes
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
            }
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "cat"))
            _ = try await ledger.submit(Spend.sample(by: "cat", coins: 7))
            // Whoever posts for cat has the lock of cat's stripe alone.
            let ofCat = "FROM campaign_sum WHERE stripe = (SELECT stripe FROM account WHERE code = 'wallet:cat:bonus')"
            #expect(try await test.number("SELECT sum(given - remaining)::bigint \(ofCat)") == 7)
            _ = try await ledger.submit(MergeUsers.sample("m-2", "bob", into: "dan"))
            let more = try await ledger.campaigns.add(Self.users("cat", "dan", "eve"), to: id).get()
            #expect(more.added == 1 && more.present == 2)
            let both = try await ledger.campaigns.add(Self.users("ann", "cat", "gil"), to: id, isDryRun: true).get()
            #expect(both.added == 1)
            try await ledger.runCampaign(id)
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 3 && campaign.progress.given == 30 && campaign.progress.refused == 0)
            #expect(try await ledger.balances.find(of: .named("dan")).total == 11)
            // What was reserved for a user who is merged before it is given is the other one's.
            _ = try await ledger.campaigns.add(Self.users("gus"), to: id).get()
            _ = try await ledger.submit(Grant.sample("meet-gus", to: "gus", coins: 1))
            let round = try await Self.reserve(1, of: id, ledger)
            _ = try await ledger.submit(MergeUsers.sample("m-3", "gus", into: "fay"))
            #expect(try await ledger.submit(try #require(round.acts.first)).success?.coins == 10)
            try await ledger.campaignRuns.finish(round, refused: [])
            #expect(try await ledger.balances.find(of: .named("fay")).total == 12)
            let lot = try #require(
                try await ledger.lots.list(of: .named("dan"), limit: 10).elements.first { $0.coins == 10 })
            _ = try await ledger.submit(VoidGrant.sample(of: lot))
            #expect(try await test.number("SELECT sum(voided)::bigint FROM campaign_sum") == 10)
        }
    }

    @Test func `what is reserved for two ids of a person is given once, and the rest is free again`() async throws {
        try await Self.with(for: Self.users("ann", "bob", "cat", "dan")) { ledger, test, id in
            for user in ["ann", "bob", "cat", "dan", "eve", "fay"] {
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
            }
            let round = try await Self.reserve(4, of: id, ledger)
            // One is listed under both ids, one under two that are former ones.
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "bob"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "cat", into: "eve"))
            _ = try await ledger.submit(MergeUsers.sample("m-3", "dan", into: "eve"))
            for act in round.acts { #expect(try await ledger.submit(act).success?.coins == 10) }
            // The next process finds them with another id.
            _ = try await ledger.submit(MergeUsers.sample("m-4", "eve", into: "fay"))
            for act in round.acts { #expect(try await ledger.submit(act).isRepeat) }
            try await ledger.campaignRuns.finish(round, refused: [(user: .named("cat"), code: "fault")])
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 2 && campaign.progress.refused == 2 && campaign.progress.asked == 20)
            let refused = "SELECT sum(number)::bigint FROM campaign_user WHERE refusal = 'already_claimed'"
            #expect(try await test.number(refused) == 1 + 4, "ann and dan")
            #expect(try await test.number("SELECT reserved FROM campaign") == 20)
        }
    }

    @Test func `what is reserved for an id of a person is given, also if another of their ids still waits`()
        async throws
    {
        let users = Self.users("ann", "bob", "cat", "dan")
        try await Self.with(.sample(budget: 40), for: users) { ledger, test, id in
            for user in ["ann", "cat"] { _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1)) }
            let round = try await Self.reserve(2, of: id, ledger)
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "cat"))
            for act in round.acts { #expect(try await ledger.submit(act).success?.coins == 10) }
            try await ledger.campaignRuns.finish(round, refused: [(user: .named("ann"), code: "fault")])
            let numbers = "SELECT sum(number)::bigint FROM campaign_user WHERE refusal = 'already_claimed'"
            #expect(try await test.number(numbers) == 3, "cat, for whom nothing was reserved")
            try await ledger.runCampaign(id)
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 3 && campaign.progress.refused == 1 && campaign.progress.asked == 30)
            #expect(try await test.number("SELECT reserved FROM campaign") == 30)
            #expect(try await ledger.balances.find(of: .named("cat")).total == 12)
        }
    }

    @Test func `what was claimed for two ids of a person is free again beyond the one grant, or both without it`()
        async throws
    {
        try await Self.with(.sample(budget: 50, code: "SPRING"), for: []) { ledger, test, id in
            for user in ["ann", "bob", "cat", "dan"] {
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
                #expect(try await ledger.campaigns.claim("SPRING", for: .named(user)) == .success(id))
            }
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "bob"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "cat", into: "dan"))
            let act = GrantFromCampaign(campaign: id, user: .named("bob"))
            #expect(try await ledger.submit(act).success?.coins == 10)
            #expect(try await ledger.submit(act).isRepeat)
            for _ in 1...2 {
                try await ledger.campaigns.release(id, of: .named("bob"), because: "already_claimed")
                #expect(try await test.number("SELECT reserved FROM campaign") == 30, "ann's is free")
            }
            try await ledger.campaigns.release(id, of: .named("dan"), because: "account_full")
            #expect(try await test.number("SELECT reserved FROM campaign") == 10, "cat's and dan's are free")
            // Dan claims later, and finds what was reserved for a former id when an answer was lost.
            #expect(try await ledger.campaigns.claim("SPRING", for: .named("dan")) == .success(id))
            _ = try await ledger.submit(Grant.sample("meet-eve", to: "eve", coins: 1))
            _ = try await ledger.submit(MergeUsers.sample("m-3", "dan", into: "eve"))
            #expect(try await ledger.campaigns.claim("SPRING", for: .named("eve")) == .success(id))
            try await ledger.campaigns.release(id, of: .named("eve"), because: "account_full")
            #expect(try await test.number("SELECT reserved FROM campaign") == 10)
        }
    }
}
