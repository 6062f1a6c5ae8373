import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Refunds that finance pays by bank transfer.
@Suite(.timeLimit(.minutes(20))) struct BankRefundTests {
    @Test func `an approved refund takes the coins and owes the money until it is paid`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 30))  // 10 bonus, 20 paid
            let refund = try await ledger.begin(.sample(of: purchase.id, feePercent: 10, method: .bankTransfer))
            #expect(refund.status == .approved && refund.method == .bankTransfer && refund.decidedAt == nil)
            #expect(refund.coins == 80 && refund.bonusCharged == 8 && refund.value == 720 && refund.fee == 72)
            let stripe = Stripe(of: .named("ann"), among: 4).number
            func lines(_ entry: Int64?) async throws -> [String]? {
                try await ledger.journal.find(#require(entry))?.lines.map { "\($0.side) \($0.account) \($0.amount)" }
            }
            let taking = try await lines(refund.reversalEntryID)
            #expect(
                taking == [
                    "debit wallet:ann:paid 80", "credit coins:issued/\(stripe) 72",
                    "credit coins:promotions/\(stripe) 8", "debit coins:deferred-revenue/\(stripe) 800",
                    "credit refunds:payable/\(stripe) 648", "credit revenue:coins/\(stripe) 80",
                    "credit revenue:refund-fees/\(stripe) 72",
                ])
            let after = try #require(try await ledger.purchases.find(purchase.id))
            #expect(after.refundedAmount == 648 && after.transferredAmount == 648 && after.cancelledAmount == 0)
            #expect(after.status == .partiallyRefunded && after.refundedCoins == 72)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            #expect(try await ledger.refunds.listTransfers(limit: 10).elements.map(\.refund) == [refund])
            #expect(try await ledger.refunds.list(openOf: .named("ann"), limit: 10) == [refund])
            #expect(try await ledger.refunds.list(openOf: .named("bob"), limit: 10).isEmpty)
            try await Audit.expectSound(test)

            let paid = try #require(try await ledger.submit(PayRefund.sample(of: refund)).paidRefund)
            #expect(paid.refund.status == .completed && paid.refund.transfer?.bankReference == "KB 0042")
            #expect(
                try await lines(paid.journalEntryID) == [
                    "debit refunds:payable/\(stripe) 648", "credit bank/\(stripe) 648",
                ])
            let found = try #require(try await ledger.refunds.find(refund.id))
            #expect(found.status == .completed && found.transfer?.bankReference == "KB 0042")
            #expect(try await ledger.refunds.listTransfers(limit: 10).elements.isEmpty)
            #expect(try await ledger.refunds.list(openOf: .named("ann"), limit: 10).isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [0, 10] as [Int64])
    func `a reversed refund leaves the purchase and its coins as they were`(feePercent: Int64) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            let before = try await ledger.refunds.quote(for: nil, of: purchase, policy: .free)
            let balance = try await ledger.balances.find(of: purchase.user)
            let refund = try await ledger.begin(
                .sample(of: purchase.id, feePercent: feePercent, method: .bankTransfer))
            let reversed = try #require(try await ledger.submit(ReverseRefund.sample(of: refund)).reversedRefund)
            #expect(reversed.refund.status == .reversed && reversed.balance == balance)
            #expect(try await ledger.purchases.find(purchase.id) == purchase)
            #expect(try await ledger.refunds.quote(for: nil, of: purchase, policy: .free) == before)
            for account in ["refunds:payable", "revenue:refund-fees"] {
                #expect(try await test.total(account) == 0)
            }
            try await Audit.expectSound(test)
            // All can still happen to it.
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent))
            let whole = try await ledger.begin(.sample("whole", of: purchase.id))
            #expect(whole.value == 1000)
            _ = try await ledger.submit(CompleteRefund.sample(whole))
            try await Audit.expectSound(test)
        }
    }

    @Test func `what is paid or reversed stays so, and a refund by the gateway is neither`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let first = try await ledger.begin(.sample("a", of: purchase.id, coins: 20, method: .bankTransfer))
            let second = try await ledger.begin(.sample("b", of: purchase.id, coins: 20, method: .bankTransfer))
            let third = try await ledger.begin(.sample("d", of: purchase.id, coins: 20, method: .bankTransfer))
            let atGateway = try await ledger.begin(.sample("c", of: purchase.id, coins: 20))
            let payment = PayRefund.sample("pay", of: first)
            let paid = try await ledger.submit(payment)
            let again = try await ledger.submit(payment)
            #expect(!paid.isRepeat && again.isRepeat && again.paidRefund == paid.paidRefund)
            _ = try await ledger.submit(ReverseRefund.sample("undo", of: second))
            #expect(
                try await ledger.submit(PayRefund.sample("pay-2", of: first)).refusal == .refundNotApproved(.completed))
            #expect(
                try await ledger.submit(ReverseRefund.sample("undo-2", of: first)).refusal
                    == .refundNotApproved(.completed))
            #expect(
                try await ledger.submit(PayRefund.sample("pay-3", of: second)).refusal == .refundNotApproved(.reversed))
            #expect(
                try await ledger.submit(PayRefund.sample("pay-4", of: atGateway)).refusal
                    == .refundNotApproved(.pending))
            // The gateway's workers leave it alone.
            for act in [CompleteRefund.sample(third), ReleaseRefund.sample(third)] as [any Act] {
                #expect(try await ledger.answer(to: act).isRepeat)
            }
            #expect(try await ledger.refunds.find(third.id)?.status == .approved)
            try await test.execute("UPDATE refund SET next_attempt_at = now() - interval '1 day'")
            let due = try await ledger.refunds.takeDue(limit: 10, lease: .seconds(1))
            #expect(due.map(\.id) == [atGateway.id])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a reversal after the lot's expiry lets its coins be used for a while, or expire at once`() async throws
    {
        try await Calendar.with { calendar in
            let ledger = calendar.ledger
            for (number, grace, day) in [(1, Int64(3600), "2026-01-02"), (2, 0, "2026-01-03")] {
                let purchase = try await ledger.buy(
                    .sample(number, by: "user-\(number)", expiresAt: Calendar.noon(day) - 1))
                let refund = try await ledger.begin(
                    .sample("r-\(number)", of: purchase.id, by: "user-\(number)", method: .bankTransfer))
                try await calendar.go(to: day)
                _ = try await ledger.submit(ReverseRefund.sample("undo-\(number)", of: refund, grace: grace))
                let due = try await ledger.lots.listDue(limit: 10).filter { $0.user == purchase.user }
                #expect(due.isEmpty == (grace > 0))
                for lot in due { _ = try await ledger.submit(ExpireLot(user: lot.user, lotID: lot.id)) }
            }
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `coins that come back of a refund pay a debt first`() async throws {
        try await TestLedger.with { ledger, test in
            let refunded = try await ledger.buy(.sample(1, bonus: 0))
            let cancelled = try await ledger.buy(.sample(2, bonus: 0))
            let refund = try await ledger.begin(.sample(of: refunded.id, method: .bankTransfer))
            _ = try await ledger.submit(Spend.sample(coins: 40))
            _ = try await ledger.submit(ClawBack.sample(of: cancelled, 1000))
            let reversed = try #require(try await ledger.submit(ReverseRefund.sample(of: refund)).reversedRefund)
            #expect(reversed.balance.debt == 0 && reversed.balance.paid == 60)
            try await Audit.expectSound(test)
        }
    }

    /// The gateway cancels ₩1,000, of which ₩600 go back by bank transfer.
    @Test func `a cancellation of money that goes back by bank transfer takes only what is left`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 60, method: .bankTransfer))
            func cancel(_ amount: Int64) async throws -> ClawedBack {
                let act = ClawBack.sample(of: purchase, amount)
                return try #require(try await ledger.submit(act).clawedBack)
            }
            let part = try await cancel(300)
            #expect(part.coins == 30 && part.purchase.refundedAmount == 900 && part.purchase.cancelledAmount == 300)
            #expect(part.purchase.refundedTwice(cancelled: 300) == 0)
            let whole = try await cancel(1000)
            #expect(whole.coins == 10 && whole.purchase.refundedAmount == 1000 && whole.purchase.cancelledAmount == 400)
            #expect(whole.purchase.refundedTwice(cancelled: 1000) == 600)
            #expect(try await cancel(1000).coins == 0)
            try await Audit.expectSound(test)
            // What the gateway cancelled twice is open there, until the transfer is taken back.
            let open = try await ledger.settlements.listOutstanding(asOf: Date(), limit: 10)
            #expect(open.payments.map(\.outstanding) == [600] && open.balance == 600)

            _ = try await ledger.submit(ReverseRefund.sample(of: refund))
            let rest = try await cancel(1000)
            #expect(rest.coins == 60 && rest.purchase.cancelledAmount == 1000 && rest.balance.total == 0)
            #expect(rest.purchase.refundedTwice(cancelled: 1000) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of payments and reversals at once, one wins`() async throws {
        try await TestLedger.with { ledger, test in
            var won: Set<String> = []
            for number in 1...20 {
                let purchase = try await ledger.buy(.sample(number, bonus: 0))
                let refund = try await ledger.begin(
                    .sample("refund-\(number)", of: purchase.id, method: .bankTransfer))
                let answers = try await together(6) { which in
                    let act: any Act =
                        (which + number).isMultiple(of: 2)
                        ? PayRefund.sample("pay-\(number)-\(which)", of: refund)
                        : ReverseRefund.sample("undo-\(number)-\(which)", of: refund)
                    return try await ledger.answer(to: act)
                }
                #expect(answers.filter { $0.refusal == nil }.count == 1)
                won.insert(answers.contains { $0.paidRefund != nil } ? "paid" : "reversed")
            }
            #expect(won.count == 2, "one of them always came first, so nothing was raced")
            try await Audit.expectSound(test)
        }
    }

    @Test func `of approvals and spends of the same coins at once never more goes than there was`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await together(24) { number in
                let act: any Act =
                    switch number % 3 {
                    case 0: BeginRefund.sample("bank-\(number)", of: purchase.id, coins: 15, method: .bankTransfer)
                    case 1: Spend.sample("spend-\(number)", coins: 7)
                    default: BeginRefund.sample("gateway-\(number)", of: purchase.id, coins: 9)
                    }
                if let refund = try await ledger.answer(to: act).begun, refund.method == .gateway {
                    _ = try await ledger.submit(CompleteRefund.sample(refund))
                }
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `purchases as of a moment show a reversed refund only while it stood`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40, method: .bankTransfer))
            let then = try await ReportTests.clock(of: test)
            _ = try await ledger.submit(ReverseRefund.sample(of: refund))
            let other = try await ledger.begin(.sample("b", of: purchase.id, coins: 20, method: .bankTransfer))
            func refunded(_ options: [ExportOption: String]) async throws -> [String?] {
                try await ledger.export(.purchases, options).records.map { $0["refunded_amount"] }
            }
            #expect(try await refunded([.asOf: then]) == ["400"])
            #expect(try await refunded([:]) == ["200"])
            _ = try await ledger.submit(ReverseRefund.sample("undo-2", of: other))
            #expect(try await refunded([.asOf: then]) == ["400"], "although nothing of it is refunded now")
            #expect(try await refunded([.asOf: ReportTests.clock(of: test)]) == ["0"])
            try await Audit.expectSound(test)
        }
    }
}
