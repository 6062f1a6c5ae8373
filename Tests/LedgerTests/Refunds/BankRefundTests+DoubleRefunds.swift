import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

extension BankRefundTests {
    /// The gateway cancels ₩1,000, of which ₩600 were paid by bank transfer.
    @Test func `money that went back twice and is paid back went back once, and the finding is over`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 60, method: .bankTransfer))
            #expect(try await ledger.submit(RepayRefund.sample("0", of: refund)).refusal == .refundNotPaid(.approved))
            _ = try await ledger.submit(PayRefund.sample(of: refund))
            _ = try await ledger.clawBack(purchase, 1000)
            try await ledger.findings.note(
                .refundedTwice, purchase.payment, of: purchase.user, amount: 1000, currency: "KRW", paidAt: nil)
            func open() async throws -> [Finding.Kind] { try await ledger.findings.list(limit: 9).elements.map(\.kind) }
            #expect(try await open() == [.refundedTwice])

            let early = RepayRefund.sample("early", of: refund, at: Date(timeIntervalSinceNow: -24.5 * 3600))
            #expect(try await ledger.submit(early).refusal == .implausiblePaymentDate)
            let act = RepayRefund.sample(of: refund)
            let repaid = try #require(try await ledger.submit(act).reversedRefund)
            #expect(repaid.refund.status == .reversed && repaid.balance.paid == 60)
            let transfer = try #require(repaid.refund.transfer)
            #expect(transfer.repaymentReference == "KB 7" && transfer.bankReference != nil)
            #expect(try await ledger.refunds.find(refund.id)?.transfer?.repaidAt != nil)
            #expect(try await ledger.submit(act).isRepeat)
            #expect(try await ledger.submit(RepayRefund.sample("2", of: refund)).refusal == .refundNotPaid(.reversed))
            #expect(try await open().isEmpty, "it is resolved with the repayment")
            #expect(try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL") == 0)
            let money = try await test.number(
                "SELECT sum(balance)::int8 FROM account WHERE code ~ '^(bank|refunds:payable)/'")
            #expect(money == 0)
            try await Audit.expectSound(test)

            // The payment is reviewed: the gateway cancelled the same money.
            let rest = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(rest.coins == 60 && rest.balance.total == 0)
            #expect(rest.purchase.refundedTwice(cancelled: 1000) == 0)
            #expect(try await ledger.settlements.listOutstanding(asOf: Date(), limit: 10).payments.isEmpty)
            try await Audit.expectSound(test)
        }
    }

    /// Of ₩1,000, two transfers of ₩300 are approved, and the gateway cancels ₩500: ₩100 would go back twice.
    @Test func `a double refund is over when one of two transfers is reversed, and the other is to be paid`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            var refunds: [Refund] = []
            for key in ["a", "b"] {
                refunds.append(try await ledger.begin(.sample(key, of: purchase.id, coins: 30, method: .bankTransfer)))
            }
            let part = try #require(try await ledger.clawBack(purchase, 500).clawedBack)
            #expect(part.purchase.refundedTwice(cancelled: 500) == 100 && part.purchase.cancelledAmount == 400)
            try await ledger.findings.note(
                .refundedTwice, purchase.payment, of: purchase.user, amount: 1000, currency: "KRW", paidAt: nil,
                cancelled: 500)
            func open() async throws -> [Finding.Kind] { try await ledger.findings.list(limit: 9).elements.map(\.kind) }
            func listed() async throws -> [[String]] {
                try await ledger.refunds.listTransfers(limit: 9).elements.map(\.findings)
            }
            #expect(try await open() == [.refundedTwice])
            #expect(try await listed() == [["refunded_twice"], ["refunded_twice"]])
            try await ledger.findings.settle()
            #expect(try await open() == [.refundedTwice], "it stands")

            _ = try await ledger.submit(ReverseRefund.sample(of: refunds[0]))
            #expect(try await open().isEmpty, "₩500 and ₩300 are no more than was paid")
            #expect(try await listed() == [[]], "the customer is owed these ₩300")
            #expect(try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL") == 0)
            #expect(try await test.number("SELECT count(*) FROM occurrence WHERE type = 'finding.closed'") == 1)
            // The payment is reviewed: ₩100 more are clawed back, and the transfer is paid.
            #expect(try await ledger.clawBack(purchase, 500).clawedBack?.purchase.cancelledAmount == 500)
            _ = try await ledger.submit(PayRefund.sample(of: refunds[1]))
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 800)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a double refund of one won stands, and another problem of the payment outlives it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            var refunds: [Refund] = []
            for key in ["a", "b"] {
                refunds.append(try await ledger.begin(.sample(key, of: purchase.id, coins: 30, method: .bankTransfer)))
            }
            _ = try await ledger.clawBack(purchase, 701)
            func note(_ kind: Finding.Kind, _ cancelled: Int64?) async throws {
                try await ledger.findings.note(
                    kind, purchase.payment, of: purchase.user, amount: 1000, currency: "KRW", paidAt: nil,
                    cancelled: cancelled)
            }
            try await note(.disputeUnreadable, nil)
            try await note(.refundedTwice, 701)
            // An answer from before is stored after it, as by another process.
            try await note(.refundedTwice, 700)
            func kinds() async throws -> [[Finding.Kind]] {
                try await ledger.findings.list(limit: 9).elements.map(\.kinds)
            }
            _ = try await ledger.submit(ReverseRefund.sample(of: refunds[0]))
            #expect(try await kinds() == [[.disputeUnreadable, .refundedTwice]], "₩701 and ₩300")
            // An answer from before ₩701 were cancelled disproves nothing.
            try await ledger.findings.end(.refundedTwice, under: purchase.payment, cancelled: 700)
            #expect(try await kinds() == [[.disputeUnreadable, .refundedTwice]])
            _ = try await ledger.submit(ReverseRefund.sample("other", of: refunds[1]))
            #expect(try await kinds() == [[.disputeUnreadable]])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a repayment brings no coins back for a dispute that finance booked as lost`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 60, method: .bankTransfer))
            _ = try await ledger.submit(PayRefund.sample(of: refund))
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            _ = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))
            #expect(try await ledger.submit(RepayRefund.sample(of: refund)).refusal == .disputeDecided(.lost))
            try await Audit.expectSound(test)
        }
    }
}
