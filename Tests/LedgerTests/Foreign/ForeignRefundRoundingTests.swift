import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What is rounded once over the refunds of a payment in a foreign currency: its fees, and its expired coins (docs/decisions/0230).
@Suite(.timeLimit(.minutes(20))) struct ForeignRefundRoundingTests {
    @Test func `the fee is no less if a refund is split, and what was waived is not made up for`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 200, at: rate, coins: 200))
            var (paid, kept) = (Int64(0), Int64(0))
            for number in 0..<12 {
                let waiver = number == 5 ? "our mistake" : nil
                let known = try #require(try await ledger.purchases.find(purchase.id))
                let policy = RefundPolicy(feePercent: 10)
                let quote = try await ledger.refunds.quote(
                    for: Coins(9), of: known, policy: policy, isWaived: waiver != nil)
                let refund = try await ledger.begin(
                    .sample("part-\(number)", of: purchase.id, coins: 9, policy: policy, feeWaiver: waiver))
                #expect(quote.foreign == refund.foreign, "\(number)")
                _ = try await ForeignRefundTests.complete(refund, on: ledger)
                guard waiver == nil else {
                    #expect(refund.paidFee == 0)
                    continue
                }
                paid += refund.paidValue
                kept += refund.paidFee
                #expect(kept == paid / 10, "\(number): \(kept) of \(paid)")
            }
            #expect(kept > 5)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins of one yen are refunded one by one, and the fee is never all of a refund`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("951", per: 100, of: "JPY")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 100, at: rate, coins: 100))
            let policy = RefundPolicy(feePercent: 10)
            func refund(_ key: String, coins: Int64) async throws -> Refund {
                let known = try #require(try await ledger.purchases.find(purchase.id))
                let quote = try await ledger.refunds.quote(for: Coins(coins), of: known, policy: policy)
                #expect(quote.refusal == nil, "\(key): \(quote)")
                let refund = try await ledger.begin(.sample(key, of: purchase.id, coins: coins, policy: policy))
                #expect(quote.foreign == refund.foreign, "\(key)")
                _ = try await ForeignRefundTests.complete(refund, on: ledger)
                return refund
            }
            for number in 1...10 {
                let one = try await refund("one-\(number)", coins: 1)
                #expect(one.paidBack == 1 && one.paidFee == 0, "\(number)")
            }
            let ten = try await refund("ten", coins: 10)
            #expect(ten.paidBack == 9 && ten.paidFee == 1, "\(ten)")
            try await Audit.expectSound(test)
        }
    }

    @Test func `expired coins are refunded for their share, in cents`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let act = CreditPurchase.sample(
                payment: .sample(), at: rate, expiresAt: Date(timeIntervalSinceNow: -60))
            let purchase = try await ledger.buy(act)
            try await ledger.expireLots(of: purchase.user)
            let policy = RefundPolicy(feePercent: 10, expired: ExpiredCoinRule(days: 30, percent: 90))
            let refund = try await ledger.begin(.sample(of: purchase.id, policy: policy))
            #expect(refund.expired == Refund.ExpiredPart(coins: 100, value: 1374, fee: 125), "\(refund)")
            #expect(refund.paidBack == 90 && refund.paidFee == 9 && refund.feeRule == .expired, "\(refund)")
            _ = try await ForeignRefundTests.complete(refund, on: ledger)
            #expect(try await ForeignRefundTests.open(in: test) == [9, 9, 125])
            try await Audit.expectSound(test)
        }
    }

    /// ₩20 are 1.44 cents.
    @Test func `a person gets at least the share of the price of expired coins`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(
                .sample(
                    payment: .sample(), paying: 1000, at: rate, coins: 693,
                    expiresAt: Date(timeIntervalSinceNow: -60)))
            try await ledger.expireLots(of: purchase.user)
            let policy = RefundPolicy(feePercent: 0, expired: ExpiredCoinRule(days: 30, percent: 90))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 1, policy: policy))
            #expect(refund.expired?.value == 20 && refund.paidBack == 2 && refund.paidFee == 0, "\(refund)")
            #expect(refund.value == 27, "⌊13,874 × 2 ÷ 1000⌋")
            _ = try await ForeignRefundTests.complete(refund, on: ledger)
            let rest = try await ledger.begin(.sample("rest", of: purchase.id, policy: policy))
            #expect(rest.paidValue == 997 && rest.paidFee == 99, "\(rest)")
            _ = try await ForeignRefundTests.complete(rest, on: ledger)
            try await Audit.expectSound(test)
        }
    }

    /// Five coins are ₩5, 0.4 cents.
    @Test func `expired coins in many small parts give no more than at once`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(
                .sample(
                    payment: .sample(), paying: 720, at: rate, coins: 9000,
                    expiresAt: Date(timeIntervalSinceNow: -60)))
            try await ledger.expireLots(of: purchase.user)
            let policy = RefundPolicy(feePercent: 0, expired: ExpiredCoinRule(days: 30, percent: 90))
            let atOnce = try await ledger.refunds.quote(for: Coins(1000), of: purchase, policy: policy)
            #expect(atOnce.paidValue == 80 && atOnce.paidFee == 8, "\(atOnce)")
            var (asked, value, back) = (Int64(0), Int64(0), Int64(0))
            for number in 0..<200 {
                asked += 5
                let answer = try await ledger.submit(
                    BeginRefund.sample("part-\(number)", of: purchase.id, coins: asked, policy: policy))
                guard let refund = answer.begun else {
                    #expect(answer.refusal == .nothingToRefund, "\(number)")
                    continue
                }
                _ = try await ForeignRefundTests.complete(refund, on: ledger)
                (asked, value, back) = (0, value + refund.paidValue, back + refund.paidBack)
            }
            #expect(value <= atOnce.paidValue && back >= atOnce.paidBack - 1, "\(value), \(back)")
            try await Audit.expectSound(test)
        }
    }

    /// 31 cents were refunded for a fee of 3 before, and 9 and 10 cents follow.
    @Test func `the unused coins of a refund that takes expired ones, too, have a fee by themselves`() async throws {
        let end = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        try await TestLedger.with(at: end - 60) { ledger, test, clock in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 100, at: rate, expiresAt: end))
            let spent = try await ledger.submit(Spend.sample(coins: 40)).redeemed
            try await clock.set(to: end + 1)
            try await ledger.expireLots(of: purchase.user)
            // 40 come back and can be used for an hour; 60 stay expired.
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent, grace: 3600))
            let policy = RefundPolicy(feePercent: 10, expired: ExpiredCoinRule(days: 30, percent: 90))
            let parts: [(coins: Int64, value: Int64, fee: Int64)] = [(9, 9, 0), (22, 22, 3), (19, 19, 1)]
            for part in parts {
                let refund = try await ledger.begin(
                    .sample("of-\(part.coins)", of: purchase.id, coins: part.coins, policy: policy))
                #expect(refund.paidValue == part.value && refund.paidFee == part.fee, "\(refund)")
                _ = try await ForeignRefundTests.complete(refund, on: ledger)
            }
            try await Audit.expectSound(test)
        }
    }
}
