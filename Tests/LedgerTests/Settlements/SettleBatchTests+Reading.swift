import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// What a finance report says.
extension SettleBatchTests {
    @Test func `rows of a product are added up, and what is below them is left out`() throws {
        var file = FinanceReportFile([
            ("c100", "S", "2", "1527.272728"), ("c100", "S", "1", "763.5"), ("c100", "R", "-1", "-763.64"),
        ])
        file.add("c100", "S", "1", "0.70", currency: "USD", customers: "USD")
        let report = try file.report()
        #expect(report.sold["c100"]?.pieces == 3 && report.sold["c100"]?.millionths == 2_290_772_728)
        #expect(report.returned["c100"]?.pieces == 1 && report.returned["c100"]?.millionths == 763_640_000)
        #expect(report.leftOut.map(\.kind) == [.otherCurrency, .total, .total])
        let first = try Date("2025-12-27T15:00:00Z", strategy: .iso8601)
        #expect(report.period == first..<(try Date("2026-01-31T15:00:00Z", strategy: .iso8601)))
        #expect(report.lastDay == "2026-01-31")
        #expect(report.paidOutAt == (try Date("2026-03-04T15:00:00Z", strategy: .iso8601)))
    }

    private static let unreadable: [(kind: String, pieces: String, share: String)] = [
        ("X", "1", "840"), ("S", "0", "840"), ("S", "-1", "840"), ("R", "1", "-840"), ("S", "1", "-840"),
        ("S", "", "840"), ("S", "1", ""), ("S", "1", "8,40"), ("S", "1", "840.0000001"), ("S", "x", "840"),
    ]

    @Test(arguments: unreadable)
    func `a row that can't be read refuses the report`(row: (kind: String, pieces: String, share: String)) {
        let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", row.kind, row.pieces, row.share)])
        #expect { try file.report() } throws: { ($0 as? SettlementFileProblem)?.line == 3 }
    }

    @Test(
        arguments: [
            ("12/26/2025", -1), ("12/27/2025", 0), ("12/28/2025", nil), ("02/05/2026", nil), ("02/06/2026", 41),
            ("12/31/2999", 355_750),
        ] as [(String, Int64?)])
    func `a period is of 1 to 40 days`(last: String, refused: Int64?) throws {
        var file = FinanceReportFile()
        file.add("c100", "S", "1", "840", to: last)
        guard let refused else {
            #expect(try file.report().sold["c100"]?.pieces == 1)
            return
        }
        #expect { try file.report() } throws: { error in
            let problem = error as? SettlementFileProblem
            return problem?.fault == .periodOfDays(refused) && problem?.column == "End Date"
        }
    }

    @Test func `a row that was free is left out, and its pieces do not count`() throws {
        let report = try FinanceReportFile([("c100", "S", "1", "840"), ("c100", "S", "2", "0.00")]).report()
        #expect(report.sold["c100"]?.pieces == 1)
        #expect(report.leftOut.map(\.kind) == [.nothing, .total, .total] && report.leftOut.first?.line == 3)
    }

    @Test func `a report of two periods, of none, or without won is refused`() throws {
        var file = FinanceReportFile([("c100", "S", "1", "840")])
        file.add("c100", "S", "1", "840", to: "02/28/2026")
        #expect { try file.report() } throws: { ($0 as? SettlementFileProblem)?.fault == .otherPeriod }
        var abroad = FinanceReportFile()
        abroad.add("c100", "S", "1", "0.70", currency: "USD")
        #expect(throws: SettlementFileProblem(.payoutMissing("USD"))) { try abroad.report() }
        abroad = FinanceReportFile()
        abroad.add("c100", "S", "1", "840", customers: "USD")
        #expect(throws: SettlementFileProblem(.nothingInWon)) { try abroad.report() }
        abroad = FinanceReportFile()
        abroad.add("c100", "S", "1", "840", from: "13/01/2026")
        #expect { try abroad.report() } throws: { ($0 as? SettlementFileProblem)?.column == "Start Date" }
    }

    @Test(
        arguments: [
            (1200, 1200, 100, 100, 1), (3600, 3600, 300, 100, 3), (1200, 3600, 300, 100, 1),
            (2400, 1200, 100, 100, 2), (1000, 3600, 300, 100, nil),
            (1200, 1200, 150, 100, nil), (1200, 1200, 100, nil, nil), (-1200, 1200, 100, 100, nil),
        ] as [(Int64, Int64, Int64, Int64?, Int64?)])
    func `pieces are told by coins and amounts, or not at all`(
        part: Int64, amount: Int64, coins: Int64, each: Int64?, pieces: Int64?
    ) {
        let none = ReportableSale.Side(open: 0)
        let sale = ReportableSale(
            purchaseID: 1, payment: "1", product: "coins_100", amount: amount, coins: coins, coinsEach: each,
            settled: 0, paidOut: 0, sold: none, returned: none)
        #expect(sale.pieces(of: part) == pieces)
    }
}
