import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// What comes after an import of a finance report, and an import that was interrupted.
extension SettleBatchTests {
    /// What a draft is, and that another file of the period books none of it twice.
    private static func bookOnce(
        _ ledger: Ledger, _ file: FinanceReportFile, inFebruary: Bool = false, gross: [Int64], new: Int
    ) async throws {
        let draft = try await lines(ledger, file)
        #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == gross)
        let outcomes = try await ledger.settlements.preview(draft).lines.map(\.outcome)
        #expect(outcomes.count { $0 == .booked } == new)
        #expect(outcomes.allSatisfy { [.booked, .refused("already_settled")].contains($0) })
        #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == Int64(new))
        #expect(try await book(ledger, file).settledNow == 0)
        let (first, last) = inFebruary ? ("02/01/2026", "02/28/2026") : ("12/28/2025", "01/31/2026")
        var other = file
        other.add("books", "S", "1", "5000", from: first, to: last)
        let twice = try await book(ledger, other)
        #expect(twice.settledNow == 0 && twice.file.lines[.refused] == Int64(gross.count))
    }

    @Test func `what is told after an import is a further line of its purchase`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-2", "-1680")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: true, report: 2, books: 1)])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 2)
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-21T03:00:00Z")
            try await Self.bookOnce(ledger, file, gross: [-1200, -1200, 3600], new: 1)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `an interrupted import has what came meanwhile beside the lines that it stored`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-2", "-1680")])
            _ = try await ledger.settlements.store(try await Self.lines(ledger, file), by: "finance") { _ in }
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-21T03:00:00Z")
            try await Self.bookOnce(ledger, file, gross: [-1200, -1200, 3600], new: 3)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [false, true])
    func `what was given back and taken back in a period is sold twice in its report`(isToldLate: Bool) async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "2", "1680"), ("c100", "R", "-1", "-840")])
            if isToldLate { #expect(try await Self.book(ledger, file).settledNow == 2) }
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            try await Self.bookOnce(ledger, file, gross: [-1200, 1200, 1200], new: isToldLate ? 1 : 3)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what a report keeps back makes room for what it has sold once more`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            #expect(try await Self.book(ledger, FinanceReportFile([("c100", "S", "1", "840")])).settledNow == 1)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-02-10T03:00:00Z")
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            let file = Self.february([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            // Without it there is none: of a payment never more is paid out than was paid.
            let none = try await Self.lines(ledger, Self.february([("c100", "S", "1", "840")]))
            #expect(none.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: false, report: 1, books: 0)])
            try await Self.bookOnce(ledger, file, inFebruary: true, gross: [-1200, 1200], new: 2)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of a refund that the store took back in part, the part is sold once more`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            let cancelledAt = try Date("2026-01-20T03:00:00Z", strategy: .iso8601)
            _ = try await ledger.submit(ClawBack.sample(of: sold, 2400, cancelledAt: cancelledAt))
            _ = try await ledger.submit(
                try await ledger.reversal(of: sold, total: 1200, cancelledAt: cancelledAt))
            let file = FinanceReportFile([("c100", "S", "4", "3360"), ("c100", "R", "-2", "-1680")])
            try await Self.bookOnce(ledger, file, gross: [-2400, 3600, 1200], new: 3)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 1680)
            // The rest, too.
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            let february = Self.february([("c100", "S", "1", "840")])
            try await Self.bookOnce(ledger, february, inFebruary: true, gross: [1200], new: 1)
            #expect(try await test.total("app-store:receivable") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `more than was paid is kept back by one import after the other`() {
        func parts(_ settled: Int64, _ paidOut: Int64, isReturn: Bool, open: Int64, keptBack: Int64 = 0) -> [Int64] {
            let sale = ReportableSale(
                purchaseID: 1, payment: "1", product: "coins_100", amount: 1200, coins: 100, coinsEach: 100,
                settled: settled, paidOut: paidOut, sold: ReportableSale.Side(open: isReturn ? 0 : open),
                returned: ReportableSale.Side(open: isReturn ? open : 0))
            return sale.parts(isReturn: isReturn, besides: 0, keptBack: keptBack)
        }
        // Sold, and twice given back and taken back.
        #expect(parts(0, 0, isReturn: true, open: 2400) == [1200])
        #expect(parts(0, 0, isReturn: false, open: 3600, keptBack: 1200) == [1200, 1200])
        #expect(parts(1200, 2400, isReturn: true, open: 1200) == [1200])
        #expect(parts(1200, 2400, isReturn: false, open: 1200, keptBack: 1200) == [1200])
        #expect(parts(1200, 3600, isReturn: false, open: 0).isEmpty)
    }

    @Test func `an interrupted import goes on with the lines that it stored, whatever came meanwhile`() async throws {
        try await Self.with { ledger, test in
            try await Self.buy(ledger, 1)
            try await Self.buy(ledger, 2)
            let file = FinanceReportFile([("c100", "S", "2", "1681")])
            let first = try await Self.lines(ledger, file)
            _ = try await ledger.settlements.store(first, by: "finance") { _ in }
            // An older one, which would be the first.
            try await Self.buy(ledger, 3, paidAt: "2026-01-02T03:00:00Z")
            let draft = try await Self.lines(ledger, file)
            #expect(draft.lines == first.lines && draft.leftOut.map(\.kind) == [.total, .total, .notInReport])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 2 && report.file.settled.net == 1681)
            #expect(report.file.lines[.waiting] == 0)
            #expect(try await ledger.settlements.listOutstanding(limit: 9).payments.count == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `only lines of the file as it is read now are booked, and not what an interrupted import stored`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            for number in 1...2 { _ = try await ledger.buy(.sample(number, by: "user-\(number)")) }
            let rows =
                [("imp_1", 1000, 30, 0, "2026-11-20"), ("imp_2", 1000, 30, 0, "2026-11-20")]
                as [(String, Int64, Int64, Int64, String)]
            let whole = try SettlementFileDraft.sample(rows)
            _ = try await ledger.settlements.store(whole, by: "finance") { _ in }
            let part = SettlementFileDraft(
                name: whole.name, sha256: whole.sha256, lines: Array(whole.lines.suffix(1)), problems: [], leftOut: [])
            let report = try await ledger.settlements.book(part, by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.waiting] == 1)
            let open = try await ledger.settlements.listOutstanding(limit: 9).payments
            #expect(open.map(\.payment.paymentID) == ["imp_1"])
            #expect(try await ledger.settlements.book(whole, by: "finance").settledNow == 1)
            try await Audit.expectSound(test)
        }
    }
}
