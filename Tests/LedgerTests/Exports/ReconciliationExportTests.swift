import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What a run found, taken out as a file.
@Suite(.timeLimit(.minutes(20))) struct ReconciliationExportTests {
    private static let paidAt = Date(timeIntervalSince1970: 1_793_458_800)

    /// A run that found two payments as they should be and two that are not.
    private static func complete(_ ledger: Ledger) async throws -> ReconciliationRun {
        let purchase = try await ledger.buy(.sample(1))
        func atGateway(_ amount: Int64, cancelled: Int64 = 0) -> Comparison.GatewaySide {
            .init(status: "paid", amount: amount, cancelledAmount: cancelled, currency: "KRW", paidAt: paidAt)
        }
        let books = Comparison.BooksSide(.init(purchase: purchase, pendingRefundAmount: nil))
        func payment(_ number: Int) -> PaymentIdentity { CreditPurchase.sample(number).payment }
        let found = [
            Comparison(.matched, of: payment(1), gateway: atGateway(1000), books: books),
            Comparison(.matched, of: payment(2), gateway: atGateway(500, cancelled: 500)),
            Comparison(.paidNotCredited, of: payment(3), gateway: atGateway(3000)),
            Comparison(.creditedNotPaid, of: payment(4), books: books),
        ]
        let lease = try await begin(ledger)
        #expect(try await ledger.reconciliations.advance(lease, to: "examine", place: nil, adding: found))
        try await ledger.reconciliations.leaveToPerson(lease)
        _ = try #require(try await ledger.reconciliations.complete(lease))
        return lease.run
    }

    private static func begin(_ ledger: Ledger) async throws -> ReconciliationLease {
        let draft = ReconciliationDraft(
            period: paidAt..<paidAt.addingTimeInterval(86_400), heals: false, gateways: ["portone-v1"])
        let run = try #require(try await ledger.reconciliations.start(draft, stage: "list")).run
        return try #require(try await ledger.reconciliations.take(run.id, ofGateways: ["portone-v1"]))
    }

    @Test func `a run's payments are its rows, and their amounts its totals`() async throws {
        try await TestLedger.with { ledger, _ in
            let run = try await Self.complete(ledger)
            let export = try await ledger.export(.reconciliation, [.timeZone: "Asia/Seoul"])
            let rows = export.records
            #expect(rows.map { $0["kind"] } == ["matched", "matched", "paid_not_credited", "credited_not_paid"])
            #expect(rows.map { $0["outcome"] } == ["", "", "needs_person", "needs_person"])
            #expect(rows.allSatisfy { $0["run"] == String(run.id) && $0["gateway"] == "portone-v1" })
            #expect(rows.map { $0["imp_uid"] } == (1...4).map { "imp_\($0)" })
            #expect(rows.map { $0["paid_amount"] } == ["1000", "500", "3000", ""])
            #expect(rows.map { $0["credited_amount"] } == ["1000", "", "", "1000"])
            #expect(rows[0]["paid_at"] == "2026-11-01T00:00:00.000+09:00" && rows[3]["paid_at"] == "")
            #expect(rows[2]["purchase"] == "" && rows[3]["purchase"] == rows[0]["purchase"])
            #expect(export.trailer.rows == 4 && export.trailer.sha256 == export.sha256OfBody)
            let totals = export.trailer.totals.named.map { "\($0.column) \($0.totals.map(\.total))" }
            #expect(
                totals == [
                    "paid_amount [\"4500\"]", "cancelled_amount [\"500\"]", "credited_amount [\"2000\"]",
                    "refunded_amount [\"0\"]", "transferred_amount [\"0\"]",
                ])
            let lines = try await ledger.export(.reconciliation, [.format: "jsonl"]).objects
            #expect(lines.count == 4 && lines[2]["paid_amount"] as? Int == 3000 && lines[2]["purchase"] is NSNull)
        }
    }

    @Test func `a run gives the same bytes whatever happens after it, and is the last until another is completed`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let first = try await Self.complete(ledger)
            let before = try await ledger.export(.reconciliation)
            // The books go on, and so does another run.
            _ = try await ledger.clawBack(try await ledger.buy(.sample(1)), 1000)
            let lease = try await Self.begin(ledger)
            #expect(try await ledger.export(.reconciliation).bytes == before.bytes)
            _ = try #require(try await ledger.reconciliations.complete(lease))
            #expect(try await ledger.export(.reconciliation).trailer.rows == 0)
            #expect(try await ledger.export(.reconciliation, [.run: String(first.id)]).bytes == before.bytes)
        }
    }

    @Test func `a run that is not there or not completed is not exported`() async throws {
        try await TestLedger.with { ledger, _ in
            func refusal(_ run: String? = nil) async throws -> ExportRefusal? {
                let options: [ExportOption: String] = run.map { [.run: $0] } ?? [:]
                switch try await ledger.exports.begin(try ExportRequest(.reconciliation, options, in: .gmt)) {
                case .success: return nil
                case .failure(let refusal): return refusal
                }
            }
            #expect(try await refusal() == .noCompletedRun)
            #expect(try await refusal("999") == .noSuchRun(999))
            let lease = try await Self.begin(ledger)
            let id = lease.run.id
            #expect(try await refusal(String(id)) == .runNotCompleted(id, .running))
            #expect(try await refusal() == .noCompletedRun)
            // Those that did not begin hold no place and no connection.
            for _ in 0...Exports.most { #expect(try await refusal("999") == .noSuchRun(999)) }
            _ = try await ledger.reconciliations.complete(lease)
            #expect(try await refusal(String(id)) == nil)
            let began = try await ledger.exports.begin(try ExportRequest(.reconciliation, in: .gmt)).get()
            #expect(began.request.fileName == "reconciliation_run_\(id).csv")
        }
    }
}
