import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A dispute that was booked as lost is won after all: what it took comes back.
@Suite(.timeLimit(.minutes(20))) struct WonAfterLossTests {
    @Test func `what a lost dispute took comes back into its lots, and what is still owed is owed no more`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 30))  // 10 bonus, 20 paid
            let lost = try await ledger.lose(purchase)
            #expect(lost.balance.debt == 30 && lost.balance.total == 0)
            _ = try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true))
            #expect(try await ledger.findings.list(limit: 9).elements.map(\.kind) == [.disputeWonAfterLoss])

            let win = try await ledger.win("won", lost.dispute)
            let answer = try await ledger.submit(win)
            let won = try #require(answer.disputed)
            #expect(won.dispute.status == .won && won.amount == 1000 && won.coins == 100 && won.bonusCoins == 10)
            #expect(won.balance.debt == 0 && won.balance.paid == 80 && won.balance.bonus == 0)
            #expect(try await ledger.purchases.find(purchase.id)?.status == .credited)
            let repeated = try await ledger.submit(win)
            #expect(repeated.isRepeat && repeated.disputed?.journalEntryID == won.journalEntryID, "under its key")
            #expect(
                try await ledger.submit(DecideDispute.sample("again", on: lost.dispute, isWon: true)).refusal
                    == .disputeDecided(.won))
            #expect(try await ledger.findings.list(limit: 9).elements.isEmpty, "it closes by itself")
            #expect(
                try await test.number("SELECT count(*) FROM occurrence WHERE type = 'finding.closed'") == 2)
            let known = try await ledger.reconciliations.purchases(sharing: [purchase.payment])[purchase.payment]
            #expect(known?.lostAmount == 0 && known?.isWonAfterLoss == false)
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true)).isRepeat)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a dispute that was won back can be lost again, and won again`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 30))
            let dispute = try await ledger.lose(purchase).dispute
            for round in 1...2 {
                let won = try await ledger.submit(try await ledger.win("won-\(round)", dispute)).disputed
                #expect(won?.balance.paid == 80 && won?.balance.debt == 0)
                let lost = try await ledger.submit(DecideDispute.sample("lost-\(round)", on: dispute, isWon: false))
                #expect(lost.disputed?.amount == 1000 && lost.disputed?.balance.debt == 30)
                try await Audit.expectSound(test)
            }
            #expect(try await test.number("SELECT count(*) FROM dispute_decision") == 5)
            #expect(try await test.number("SELECT sum(amount)::int8 FROM purchase_reversal") == 1000)
        }
    }

    /// With VAT, the purchase's lots are always read, so they do not show that the caller knew of no loss.
    @Test func `a dispute that was open when it was looked up is not won after a loss meanwhile`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0, vat: .atUse))
            let open = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            let win = try await ledger.win("won", sure(open))
            _ = try await ledger.submit(DecideDispute.sample("lost", on: open, isWon: false))
            #expect(try await ledger.submit(win).refusal == .disputeDecided(.lost))
            #expect(try await ledger.submit(try await ledger.win("later", sure(open))).disputed?.amount == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what can't come back as it was is refused`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 100)).redeemed
            let dispute = try await ledger.lose(purchase).dispute
            _ = try await ledger.buy(.sample(2, bonus: 0))  // pays the debt
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent))
            // 100 coins of the purchase came back, and 100 others paid for them.
            let win = try await ledger.submit(try await ledger.win("won", dispute))
            #expect(win.refusal == .disputeNotReversible)
            _ = try await ledger.submit(Spend.sample("later", coins: 100))
            let later = try await ledger.submit(try await ledger.win("won later", dispute)).disputed
            #expect(later?.balance.paid == 100)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a spend of coins that came back with the dispute has a place when coins of the purchase are used`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            let dispute = try await ledger.lose(purchase).dispute
            _ = try await ledger.buy(.sample(2, bonus: 0))  // 30 of its coins pay the debt
            let won = try await ledger.submit(try await ledger.win("won", dispute)).disputed
            #expect(won?.balance.paid == 170, "all 100 of the first purchase, 70 of the second")
            let all = ReverseRedemption.sample("all", of: spent)
            #expect(try await ledger.redemptions.fitting(of: sure(spent)) == 0)
            #expect(try await ledger.submit(all).refusal == .noPlaceForCoins(required: 30, available: 0))
            _ = try await ledger.submit(Spend.sample("later", coins: 20))
            #expect(try await ledger.redemptions.fitting(of: sure(spent)) == 20)
            #expect(try await ledger.submit(all).refusal == .noPlaceForCoins(required: 30, available: 20))
            let reversed = try await ledger.submit(ReverseRedemption.sample("some", of: spent, coins: 20)).reversed
            #expect(reversed?.balance.paid == 170 && reversed?.left == 10)
            _ = try await ledger.submit(Spend.sample("latest", coins: 10))
            let rest = try await ledger.submit(ReverseRedemption.sample("rest", of: spent)).reversed
            #expect(rest?.balance.paid == 170 && rest?.left == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that come after those without a place wait with them, also those of other lots`() {
        let uses = [(1, 5), (2, 10), (3, 4)].map { LotUse(lotID: $0.0, kind: .paid, coins: $0.1, amount: 0) }
        let cases: [(places: [Int64: Int64], fitting: Int64)] = [
            ([1: 5, 2: 10, 3: 4], 19), ([1: 9, 2: 3, 3: 4], 8), ([1: 0, 2: 10, 3: 4], 0), ([1: 5, 2: 10, 3: 0], 15),
            ([:], 19),
        ]
        for (places, fitting) in cases {
            #expect(uses.fitting { places[$0] } == fitting, "\(places)")
        }
    }

    /// The used coins came back, and took the place of those that the transfer has.
    @Test(arguments: [false, true])
    func `coins of a refund by bank transfer come back when they have a place`(isPaid: Bool) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            let dispute = try await ledger.lose(purchase).dispute
            _ = try await ledger.buy(.sample(2, bonus: 0))  // 30 of its coins pay the debt
            _ = try await ledger.submit(try await ledger.win("won", dispute))
            let begun = try await ledger.submit(
                BeginRefund.sample("by-bank", of: purchase.id, coins: 40, method: .bankTransfer))
            let refund = sure(begun.begun)
            _ = try await ledger.submit(ReverseRedemption.sample("all", of: spent))
            if isPaid { _ = try await ledger.submit(PayRefund.sample(of: refund)) }
            func takeBack() async throws -> (refusal: Refusal?, balance: Int64?) {
                let answer =
                    isPaid
                    ? try await ledger.submit(RepayRefund.sample(of: refund))
                    : try await ledger.submit(ReverseRefund.sample(of: refund))
                return (answer.refusal, answer.reversedRefund?.balance.paid)
            }
            #expect(try await takeBack().refusal == .noPlaceForCoins(required: 40, available: 10))
            _ = try await ledger.submit(Spend.sample("later", coins: 30))
            #expect(try await takeBack().balance == 170)
            try await Audit.expectSound(test)
        }
    }

    @Test func `nothing comes back while another dispute of the payment is booked as lost`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let resolved = RecordDispute.sample(of: purchase, 2, isResolved: true)
            let second = try await ledger.submit(resolved).disputed?.dispute
            let first = try await ledger.lose(purchase).dispute
            _ = try await ledger.submit(DecideDispute.sample("second", on: second, isWon: false))
            #expect(try await ledger.submit(try await ledger.win("1", first)).refusal == .disputeNotReversible)
            let nothing = try await ledger.submit(try await ledger.win("2", sure(second))).disputed
            #expect(nothing?.amount == 0 && nothing?.journalEntryID == nil && nothing?.balance.total == 0)
            #expect(try await ledger.submit(try await ledger.win("3", first)).disputed?.balance.total == 110)
            try await Audit.expectSound(test)
        }
    }

    @Test func `expired coins expire again, and those that expire meanwhile can be used for the grace`() async throws {
        try await TestLedger.with(at: Self.start) { ledger, test, clock in
            let purchase = try await ledger.buy(.sample(expiresAt: Self.start + 3600))
            let dispute = try await ledger.lose(purchase).dispute
            try await clock.set(to: Self.start + 7200)
            let found = try #require(try await ledger.disputes.find(dispute.id))
            let win = DecideDispute.sample("won", on: found, grace: 600)
            #expect(try await ledger.submit(win).disputed?.balance.paid == 100)
            let lot = try await test.number("SELECT id FROM lot WHERE kind = 'paid'")
            #expect(try await ledger.submit(ExpireLot(user: purchase.user, lotID: lot)).expired?.coins == 0)
            try await clock.set(to: Self.start + 7801)
            #expect(try await ledger.submit(ExpireLot(user: purchase.user, lotID: lot)).expired?.coins == 100)
            try await Audit.expectSound(test)

            // Now they had expired when it was lost.
            _ = try await ledger.submit(DecideDispute.sample("lost again", on: dispute, isWon: false))
            #expect(try await test.balance(of: .breakage) == 0)
            let again = try await ledger.submit(try await ledger.win("won again", dispute)).disputed
            #expect(again?.balance.paid == 0 && again?.amount == 1000)
            #expect(try await test.balance(of: .breakage) == 1000)
            #expect(try await test.balance(of: .deferredRevenue) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund before it stays, and one after it is as of any purchase`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 20, feePercent: 10))
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let dispute = try await ledger.lose(purchase).dispute
            let won = try await ledger.submit(try await ledger.win("won", dispute)).disputed
            #expect(won?.amount == 820 && won?.balance.paid == 80)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 180)
            let rest = try await ledger.begin(.sample("rest", of: purchase.id))
            #expect(rest.coins == 80 && rest.amount == 800)
            _ = try await ledger.submit(CompleteRefund.sample(rest))
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases)
    func `the VAT is that of what is kept, as if the dispute had not been lost`(rule: VATRule) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0, vat: rule))
            _ = try await ledger.submit(Spend.sample(coins: 30))
            let before = (try await test.taxes, try await test.balance(of: .revenue))
            let dispute = try await ledger.lose(purchase).dispute
            #expect(try await test.taxes == [0, 0, 0])
            _ = try await ledger.submit(try await ledger.win("won", dispute))
            #expect(try await test.taxes == before.0)
            #expect(try await test.balance(of: .revenue) == before.1)
            try await Audit.expectSound(test)

            // Coins of another payment pay the debt: they are what is used then.
            _ = try await ledger.submit(DecideDispute.sample("again", on: dispute, isWon: false))
            _ = try await ledger.buy(.sample(2, bonus: 0, vat: rule))
            _ = try await ledger.submit(try await ledger.win("won again", dispute))
            #expect(try await test.balance(of: .deferredRevenue) == 1700)
            let payable: Int64 = [VATRule.exempt: 0, .atUse: 27][rule] ?? 180
            #expect(try await test.taxes.first == payable)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of many who win and lose a dispute at once, the books have each in turn`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let dispute = try await ledger.lose(purchase).dispute
            let found = try #require(try await ledger.disputes.find(dispute.id))
            _ = try await together(16) { number in
                let act =
                    number.isMultiple(of: 2)
                    ? DecideDispute.sample("won-\(number)", on: found)
                    : DecideDispute.sample("lost-\(number)", on: dispute, isWon: false)
                return try await ledger.submit(act).refusal
            }
            let isLost = try await ledger.disputes.find(dispute.id)?.dispute.status == .lost
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == (isLost ? 1000 : 0))
            #expect(try await ledger.balances.find(of: purchase.user).total == (isLost ? 0 : 110))
            try await Audit.expectSound(test)
        }
    }

    private static let start = Date(timeIntervalSince1970: 1_793_500_000)
}

extension Ledger {
    /// The gateway shows a dispute of the purchase, and a person books it as lost.
    func lose(_ purchase: Purchase) async throws -> DisputeRecorded {
        let dispute = try await submit(RecordDispute.sample(of: purchase)).disputed?.dispute
        let lost = DecideDispute.sample("lost-\(purchase.id)", on: dispute, isWon: false)
        return try #require(try await submit(lost).disputed)
    }

    /// The dispute is looked up, and won.
    func win(_ key: String, _ dispute: Dispute) async throws -> DecideDispute {
        DecideDispute.sample(key, on: try #require(try await disputes.find(dispute.id)))
    }
}
