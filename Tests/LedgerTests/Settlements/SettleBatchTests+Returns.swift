import CivilTime
import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// What was given back is kept back by a finance report.
extension SettleBatchTests {
    @Test func `pieces that were given back are kept back, and a part of a piece is for a person`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let part = try await Self.buy(ledger, 2)
            try await Self.clawBack(ledger, part, to: 300, at: "2026-01-21T03:00:00Z")
            // After the period.
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-31T15:00:00Z")
            let file = FinanceReportFile([("c100", "S", "4", "3360"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty)
            #expect(draft.leftOut.last?.description.contains("\"coins_100 \(part.payment.paymentID)\"") == true)
            #expect(draft.leftOut.map(\.kind) == [.total, .total, .piecesUnknown])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 3 && report.file.settled.net == 2520)
            #expect(try await Self.book(ledger, Self.february([("c100", "R", "-1", "-840")])).settledNow == 1)
            // What is left is owed to Apple: the part.
            #expect(try await test.total("app-store:receivable") == -300)
            #expect(try await ledger.settlements.listOutstanding(limit: 9).payments.map(\.outstanding) == [-300])
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was given back in a closed month is of the month in which it happened`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            let closing = try await ledger.periods.close(
                until: try Date("2026-02-28T15:00:00Z", strategy: .iso8601), by: "finance")
            guard case .closed = closing else {
                Issue.record("\(closing)")
                return
            }
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE late_for IS NOT NULL") == 1)
            let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == [-1200, 1200])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 2)
        }
    }

    @Test func `a refund by bank transfer is none of the store's, and what the store gives back after it is told`()
        async throws
    {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            let begun = try await ledger.submit(
                BeginRefund.sample(of: sold.id, by: sold.user, method: .bankTransfer))
            #expect(begun.refusal == nil)
            let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: true, report: 1, books: 0)])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            #expect(try await test.total("app-store:receivable") == 0)
            try await Audit.expectSound(test)
        }
    }

    /// A report of these days before and after today, which are days of disputes' decisions.
    private static func today(
        _ until: Int64, _ rows: [(product: String, kind: String, pieces: String, share: String)]
    ) throws -> FinanceReport {
        let today = Int64(Date().timeIntervalSince1970) / 86_400
        func written(_ day: Int64) -> String {
            let date = CivilDate(daysSince1970: day).description.split(separator: "-")
            return "\(date[1])/\(date[2])/\(date[0])"
        }
        var file = FinanceReportFile()
        for row in rows {
            file.add(
                row.product, row.kind, row.pieces, row.share, from: written(today - 10), to: written(today + until))
        }
        return try file.report(paidOutOn: CivilDate(daysSince1970: today).description)
    }

    @Test func `what a dispute took and gave back is sold once more, in the report that keeps it back`() async throws {
        try await Self.with { ledger, test in
            let yesterday = Date().addingTimeInterval(-86_400 * 2).formatted(.iso8601)
            let sold = try await Self.buy(ledger, 1, paidAt: yesterday)
            let settlements = ledger.settlements
            let first = try await settlements.lines(of: try Self.today(10, [("c100", "S", "1", "840")]))
            #expect(try await settlements.book(first, by: "finance").settledNow == 1)
            let lost = try await ledger.lose(sold)
            _ = try await ledger.submit(try await ledger.win("won", lost.dispute))
            let later = try Self.today(11, [("c100", "R", "-1", "-840"), ("c100", "S", "1", "840")])
            let draft = try await settlements.lines(of: later)
            #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == [-1200, 1200])
            #expect(try await settlements.book(draft, by: "finance").settledNow == 2)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }
}
