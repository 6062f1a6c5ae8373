import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A store takes a refund back: what was clawed back for it comes back (docs/decisions/0214).
@Suite(.timeLimit(.minutes(20))) struct ClawBackReversalTests {
    static let told = Date(timeIntervalSince1970: 1_767_225_600)

    @Test func `what a refund took comes back into its lots, once, and the store owes it again`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            _ = try await ledger.submit(Spend.sample(coins: 30))  // 10 bonus, 20 paid
            #expect(try await ledger.clawBack(purchase, 1000).clawedBack?.balance.debt == 30)
            #expect(try await test.total("app-store:receivable") == 0)

            let act = try await ledger.reversal(of: purchase)
            let given = try #require(try await ledger.submit(act).clawBackReversed)
            #expect(given.result == .givenBack && given.purchase.status == .credited)
            #expect(given.balance.debt == 0 && given.balance.paid == 80 && given.balance.bonus == 0)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 0)
            #expect(try await test.total("app-store:receivable") == 1000)
            #expect(
                try await test.number(
                    "SELECT count(*) FROM journal_entry WHERE kind = 'claw_back_reversal' AND reason IS NULL") == 1)

            let again = try await ledger.submit(act)
            #expect(again.isRepeat && again.clawBackReversed?.result == .outdated)
            #expect(try await ledger.purchases.reversibleClawBack(of: purchase) == nil)
            try await Audit.expectSound(test)
            try await ledger.events.publisher.publish()
            #expect(
                try await test.number("SELECT count(*) FROM event WHERE type = 'purchase.claw_back_reversed'") == 1)
        }
    }

    @Test func `refunds and their reversals can follow each other, and an older answer of the store changes nothing`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            func refund(_ told: Double) async throws -> Answer<ClawedBack> {
                try await ledger.submit(
                    ClawBack(
                        user: purchase.user, payment: purchase.payment, cancelledAmount: 1000,
                        toldAt: Self.told + told))
            }
            for round in [0.0, 100] {
                #expect(try await refund(round).clawedBack?.coins == 100)
                let act = try await ledger.reversal(of: purchase, toldAt: Self.told + round + 50)
                #expect(try await ledger.submit(act).clawBackReversed?.balance.total == 110)
                let late = try await refund(round + 49.999)
                #expect(late.isRepeat && late.clawedBack?.isOutdated == true && late.clawedBack?.coins == 0)
            }
            #expect(try await refund(150).clawedBack?.balance.total == 0, "of the same time, the later one counts")
            // The books were read before the last refund, when as much was refunded.
            let known = try #require(try await ledger.purchases.find(purchase.id))
            let before = ReverseClawBack(
                ReversibleClawBack(journalEntryID: 1, lots: [2]), of: known, told: .sample(of: known, 0),
                toldAt: Self.told + 200, grace: 0)
            #expect(try await ledger.submit(before).clawBackReversed?.result == .outdated)
            #expect(try await ledger.balances.find(of: purchase.user).total == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a part that is refunded after the books were read is not lost in what comes back`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            _ = try await ledger.clawBack(purchase, 400)
            let act = try await ledger.reversal(of: purchase)
            _ = try await ledger.clawBack(purchase, 1000)
            #expect(try await ledger.submit(act).clawBackReversed?.result == .outdated)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 1000)
            try await Audit.expectSound(test)
        }
    }

    /// What is written off later is of another purchase: nothing of it is taken back with these coins.
    @Test func `parts come back one after the other, the last first, with what was owed for each`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold(bonus: 0)
            let spent = try await ledger.submit(Spend.sample(coins: 100)).redeemed
            for (cancelled, debt) in [(300, 30), (700, 70)] as [(Int64, Int64)] {
                #expect(try await ledger.clawBack(purchase, cancelled).clawedBack?.balance.debt == debt)
            }
            for debt in [30, 0] as [Int64] {
                let given = try await ledger.submit(try await ledger.reversal(of: purchase)).clawBackReversed
                #expect(given?.balance.debt == debt && given?.purchase.refundedAmount == 10 * debt)
                try await Audit.expectSound(test)
            }
            let other = try await ledger.buy(.sample(2, bonus: 0))
            _ = try await ledger.submit(Spend.sample("other", coins: 100))
            _ = try await ledger.clawBack(other, 200)
            _ = try await ledger.submit(WriteOffDebt.sample())
            let back = try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed
            #expect(back?.balance.paid == 100 && back?.balance.debt == 0)
            #expect(try await test.balance(of: .coinsWrittenOff) == 20)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund of so little that it took no coins comes back, too`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            #expect(try await ledger.clawBack(purchase, 1).clawedBack?.coins == 0)
            let given = try await ledger.submit(try await ledger.reversal(of: purchase)).clawBackReversed
            #expect(given?.result == .givenBack && given?.purchase.status == .credited)
            #expect(try await test.total("app-store:receivable") == 1000)
            // No coin came back that it could be deferred for.
            #expect(try await test.balance(of: .deferredRevenue) == 999)
            #expect(try await test.balance(of: .revenue) == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was clawed back with the credit comes back`() async throws {
        try await TestLedger.with { ledger, test in
            var credit = CreditPurchase.sample(payment: .sampleInStore())
            credit.cancelledAmount = 400
            let purchase = try await ledger.buy(credit)
            #expect(purchase.refundedAmount == 400)
            let given = try await ledger.submit(try await ledger.reversal(of: purchase)).clawBackReversed
            #expect(given?.balance.paid == 100 && given?.balance.bonus == 10)
            #expect(given?.purchase.status == .credited)
            #expect(try await test.total("app-store:receivable") == 1000)
            #expect(try await test.balance(of: .deferredRevenue) == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the store gave back all the same is clawed back in the same transaction`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold(bonus: 0)
            _ = try await ledger.clawBack(purchase, 1000)
            let act = try await ledger.reversal(of: purchase, total: 300)
            let given = try #require(try await ledger.submit(act).clawBackReversed)
            #expect(given.result == .givenBack && given.purchase.refundedAmount == 300)
            #expect(given.balance.paid == 70 && given.balance.debt == 0)
            #expect(try await test.total("app-store:receivable") == 700)
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM journal_entry AS back JOIN journal_entry AS taken USING (transaction_id)
                    WHERE back.kind = 'claw_back_reversal' AND taken.kind = 'claw_back'
                    """) == 1)
            try await Audit.expectSound(test)

            let rest = try await ledger.submit(try await ledger.reversal(of: purchase)).clawBackReversed
            #expect(rest?.balance.paid == 100 && rest?.purchase.status == .credited)
            try await Audit.expectSound(test)
        }
    }

    /// What is effective until a moment is known since: the refund is one of January, however late it is told.
    @Test(arguments: [0, 600] as [Int64])
    func `purchases as of a moment show what was clawed back only while it stood`(rest: Int64) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            let cancelledAt = purchase.paidAt + 3600
            func refunded(_ options: [ExportOption: String]) async throws -> [String?] {
                try await ledger.export(.purchases, options).records.flatMap { [$0["status"], $0["refunded_amount"]] }
            }
            let before = try await ReportTests.clock(of: test)
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000, cancelledAt: cancelledAt))
            let between = try await ReportTests.clock(of: test)
            let act = try await ledger.reversal(of: purchase, total: rest, cancelledAt: cancelledAt)
            #expect(try await ledger.submit(act).clawBackReversed?.result == .givenBack)
            let after = try await ReportTests.clock(of: test)
            let left = [rest == 0 ? "credited" : "partially_refunded", "\(rest)"]
            #expect(try await refunded([.asOf: before]) == ["credited", "0"])
            #expect(try await refunded([.asOf: between]) == ["refunded", "1000"])
            #expect(try await refunded([.to: "2026-01-02"]) == ["refunded", "1000"])
            for options in [[.asOf: after], [.to: after], [:]] as [[ExportOption: String]] {
                #expect(try await refunded(options) == left, "\(options)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a debt that was paid comes back as coins, and expired coins expire again or can be used for the grace`()
        async throws
    {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let purchase = try await ledger.buySold(bonus: 0, expiresAt: start + 3600)
            _ = try await ledger.submit(Spend.sample(coins: 30))
            _ = try await ledger.clawBack(purchase, 1000)
            _ = try await ledger.buy(.sample(2, bonus: 0))  // 30 of its coins pay the debt
            try await clock.set(to: start + 7200)
            let act = try await ledger.reversal(of: purchase, grace: 600)
            let given = try await ledger.submit(act).clawBackReversed
            #expect(given?.balance.paid == 170, "30 of the second purchase stay used in the place of these")
            try await Audit.expectSound(test)
        }
    }

    @Test func `of many who refund and reverse at once, the books have each in turn`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            _ = try await ledger.clawBack(purchase, 1000)
            let act = try await ledger.reversal(of: purchase)
            let results = try await together(16) { number in
                guard number.isMultiple(of: 2) else {
                    return try await ledger.clawBack(purchase, 1000).clawedBack?.coins == 100
                }
                return try await ledger.submit(act).clawBackReversed?.result == .givenBack
            }
            #expect(results.enumerated().count { $0.offset.isMultiple(of: 2) && $0.element } == 1)
            #expect(
                try await test.number("SELECT sum(amount)::int8 FROM purchase_reversal")
                    == (results.enumerated().contains { !$0.offset.isMultiple(of: 2) && $0.element } ? 1000 : 0))
            try await Audit.expectSound(test)
        }
    }

    @Test func `the database refuses a reversal that no entry makes, a second one, and a change of one`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            _ = try await ledger.clawBack(purchase, 1000)
            let service = try await test.connectAsService()
            func refusal(_ sql: String) async throws -> String? {
                let refusal = await service.refusal(of: sql)
                return refusal?.constraint ?? refusal?.sqlState.map { "\($0)" }
            }
            #expect(
                try await refusal(
                    """
                    INSERT INTO claw_back_reversal
                    SELECT id, id, \(purchase.id), now() FROM journal_entry WHERE kind = 'claw_back'
                    """) == "claw_back_reversal_fits_purchase")
            _ = try await ledger.submit(try await ledger.reversal(of: purchase))
            for (changes, constraint) in [
                ("journal_entry_id + 1, claw_back_id, purchase_id", "claw_back_reversal_once"),
                ("journal_entry_id, claw_back_id + 1, purchase_id", "claw_back_reversal_pkey"),
                ("journal_entry_id + 1, claw_back_id + 1, purchase_id", "claw_back_reversal_fits_purchase"),
            ] {
                #expect(
                    try await refusal(
                        "INSERT INTO claw_back_reversal SELECT \(changes), told_at FROM claw_back_reversal")
                        == constraint)
            }
            #expect(try await refusal("UPDATE claw_back_reversal SET told_at = now()") == "42501")
            #expect(try await refusal("DELETE FROM claw_back_reversal") == "42501")
            await service.close()
            try await Audit.expectSound(test)
        }
    }
}

extension Ledger {
    /// A purchase of 100 coins in the App Store.
    func buySold(bonus: Int64 = 10, expiresAt: Date? = nil) async throws -> Purchase {
        try await buy(.sample(payment: .sampleInStore(), bonus: bonus, expiresAt: expiresAt))
    }

    /// The books are read, and the store says that the refund does not stand.
    ///
    /// - Parameters:
    ///   - total: what it gave back all the same.
    ///   - cancelledAt: when it did.
    func reversal(
        of purchase: Purchase, total: Int64 = 0, cancelledAt: Date? = nil,
        toldAt: Date = Date(timeIntervalSince1970: 1_767_225_600), grace: Int64 = 0
    ) async throws -> ReverseClawBack {
        let known = try #require(try await purchases.find(purchase.id))
        let clawBack = try #require(try await purchases.reversibleClawBack(of: known))
        return ReverseClawBack(
            clawBack, of: known, told: .sample(of: known, total, cancelledAt: cancelledAt), toldAt: toldAt,
            grace: grace)
    }
}
