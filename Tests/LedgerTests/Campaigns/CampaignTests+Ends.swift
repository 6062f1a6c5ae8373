import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What becomes of the coins, and how they are taken back.
extension CampaignTests {
    @Test func `a void takes what is left of each lot, and nothing is given afterwards`() async throws {
        let users = Self.users("ann", "bob", "cat", "dan")
        try await Self.with(.sample(budget: 30), for: users) { ledger, test, id in
            try await ledger.runCampaign(id)
            let part = try await ledger.submit(Spend.sample("a", by: "ann", coins: 4)).redeemed
            let all = try await ledger.submit(Spend.sample("all", by: "cat", coins: 10)).redeemed
            let held = try await ledger.submit(PlaceHold.sample("b", by: "bob", coins: 7)).placed
            #expect(try await ledger.campaigns.void(id, because: "wrong users", by: "kim"))
            let act = GrantFromCampaign(campaign: id, user: .named("dan"))
            #expect(try await ledger.submit(act).refusal == .campaignClosed)
            try await ledger.runCampaign(id)
            var campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.status == .voided && campaign.statusReason == "wrong users")
            #expect(campaign.progress.used == 14 && campaign.progress.voided == 9 && campaign.progress.remaining == 7)
            #expect(try await test.total("coins:promotions") == 21)
            // What comes back into a grant that was voided is voided, too.
            _ = try await ledger.submit(ReverseRedemption.sample("r-1", of: part))
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.voided == 13 && campaign.progress.remaining == 7)
            // What a hold returns, or comes back into one that was used up, is voided when the campaign is voided again.
            _ = try await ledger.submit(ReverseRedemption.sample("r-2", of: all))
            _ = try await ledger.submit(VoidHold.sample("c", of: sure(held).hold.id, by: "bob"))
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.used == 0 && campaign.progress.remaining == 17)
            #expect(try await ledger.campaigns.void(id, because: "again", by: "kim"))
            try await ledger.runCampaign(id)
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.voided == 30 && campaign.progress.remaining == 0)
            let told = ["campaign.created", "campaign.paused", "campaign.voided", "campaign.voided"]
            #expect(try await Self.told(ledger) == told)
        }
    }

    @Test func `coins that were given to others are used, and no void reaches them`() async throws {
        try await Self.with(.sample(canBeMoved: true), for: Self.users("ann", "bob")) { ledger, _, id in
            try await ledger.runCampaign(id)
            _ = try await ledger.submit(Gift.sample(coins: 4))
            _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim")
            try await ledger.runCampaign(id)
            let progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 4 && progress.voided == 16 && progress.remaining == 0)
            #expect(try await ledger.balances.find(of: .named("bob")).total == 4)
        }
    }

    @Test func `coins that were used, that expired or that paid a debt are told apart`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let id = try await ledger.make(.sample(endsAt: start + 3600, coinDays: 1))
            let purchase = CreditPurchase.sample(by: "ivy", bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample("all", by: "ivy", coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.campaigns.add(Self.users("ann", "bob", "ivy"), to: id).get()
            try await ledger.runCampaign(id)
            _ = try await ledger.submit(Spend.sample("part", by: "ann", coins: 4))
            var progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 14 && progress.remaining == 16 && progress.expectedUse(of: 16) == 16)
            try await clock.set(to: start + 90_000)
            try await ledger.expireLots()
            progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 14 && progress.expired == 16 && progress.remaining == 0)
            #expect(progress.expectedUse(of: 100) == 46)
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .ended)
            #expect(try await ledger.make(.sample(endsAt: start + 3600, coinDays: 1)) == id, "a repeat is the same")
            #expect(try await ledger.campaigns.add(Self.users("dan"), to: id) == .failure(.closed))
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was reserved is not given after a void`() async throws {
        try await Self.with(for: Self.users("ann")) { ledger, test, id in
            let round = try await Self.reserve(1, of: id, ledger)
            _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim")
            #expect(try await ledger.submit(round.acts[0]).refusal == .campaignClosed)
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .voided)
            #expect(try await test.number("SELECT count(*) FROM lot") == 0)
        }
    }
}
