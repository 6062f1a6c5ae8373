import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What stores are told of the coins of a purchase, and what is asked of them.
@Suite(.timeLimit(.minutes(20))) struct RefundAnswerTests {
    @Test func `used coins are told in thousandths of a percent, rounded down, and the rule follows`() {
        typealias Row = (
            coins: Int64, unused: Int64, expired: Int64, used: Int64, percentage: Int64, preference: RefundPreference
        )
        let rows: [Row] = [
            (100, 100, 0, 0, 0, .grantFull), (100, 0, 0, 100, 100_000, .decline),
            (100, 70, 0, 30, 30_000, .grantProrated),
            // Expired coins were not used.
            (100, 0, 40, 60, 60_000, .grantProrated), (100, 0, 100, 0, 0, .grantFull),
            (3, 2, 0, 1, 33_333, .grantProrated), (3, 1, 0, 2, 66_666, .grantProrated),
            (1_000_000, 1, 0, 999_999, 99_999, .grantProrated), (1_000_000, 999_999, 0, 1, 0, .grantFull),
            // All went back.
            (0, 0, 0, 0, 100_000, .decline), (Coins.most, 0, 0, Coins.most, 100_000, .decline),
        ]
        for row in rows {
            let coins = PurchasedCoins(coins: row.coins, unused: row.unused, expired: row.expired)
            #expect(coins.used == row.used, "\(row)")
            #expect(coins.percentage == row.percentage, "\(row)")
            let told = RefundAnswer(of: coins, overruledTo: nil, isUseTold: true)
            #expect(told == RefundAnswer(preference: row.preference, percentage: row.percentage), "\(row)")
            // What must not be told can't be seen in the preference either.
            for chosen in [nil, RefundPreference.grantProrated] {
                let untold = RefundAnswer(of: coins, overruledTo: chosen, isUseTold: false)
                #expect(untold == RefundAnswer(preference: .grantProrated, percentage: nil), "\(row)")
            }
        }
    }

    @Test(arguments: RefundPreference.allCases)
    func `a person's choice takes the place of the rule, but a part of nothing is not asked for`(
        _ chosen: RefundPreference
    ) {
        for (unused, part) in [(Int64(100), RefundPreference.grantFull), (70, .grantProrated), (0, .grantProrated)] {
            let answer = RefundAnswer(
                of: PurchasedCoins(coins: 100, unused: unused, expired: 0), overruledTo: chosen, isUseTold: true)
            #expect(answer.preference == (chosen == .grantProrated ? part : chosen))
            #expect(answer.percentage == (100 - unused) * 1000)
        }
    }

    @Test func `coins on hold and given coins are unused, and what the store gave back does not count`() async throws {
        try await TestLedger.with { ledger, _ in
            let bought = try await ledger.buy(.sample(1, payment: .sampleInStore(1), bonus: 0, won: 1000))
            func coins() async throws -> PurchasedCoins {
                try await ledger.refundQuestions.coins(
                    of: [try #require(try await ledger.purchases.find(bought.id))])[0]
            }
            #expect(try await coins() == PurchasedCoins(coins: 100, unused: 100, expired: 0))
            _ = try await ledger.submit(Spend.sample(coins: 30))
            _ = try await ledger.submit(PlaceHold.sample(coins: 20))
            // Nobody gives coins to a user who never had any.
            _ = try await ledger.submit(Grant.sample(to: "bob", coins: 1))
            _ = try await ledger.submit(Spend.sample("spend-bob", by: "bob", coins: 1))
            _ = try #require(try await ledger.submit(Gift.sample(coins: 10)).success)
            #expect(try await coins() == PurchasedCoins(coins: 100, unused: 70, expired: 0))
            _ = try await ledger.submit(Spend.sample("spend-2", by: "bob", coins: 4))
            #expect(try await coins() == PurchasedCoins(coins: 100, unused: 66, expired: 0))
            _ = try await ledger.submit(ClawBack.sample(of: bought, 200))
            #expect(try await coins() == PurchasedCoins(coins: 80, unused: 46, expired: 0))
        }
    }

    @Test func `bonus coins and other purchases do not count, and a lot that is used up is`() async throws {
        try await TestLedger.with { ledger, _ in
            let bought = try await ledger.buy(.sample(1, payment: .sampleInStore(1), bonus: 10))
            _ = try await ledger.buy(.sample(2, by: "cid", payment: .sampleInStore(2)))
            _ = try await ledger.submit(Spend.sample(coins: 110))
            let coins = try await ledger.refundQuestions.coins(of: [bought])[0]
            #expect(coins == PurchasedCoins(coins: 100, unused: 0, expired: 0))
            #expect(coins.percentage == 100_000)
        }
    }

    @Test func `coins that went back by bank transfer are used: the store must not give their money back too`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let bought = try await ledger.buy(.sample(1, payment: .sampleInStore(1), bonus: 0))
            func coins() async throws -> PurchasedCoins {
                try await ledger.refundQuestions.coins(
                    of: [try #require(try await ledger.purchases.find(bought.id))])[0]
            }
            _ = try await ledger.begin(.sample(of: bought.id, coins: 60, method: .bankTransfer))
            #expect(try await coins() == PurchasedCoins(coins: 100, unused: 40, expired: 0))
            // What the store gave back beside does not count.
            _ = try await ledger.submit(ClawBack.sample(of: bought, 200))
            let beside = try await coins()
            #expect(beside == PurchasedCoins(coins: 80, unused: 20, expired: 0))
            #expect(beside.percentage == 75_000)
            _ = try await ledger.begin(.sample("refund-2", of: bought.id, method: .bankTransfer))
            let all = try await coins()
            #expect(all == PurchasedCoins(coins: 80, unused: 0, expired: 0))
            #expect(RefundPreference(used: all.percentage) == .decline)
        }
    }
}
