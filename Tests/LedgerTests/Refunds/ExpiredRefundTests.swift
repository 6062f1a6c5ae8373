import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Refunds of paid coins that have expired.
@Suite(.timeLimit(.minutes(20))) struct ExpiredRefundTests {
    private static let policy = RefundPolicy(feePercent: 10, expired: ExpiredCoinRule(days: 30, percent: 90))

    /// A purchase of 100 coins for ₩1,000, which expired, less the coins that were spent before.
    func expired(
        _ ledger: Ledger, number: Int = 1, bonus: Int64 = 0, since seconds: TimeInterval = 60, posts: Bool = true
    ) async throws -> Purchase {
        let purchase = try await ledger.buy(
            .sample(
                number, by: "user-\(number)", bonus: bonus, expiresAt: Date(timeIntervalSinceNow: -seconds),
                bonusExpiresAt: nil))
        if posts { try await ledger.expireLots(of: purchase.user) }
        return purchase
    }

    /// Lends a ledger whose clock shows a minute before the end of a purchase's coins.
    private static func withClock(
        _ body: (Ledger, TestLedger, (clock: TestClock, end: Date)) async throws -> Void
    ) async throws {
        let end = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        try await TestLedger.with(at: end - 60) { ledger, test, clock in
            try await body(ledger, test, (clock, end))
        }
    }

    func begin(
        _ purchase: Purchase, _ key: String = "refund", coins: Int64? = nil, method: Refund.Method = .gateway,
        policy: RefundPolicy = policy, waiver: String? = nil
    ) -> BeginRefund {
        .sample(
            "\(key)-\(purchase.id)", of: purchase.id, by: purchase.user, coins: coins, method: method, policy: policy,
            feeWaiver: waiver)
    }

    private func lines(_ ledger: Ledger, _ entry: Int64?) async throws -> [String]? {
        try await ledger.journal.find(#require(entry))?.lines.map {
            "\($0.side) \($0.account.split(separator: "/")[0]) \($0.amount)"
        }
    }

    @Test(arguments: [Refund.Method.gateway, .bankTransfer])
    func `expired coins come back, and the payer gets their share`(method: Refund.Method) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await expired(ledger)
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: Self.policy)
            #expect(quote.unusedCoins == 0 && quote.coins == 100 && quote.refusal == nil)
            #expect(quote.refundableExpired?.coins == 100 && quote.refundableExpired?.percent == 90)
            #expect(quote.expired == Refund.ExpiredPart(coins: 100, value: 1000, fee: 100))
            #expect(quote.value == 1000 && quote.fee == 100 && quote.feeRule == .expired)

            var refund = try await ledger.begin(begin(purchase, method: method))
            #expect(refund.expired == quote.expired && refund.feeRule == .expired && refund.amount == 900)
            let cameBack = Set(try #require(try await lines(ledger, refund.expiryReversalID)))
            #expect(
                cameBack == [
                    "debit coins:expired 100", "credit wallet:user-1:paid 100", "debit revenue:breakage 1000",
                    "credit coins:deferred-revenue 1000",
                ])
            try await Audit.expectSound(test)
            if method == .gateway {
                refund = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided).refund
            }
            let (taken, payer) = method == .gateway ? ("held", "gateway:receivable") : ("wallet", "refunds:payable")
            #expect(
                try await lines(ledger, refund.reversalEntryID) == [
                    "debit \(taken):user-1:paid 100", "credit coins:issued 100",
                    "debit coins:deferred-revenue 1000", "credit \(payer) 900", "credit revenue:refund-fees 100",
                ])
            #expect(try await ledger.refunds.find(refund.id)?.expired == quote.expired)
            #expect(
                try await test.number("SELECT sum(balance)::int8 FROM account WHERE code ~ 'breakage|expired'") == 0)
            let after = try #require(try await ledger.purchases.find(purchase.id))
            #expect(after.refundedAmount == 900 && after.refundedCoins == 100 && after.status == .refunded)
            let again = try await ledger.refunds.quote(for: nil, of: after, policy: Self.policy)
            #expect(again.refusal == .nothingToRefund && again.refundableExpired == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `parts of expired coins add up to their breakage, and never more goes than expired`() async throws {
        try await TestLedger.with { ledger, test in
            let bought = try await ledger.buy(
                .sample(coins: 3, bonus: 0, won: 1000, expiresAt: Date(timeIntervalSinceNow: -60)))
            try await ledger.expireLots(of: bought.user)
            var values: [Int64] = []
            for number in 1...3 {
                let refund = try await ledger.begin(begin(bought, "part-\(number)", coins: 1, method: .bankTransfer))
                values.append(refund.value)
                #expect(refund.fee == refund.value / 10)
            }
            #expect(values == [333, 333, 334])
            #expect(try await ledger.submit(begin(bought, "more", coins: 1)).refusal == .nothingToRefund)
            try await Audit.expectSound(test)
        }
    }

    @Test func `unused coins are refunded before expired ones, each with its own fee`() async throws {
        try await Self.withClock { ledger, test, time in
            let bought = try await ledger.buy(.sample(bonus: 0, expiresAt: time.end))
            let spent = try await ledger.submit(Spend.sample(coins: 40)).redeemed
            try await time.clock.set(to: time.end + 1)
            try await ledger.expireLots(of: bought.user)
            // 40 come back and can be used for an hour; 60 stay expired.
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent, grace: 3600))
            let quote = try await ledger.refunds.quote(for: nil, of: bought, policy: Self.policy)
            #expect(quote.unusedCoins == 40 && quote.refundableExpired?.coins == 60 && quote.coins == 100)
            #expect(quote.fee == 40 + 60 && quote.feeRule == .percentage)
            let few = try await ledger.refunds.quote(for: Coins(40), of: bought, policy: Self.policy)
            #expect(few.expired == nil && few.fee == 40)
            let much = try await ledger.refunds.quote(for: Coins(101), of: bought, policy: Self.policy)
            #expect(much.refusal == .exceedsRefundable(required: 101, available: 100))

            let refund = try await ledger.begin(begin(bought, coins: 70, method: .bankTransfer))
            #expect(refund.expired == Refund.ExpiredPart(coins: 30, value: 300, fee: 30) && refund.amount == 630)
            try await Audit.expectSound(test)
            let reversed = try #require(
                try await ledger.submit(ReverseRefund.sample(of: refund, grace: 3600)).reversedRefund)
            #expect(reversed.balance.paid == 40, "the 30 expired again")
            #expect(try await ledger.refunds.quote(for: nil, of: bought, policy: Self.policy) == quote)
            try await Audit.expectSound(test)
        }
    }

    /// 3 coins for ₩1,000: 2 are held (₩667), 1 expires (₩333).
    ///
    /// A cancellation of ₩300 takes no whole coin, but leaves the expired one ₩33.
    @Test(arguments: [Refund.Method.gateway, .bankTransfer])
    func `expired coins are worth what was recognised for them, whatever the won of held coins`(
        method: Refund.Method
    ) async throws {
        try await Self.withClock { ledger, test, time in
            let bought = try await ledger.buy(.sample(coins: 3, bonus: 0, won: 1000, expiresAt: time.end))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 2, timeout: 3600)).placed).hold
            try await time.clock.set(to: time.end + 1)
            try await ledger.expireLots(of: bought.user)
            _ = try await ledger.clawBack(bought, 300)
            #expect(try await test.total("revenue:breakage") == 33)
            let purchase = try #require(try await ledger.purchases.find(bought.id))
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: Self.policy)
            #expect(quote.expired == Refund.ExpiredPart(coins: 1, value: 33, fee: 3))

            let refused = try await ledger.begin(begin(purchase, "refused", method: method))
            try await Audit.expectSound(test)
            if method == .gateway {
                _ = try await ledger.submit(ReleaseRefund.sample(refused))
            } else {
                _ = try await ledger.submit(ReverseRefund.sample(of: refused))
            }
            #expect(try await test.total("revenue:breakage") == 33, "it expires again as it was")
            #expect(try await test.total("coins:deferred-revenue") == 667)

            let refund = try await ledger.begin(begin(purchase, method: method))
            if method == .gateway { _ = try await ledger.submit(CompleteRefund.sample(refund)) }
            #expect(try await test.total("coins:deferred-revenue") == 667, "the won of the held coins stay with them")
            let captured = try #require(try await ledger.submit(CaptureHold.sample(of: hold.id)).captured)
            #expect(captured.lots.reduce(0) { $0 + $1.amount } == 667)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund that is reversed or refused leaves expired coins expired`() async throws {
        try await TestLedger.with { ledger, test in
            let transferred = try await expired(ledger, number: 1, bonus: 10)
            let refused = try await expired(ledger, number: 2, bonus: 10)
            let quotes = [
                try await ledger.refunds.quote(for: nil, of: transferred, policy: Self.policy),
                try await ledger.refunds.quote(for: nil, of: refused, policy: Self.policy),
            ]
            let first = try await ledger.begin(begin(transferred, method: .bankTransfer))
            let second = try await ledger.begin(begin(refused))
            #expect(first.bonusCoins == 10, "the bonus coins had not expired")
            let act = ReverseRefund.sample(of: first, grace: 3600)
            let reversed = try #require(try await ledger.submit(act).reversedRefund)
            #expect(reversed.balance.paid == 0 && reversed.balance.bonus == 10)
            let released = try #require(try await ledger.submit(ReleaseRefund.sample(second)).decided)
            #expect(released.balance.paid == 0 && released.balance.held == 0 && released.balance.bonus == 10)
            for (purchase, quote) in zip([transferred, refused], quotes) {
                #expect(try await ledger.purchases.find(purchase.id) == purchase)
                #expect(try await ledger.refunds.quote(for: nil, of: purchase, policy: Self.policy) == quote)
            }
            #expect(
                try await test.number("SELECT sum(balance)::int8 FROM account WHERE code LIKE 'revenue:breakage/%'")
                    == 2000)
            // A repeat is answered as the first time.
            #expect(try await ledger.submit(act).isRepeat)
            #expect(try await ledger.submit(begin(transferred, method: .bankTransfer)).begun == first)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins past their expiry in the wallet expire first, and used bonus coins are charged`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await expired(ledger, bonus: 10, posts: false)
            _ = try await ledger.submit(Spend.sample(by: "user-1", coins: 10))
            let refund = try await ledger.begin(begin(purchase, method: .bankTransfer))
            #expect(refund.coins == 100 && refund.bonusCharged == 10 && refund.value == 900 && refund.fee == 90)
            #expect(
                try await lines(ledger, refund.reversalEntryID) == [
                    "debit wallet:user-1:paid 100", "credit coins:issued 90", "credit coins:promotions 10",
                    "debit coins:deferred-revenue 1000", "credit refunds:payable 810", "credit revenue:coins 100",
                    "credit revenue:refund-fees 90",
                ])
            let kinds = try await ledger.statements.list(of: purchase.user, limit: 10).elements.map(\.kind)
            #expect(kinds == ["refund", "expiry_reversal", "expiry", "spend", "purchase"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `by default, after the days, or for all of the price, the share is as the setting says`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await expired(ledger, since: 3 * 86_400)
            func quote(_ policy: RefundPolicy, waived: Bool = false) async throws -> RefundQuote {
                try await ledger.refunds.quote(for: nil, of: purchase, policy: policy, isWaived: waived)
            }
            #expect(try await quote(.free).refusal == .nothingToRefund)
            let over = RefundPolicy(feePercent: 0, expired: ExpiredCoinRule(days: 2, percent: 90))
            #expect(try await quote(over).refusal == .nothingToRefund)
            let last = RefundPolicy(feePercent: 0, expired: ExpiredCoinRule(days: 3, percent: 90))
            #expect(try await quote(last).amount == 900)
            #expect(try await quote(last, waived: true).feeRule == .waived)
            #expect(try await quote(last, waived: true).amount == 1000)
            let whole = RefundPolicy(feePercent: 10, expired: ExpiredCoinRule(days: 3, percent: 100))
            #expect(try await quote(whole).amount == 1000, "the fee is that of the share")
            #expect(try await ledger.submit(begin(purchase, policy: .free)).refusal == .nothingToRefund)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the days follow the last day of a lot, which is over when the lot expires at midnight`() {
        let rule = ExpiredCoinRule(days: 3, percent: 90)
        let policy = RefundPolicy(feePercent: 0, timeZone: seoul, expired: rule)
        let midnight = Calendar.noon("2026-02-05") - 12 * 3600
        #expect(policy.endOfExpired(midnight) == midnight + 3 * 86_400)
        #expect(policy.endOfExpired(midnight + 0.001) == midnight + 4 * 86_400)
    }
}
