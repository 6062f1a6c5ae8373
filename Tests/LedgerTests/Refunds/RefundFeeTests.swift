import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// Which rule sets the fee of a refund.
@Suite(.timeLimit(.minutes(20))) struct RefundFeeTests {
    private static let bought = Date(timeIntervalSince1970: 1_767_279_600)  // 2026-01-02 00:00 in Seoul
    private static let seoul = TimeZone(identifier: "Asia/Seoul") ?? .gmt

    @Test(
        arguments: [
            // The day of the purchase does not count, and the seventh day after it counts whole.
            (7.99, true, false, 0, RefundFeeRule.freeDays), (8.0, true, false, 100, .percentage),
            (0.5, false, false, 100, .percentage), (30, true, true, 0, .waived),
        ] as [(Double, Bool, Bool, Int64, RefundFeeRule)])
    func `free days end with their last day, and only unused purchases have them`(
        days: Double, isUnused: Bool, isWaived: Bool, fee: Int64, rule: RefundFeeRule
    ) {
        let policy = RefundPolicy(feePercent: 10, freeDays: 7, timeZone: Self.seoul)
        let found = policy.fee(
            of: 1000, purchasedAt: Self.bought, isUnused: isUnused, isWaived: isWaived,
            at: Self.bought.addingTimeInterval(days * 86_400))
        #expect(found.fee == fee && found.rule == rule)
    }

    @Test(
        arguments: [
            (1000, 50, 100, RefundFeeRule.percentage), (1000, 300, 300, .minimum), (200, 300, 199, .minimum),
            (1, 300, 0, .percentage), (0, 300, 0, .percentage),
        ] as [(Int64, Int64, Int64, RefundFeeRule)])
    func `the fee is the percentage or the minimum, and the payer always gets something`(
        value: Int64, minimum: Int64, fee: Int64, rule: RefundFeeRule
    ) {
        let policy = RefundPolicy(feePercent: 10, minimumFee: minimum)
        let found = policy.fee(
            of: value, purchasedAt: Self.bought, isUnused: true, isWaived: false, at: Self.bought)
        #expect(found.fee == fee && found.rule == rule)
    }

    @Test(
        arguments: [
            // A fee is never the whole value.
            (9, 0, 0), (9, 9, 1), (9, 18, 1), (9, 1000, 0), (11, 900, 1), (10, 0, 1), (1, 9, 0), (2, 9, 1), (0, 9, 0),
        ] as [(Int64, Int64, Int64)])
    func `parts of a cent add up over the refunds of a purchase`(
        value: Int64, before: Int64, fee: Int64
    ) throws {
        let found = RefundPolicy(feePercent: 10).fee(
            of: value, in: Currency(.named("USD")), after: before,
            purchasedAt: Self.bought, isUnused: false, isWaived: false, at: Self.bought)
        #expect(found.fee == fee && found.rule == .percentage)
    }

    @Test func `coins that expired were not used, so the days stay free`() async throws {
        try await TestLedger.with { ledger, _ in
            let credited = try #require(
                try await ledger.credit(.sample(bonusExpiresAt: Date(timeIntervalSinceNow: -60))).credited)
            let policy = RefundPolicy(feePercent: 10, freeDays: 7)
            func rule() async throws -> RefundFeeRule? {
                let purchase = try #require(try await ledger.purchases.find(credited.purchase.id))
                return try await ledger.refunds.quote(for: nil, of: purchase, policy: policy, isWaived: false).feeRule
            }
            #expect(try await rule() == .freeDays)
            let lots = try await ledger.lots.list(of: credited.purchase.user, limit: 9).elements
            let lot = try #require(lots.first { $0.kind == .bonus })
            _ = try await ledger.submit(ExpireLot(user: credited.purchase.user, lotID: lot.id))
            #expect(try await rule() == .freeDays, "the bonus coins have expired by now")
        }
    }

    @Test func `the rule is quoted and kept with the refund, and a waiver with its reason`() async throws {
        try await TestLedger.with { ledger, test in
            let policy = RefundPolicy(feePercent: 10, minimumFee: 150, freeDays: 7)
            let bought = try await ledger.buy(.sample())
            func begin(_ key: String, coins: Int64, waiver: String? = nil) async throws -> Refund {
                let purchase = try #require(try await ledger.purchases.find(bought.id))
                let quote = try await ledger.refunds.quote(
                    for: Coins(coins), of: purchase, policy: policy, isWaived: waiver != nil)
                let refund = try await ledger.begin(
                    .sample(key, of: purchase.id, by: purchase.user, coins: coins, policy: policy, feeWaiver: waiver))
                #expect(quote.fee == refund.fee && quote.feeRule == refund.feeRule, "\(quote)")
                _ = try await ledger.submit(CompleteRefund.sample(refund))
                return try #require(try await ledger.refunds.find(refund.id))
            }
            let first = try await begin("free", coins: 10)
            #expect(first.fee == 0 && first.feeRule == .freeDays && first.feeWaiver == nil)
            let second = try await begin("still free", coins: 10)
            #expect(second.feeRule == .freeDays, "refunded coins were not used")
            _ = try await ledger.submit(Spend.sample(coins: 1))
            let third = try await begin("used", coins: 20)
            #expect(third.fee == 150 && third.feeRule == .minimum)
            let fourth = try await begin("waived", coins: 20, waiver: "our mistake")
            #expect(fourth.fee == 0 && fourth.feeRule == .waived && fourth.feeWaiver == "our mistake")
            try await Audit.expectSound(test)
        }
    }

    @Test func `another waiver is another request`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = try await ledger.buy(.sample())
            func begin(_ waiver: String?) async throws -> Answer<RefundBegun> {
                try await ledger.submit(
                    BeginRefund.sample("a", of: purchase.id, by: purchase.user, feeWaiver: waiver))
            }
            let first = try await begin("ours")
            #expect(try await begin("ours").begun == first.begun)
            #expect(try await begin(nil).refusal == .idempotencyKeyReused)
            #expect(try await begin("theirs").refusal == .idempotencyKeyReused)
        }
    }
}
