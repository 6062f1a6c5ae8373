import Foundation
import Testing

@testable import Ledger

/// What documents say of the columns of reports.
@Suite(.timeLimit(.minutes(20))) struct ReportColumnsPageTests {
    /// Where the columns of each report are described.
    private static let places: [(report: Report, page: String, section: String)] = [
        (.journal, "exports", "Journal"), (.purchases, "exports", "Purchases"),
        (.foreignPayments, "exports", "Foreign payments"),
        (.foreignSettlements, "exports", "Foreign settlements"), (.revaluations, "exports", "Revaluations"),
        (.lots, "exports", "Lots"),
        (.trialBalance, "exports", "Trial balance"),
        (.trialBalanceTotals, "exports", "Trial balance with totals"), (.vouchers, "exports", "Vouchers"),
        (.vat, "vat", "The report of a quarter"), (.feeAccrual, "exports", "Fee accrual"),
        (.liability, "exports", "Liability"), (.prepaid, "prepaid", "Day by day"),
        (.userBalances, "prepaid", "User by user"), (.adjustments, "exports", "Adjustments"),
        (.breakage, "exports", "Breakage"), (.settlements, "exports", "Settlements and payouts"),
        (.payouts, "exports", "Settlements and payouts"), (.withholding, "exports", "Settlements and payouts"),
        (.reconciliation, "exports", "Reconciliation"), (.audit, "exports", "Audit"),
    ]

    @Test func `a table of columns has each column of its report and no other, and prose names each`() throws {
        #expect(Self.places.map { $0.report } == Report.all)
        for (report, page, title) in Self.places {
            let section = try DocPage("docs/\(page).md").section(title)
            let columns = try Self.columns(of: report)
            if let table = section.table("column | meaning") {
                let described = table.flatMap { DocPage.code(in: $0.first ?? "") }
                #expect(described.sorted() == columns.sorted(), "\(report.rawValue)")
            } else {
                let missing = Set(columns).subtracting(DocPage.code(in: section.text))
                #expect(missing.isEmpty, "\(report.rawValue)")
            }
        }
    }

    private static func columns(of report: Report) throws -> [String] {
        let day: [ExportOption: String] = report.isByDay ? [.from: "2026-01-01", .to: "2026-01-02"] : [:]
        let request = try ExportRequest(report, day, in: .gmt)
        return report.rows(request).columns.filter(\.isShown).map(\.name)
    }
}
