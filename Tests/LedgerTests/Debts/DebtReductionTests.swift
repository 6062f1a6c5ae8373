import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Debts that users pay in won, or that are written off.
@Suite(.timeLimit(.minutes(20))) struct DebtReductionTests {
    /// 60 coins for ₩600 were spent before their payment was cancelled.
    private static func owing(_ ledger: Ledger) async throws {
        let purchase = CreditPurchase.sample(bonus: 0)
        _ = try await ledger.credit(purchase)
        _ = try await ledger.submit(Spend.sample(coins: 60))
        _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
    }

    @Test func `a debt that is paid in won is sold again`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.owing(ledger)
            #expect(try await test.total("revenue:coins") == 0)
            let part = try #require(
                try await ledger.submit(PayDebtByBank.sample(coins: 20, won: 190)).paidByBank)
            #expect(part.coins == 20 && part.amount == 190 && part.balance.debt == 40)
            let rest = try #require(try await ledger.submit(PayDebtByBank.sample("b", won: 400)).paidByBank)
            #expect(rest.coins == 40 && rest.balance.debt == 0)
            #expect(try await test.total("revenue:coins") == 590)
            #expect(try await test.total("bank") == 590)
            #expect(try await test.total("coins:issued") == 60)
            #expect(try await test.total("coins:redeemed") == 60)
            try await Audit.expectSound(test)
            _ = try await ledger.credit(.sample(2))
            #expect(try await ledger.submit(Spend.sample("free", coins: 110)).spent != nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a debt that is written off leaves what was used visible, and moves no won`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.owing(ledger)
            let written = try #require(try await ledger.submit(WriteOffDebt.sample(coins: 50)).writtenOff)
            #expect(written.coins == 50 && written.balance.debt == 10)
            #expect(try await test.total("coins:written-off") == 50)
            #expect(try await test.total("coins:redeemed") == 60)
            #expect(try await test.total("revenue:coins") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases)
    func `a debt that is written off in parts, and comes back in parts, leaves what the whole leaves`(
        rule: VATRule
    ) async throws {
        let whole = try await Self.writtenOff([71], backIn: [30], by: rule)
        let parts = try await Self.writtenOff([2, 3, 5, 7, 11, 13, 30], backIn: [7, 11, 12], by: rule)
        #expect(whole == parts)
        // Without the money and the coins, nothing is left of the sale.
        #expect(whole.filter { $0.value != 0 }.isEmpty, "\(whole)")
    }

    /// Writes off what is owed for 41 held and 30 used coins of 100 that were sold for ₩1,003, has these come back, and
    /// returns the balances of the system's accounts and the won of the lot.
    private static func writtenOff(
        _ parts: [Int64], backIn returned: [Int64], by rule: VATRule
    ) async throws -> [String: Int64] {
        var left: [String: Int64] = [:]
        try await TestLedger.with(vat: .everything) { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0, won: 1003, vat: rule))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 41)).placed).hold
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            for won in [333, 670, 1003] as [Int64] { _ = try await ledger.clawBack(purchase, won) }
            for (number, coins) in parts.enumerated() {
                let off = try await ledger.submit(WriteOffDebt.sample("off-\(number)", coins: coins)).writtenOff
                #expect(off?.coins == coins)
            }
            #expect(try await test.total("coins:written-off") == 71)
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 0)
            for (number, coins) in returned.enumerated() {
                _ = try await ledger.submit(ReverseRedemption.sample("back-\(number)", of: spent, coins: coins))
            }
            _ = try await ledger.submit(VoidHold.sample(of: hold.id))
            for account in SystemAccount.allCases {
                left[account.rawValue] = try await test.number(
                    "SELECT coalesce(sum(balance), 0)::int8 FROM account WHERE code LIKE '\(account.rawValue)/%'")
            }
            for column in ["remaining", "held", "deferred", "breakage", "taxed"] {
                left["lot.\(column)"] = try await test.number("SELECT \(column) FROM lot")
            }
            try await Audit.expectSound(test)
        }
        return left
    }

    /// Whoever says that the user paid before there was a debt has mistaken the date or the user.
    @Test func `a payment is not dated before the day on which the debt arose`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.owing(ledger)
            let early = PayDebtByBank.sample("early", at: Date(timeIntervalSinceNow: -24.5 * 3600))
            #expect(try await ledger.submit(early).refusal == .implausiblePaymentDate)
            // A date without a time counts as the beginning of its day.
            let sameDay = PayDebtByBank.sample("same day", coins: 20, at: Date(timeIntervalSinceNow: -20 * 3600))
            let paid = try #require(try await ledger.submit(sameDay).paidByBank)
            #expect(paid.paidAt == sameDay.paidAt)
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM journal_entry AS paid JOIN journal_entry AS owed ON owed.kind = 'claw_back'
                    WHERE paid.kind = 'debt_bank_payment' AND paid.effective_at < owed.effective_at
                    """) == 0, "the entry is effective when the debt arose")
            // What is owed after a debt was paid is another debt.
            _ = try await ledger.submit(WriteOffDebt.sample())
            #expect(try await ledger.submit(early).refusal == .exceedsDebt(required: 1, available: 0))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a spend that is reversed takes back what was written off of its debt`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            let spent = try await ledger.submit(Spend.sample(coins: 60)).redeemed
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.submit(WriteOffDebt.sample(coins: 50))
            // Of another purchase, no coins are taken: 10 pay the debt that is left.
            _ = try await ledger.credit(.sample(2, bonus: 0))
            let part = try #require(
                try await ledger.submit(ReverseRedemption.sample("part", of: spent, coins: 20)).reversed)
            #expect(part.balance.paid == 90 && part.balance.debt == 0)
            #expect(try await test.total("coins:written-off") == 30)
            let entries = try await ledger.statements.list(of: purchase.user, limit: 3).elements
            #expect(entries.map(\.kind) == ["debt_payment", "debt_write_off_reversal", "spend_reversal"])
            #expect(entries[1].movements.map(\.coins) == [20])
            try await Audit.expectSound(test)
            // 10 were paid with other coins, so 10 of the last 40 stay.
            let rest = try #require(try await ledger.submit(ReverseRedemption.sample("rest", of: spent)).reversed)
            #expect(rest.balance.paid == 100 && rest.balance.debt == 0)
            #expect(try await test.total("coins:written-off") == 0)
            #expect(try await test.total("revenue:coins") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `held coins that return take back what was written off, and coins that were paid for do not`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let cancelled = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(cancelled)
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            _ = try await ledger.submit(ClawBack.sample(of: cancelled, 1000))
            _ = try await ledger.submit(WriteOffDebt.sample())
            _ = try await ledger.credit(.sample(2, bonus: 0))
            let other = try #require(try await ledger.submit(PlaceHold.sample("other", coins: 70)).placed).hold
            let kept = try #require(try await ledger.submit(VoidHold.sample("void-other", of: other.id)).voided)
            #expect(kept.balance.paid == 100, "these coins were paid for")
            let voided = try #require(try await ledger.submit(VoidHold.sample(of: hold.id)).voided)
            #expect(voided.balance.paid == 100 && voided.balance.held == 0 && voided.balance.debt == 0)
            #expect(try await test.total("coins:written-off") == 0)
            #expect(try await test.total("coins:deferred-revenue") == 1000)
            try await Audit.expectSound(test)
        }
    }

    /// Two write-offs of 30 coins, each of another purchase; half of the second purchase stays paid.
    @Test func `a write-off is taken back once, and only for the purchase that it was for`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try await ledger.buy(.sample(1, bonus: 0))
            let earlier = try await ledger.submit(Spend.sample("earlier", coins: 30)).redeemed
            let taken = try await ledger.submit(Spend.sample("rest", coins: 70)).redeemed
            _ = try await ledger.clawBack(first, 300)
            _ = try await ledger.submit(WriteOffDebt.sample("first"))
            let second = try await ledger.buy(.sample(2, bonus: 0))
            let later = try await ledger.submit(Spend.sample("later", coins: 100)).redeemed
            _ = try await ledger.clawBack(second, 300)
            _ = try await ledger.submit(WriteOffDebt.sample("second"))
            #expect(try await test.total("coins:written-off") == 60)

            // All 100 coins of the first purchase come back in parts; 30 of them were written off.
            _ = try await ledger.submit(ReverseRedemption.sample("1", of: earlier, coins: 20))
            _ = try await ledger.submit(ReverseRedemption.sample("2", of: taken, coins: 35))
            let all = try #require(try await ledger.submit(ReverseRedemption.sample("3", of: taken)).reversed)
            #expect(all.balance.paid == 60, "20 + 35 + 35, less 30 that were written off")
            #expect(try await test.total("coins:written-off") == 30)
            try await Audit.expectSound(test)

            let last = try #require(try await ledger.submit(ReverseRedemption.sample("4", of: later)).reversed)
            #expect(last.balance.paid == 130)
            #expect(try await test.total("coins:written-off") == 0)
            #expect(
                try await test.number(
                    """
                    SELECT count(DISTINCT reference) FROM journal_entry WHERE kind = 'debt_write_off_reversal'
                        AND reference IN ('purchase:\(first.id)', 'purchase:\(second.id)')
                    """) == 2)
            try await Audit.expectSound(test)
        }
    }

    @Test func `no more is paid or written off than is owed, and a repeat changes nothing`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(
                try await ledger.submit(WriteOffDebt.sample("none")).refusal
                    == .exceedsDebt(required: 1, available: 0))
            try await Self.owing(ledger)
            #expect(
                try await ledger.submit(PayDebtByBank.sample("much", coins: 61)).refusal
                    == .exceedsDebt(required: 61, available: 60))
            let first = try await ledger.submit(WriteOffDebt.sample(coins: 10))
            let again = try await ledger.submit(WriteOffDebt.sample(coins: 10))
            #expect(again.isRepeat && again.writtenOff == first.writtenOff)
            #expect(
                try await ledger.submit(WriteOffDebt.sample(coins: 11)).refusal == .idempotencyKeyReused)
            let moment = Date(timeIntervalSinceNow: -3600)
            let paid = try await ledger.submit(PayDebtByBank.sample(coins: 10, at: moment))
            let paidAgain = try await ledger.submit(PayDebtByBank.sample(coins: 10, at: moment))
            #expect(paidAgain.isRepeat && paidAgain.paidByBank == paid.paidByBank)
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 40)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of payments, write-offs and grants at once the debt is reduced once for each coin`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.owing(ledger)
            let coins = try await together(24) { number in
                let act: any Act =
                    switch number % 3 {
                    case 0: PayDebtByBank.sample("pay-\(number)", coins: 7)
                    case 1: WriteOffDebt.sample("off-\(number)", coins: 5)
                    default: Grant.sample("grant-\(number)", coins: 3)
                    }
                let answer = try await ledger.answer(to: act)
                return (answer.paidByBank?.coins ?? 0) + (answer.writtenOff?.coins ?? 0)
            }
            let balance = try await ledger.balances.find(of: .named("ann"))
            #expect(coins.reduce(0, +) + 8 * 3 == 60 - balance.debt + balance.total)
            #expect(balance.debt == 0 || balance.total == 0)
            try await Audit.expectSound(test)
        }
    }
}
