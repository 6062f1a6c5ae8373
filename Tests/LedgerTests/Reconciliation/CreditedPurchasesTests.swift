import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// What a run looks up although no gateway listed it.
@Suite(.timeLimit(.minutes(20))) struct CreditedPurchasesTests {
    @Test func `a refund is compared in its own period, however long ago its payment was`() async throws {
        try await TestLedger.with { ledger, test in
            let refunded = try await ledger.buy(.sample(1))
            let pending = try await ledger.buy(.sample(2))
            _ = try await ledger.credit(.sample(3))
            _ = try await ledger.submit(CompleteRefund.sample(try await ledger.begin(.sample(of: refunded.id))))
            _ = try await ledger.begin(.sample("pending", of: pending.id))

            let now = Date()
            let paid = refunded.paidAt
            #expect(
                try await Self.items(ledger, now.addingTimeInterval(-3600)..<now.addingTimeInterval(3600)) == ["imp_1"])
            #expect(
                try await Self.items(ledger, paid..<paid.addingTimeInterval(2)) == ["imp_1", "imp_2"],
                "the payment's own period has it too, once")
        }
    }

    private static func items(_ ledger: Ledger, _ period: Range<Date>) async throws -> [String] {
        let draft = ReconciliationDraft(period: period, heals: false, gateways: ["portone-v1"])
        let run = try #require(try await ledger.reconciliations.start(draft, stage: "list")).run
        let lease = try #require(try await ledger.reconciliations.take(run.id, ofGateways: ["portone-v1"]))
        try await ledger.reconciliations.addCredited(lease)
        return try await ledger.reconciliations.unexamined(of: lease, limit: 10).map(\.comparison.payment.paymentID)
            .sorted()
    }
}
