import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// Two items of a run are one payment if both APIs say the same of it, and not for the name of its order alone.
@Suite(.timeLimit(.minutes(20))) struct TwinsTests {
    private static let paidAt = Date(timeIntervalSince1970: 1_767_225_601)

    @Test func `the second item of a payment goes, and that of another payment stays`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let credited = try #require(
                try await ledger.reconciliations.purchases(sharing: [Self.v1("imp_1", "order_1")])[
                    Self.v1("imp_1", "order_1")])
            let lease = try await Self.lease(in: ledger)
            let comparisons = [
                // Credited through V1: it stays though V2's is met first.
                Self.item(Self.v2("tx_1", "order_1"), books: credited),
                Self.item(Self.v1("imp_1", "order_1"), books: credited),
                // Credited by nobody: the first API's stays.
                Self.item(Self.v2("tx_2", "order_2"), paidAt: Self.paidAt + 0.9),
                Self.item(Self.v1("imp_2", "order_2")),
                // Of another time, another amount, another currency, and two attempts through one API.
                Self.item(Self.v1("imp_3", "order_3")), Self.item(Self.v2("tx_3", "order_3"), paidAt: Self.paidAt + 5),
                Self.item(Self.v1("imp_4", "order_4")), Self.item(Self.v2("tx_4", "order_4"), amount: 1100),
                Self.item(Self.v1("imp_5", "order_5")), Self.item(Self.v2("tx_5", "order_5"), currency: "USD"),
                Self.item(Self.v1("imp_6", "order_6")), Self.item(Self.v1("imp_7", "order_6")),
                Self.item(Self.v1("imp_8", "order_8"), paidAt: nil), Self.item(Self.v2("tx_8", "order_8")),
            ]
            #expect(try await ledger.reconciliations.advance(lease, to: "examining", place: nil, adding: comparisons))
            for _ in 1...2 { try await ledger.reconciliations.unite(lease) }
            let items = try await ledger.reconciliations.listItems(of: lease.run.id, limit: 100).elements
            let left = Set(items.map(\.comparison.payment.paymentID))
            #expect(left == Set(comparisons.map(\.payment.paymentID)).subtracting(["tx_1", "tx_2"]))

            let gone = try #require(items.first?.id)
            try await ledger.reconciliations.store([(id: gone, comparison: nil)], of: lease)
            #expect(
                try await ledger.reconciliations.listItems(of: lease.run.id, limit: 100).elements.count == items.count
                    - 1)
        }
    }

    @Test func `nothing matches that no gateway knows`() async throws {
        try await TestLedger.with { ledger, _ in
            let lease = try await Self.lease(in: ledger)
            await #expect(throws: LedgerError.self) {
                try await ledger.reconciliations.advance(
                    lease, to: "examining", place: nil, adding: [Comparison(.matched, of: Self.v1("imp_1", "order_1"))])
            }
        }
    }

    private static func lease(in ledger: Ledger) async throws -> ReconciliationLease {
        let draft = ReconciliationDraft(
            period: paidAt..<paidAt + 60, heals: false, gateways: ["portone-v1", "portone-v2"])
        let run = try #require(try await ledger.reconciliations.start(draft, stage: "examining")).run
        return try #require(try await ledger.reconciliations.take(run.id, ofGateways: draft.gateways))
    }

    private static func v1(_ id: String, _ order: String) -> PaymentIdentity {
        .sample(paymentID: id, merchantUID: order)
    }

    private static func v2(_ id: String, _ order: String) -> PaymentIdentity {
        .sampleInV2(paymentID: id, merchantUID: order)
    }

    private static func item(
        _ payment: PaymentIdentity, amount: Int64 = 1000, currency: String = "KRW", paidAt: Date? = paidAt,
        books: KnownPurchases.Known? = nil
    ) -> Comparison {
        Comparison(
            books == nil ? .paidNotCredited : .matched, of: payment,
            gateway: .init(status: "paid", amount: amount, cancelledAmount: 0, currency: currency, paidAt: paidAt),
            books: books.map(Comparison.BooksSide.init))
    }
}
