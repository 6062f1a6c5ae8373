import Foundation
package import Ledger
import TestSupport

/// A finance report as the App Store makes it, of January 2026.
package struct FinanceReportFile: Sendable {
    private static let header =
        "Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t"
        + "Partner Share Currency\tSales or Return\tApple Identifier\tTitle\tCountry Of Sale\tCustomer Price\tCustomer Currency"

    private var rows: [String] = []

    package init() {}

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - kind: `S` or `R`.
    ///   - share: ours of all pieces.
    package mutating func add(
        _ product: String, _ kind: String, _ pieces: String, _ share: String, currency: String = "KRW",
        customers: String = "KRW", from first: String = "12/28/2025", to last: String = "01/31/2026"
    ) {
        rows.append(
            "\(first)\t\(last)\t\t\t\(product)\t\(pieces)\t840\t\(share)\t\(currency)\t\(kind)\t1000\t100 coins\tKR\t1200\t"
                + customers)
    }

    /// The report with these rows: product, kind, pieces, share.
    package init(_ rows: [(product: String, kind: String, pieces: String, share: String)]) {
        for row in rows { add(row.product, row.kind, row.pieces, row.share) }
    }

    package var text: String {
        ([Self.header] + rows + ["Total_Rows\t\(rows.count)", "KR\tKRW\t3\t2520"]).joined(separator: "\n") + "\n"
    }

    /// What is read of it, of a payout at the beginning of this day in Seoul.
    ///
    /// - Parameter payout: of the rows in a foreign currency; nil: those in won are read.
    package func report(paidOutOn day: String = "2026-03-05", payout: ForeignPayout? = nil) throws -> FinanceReport {
        let reader = FinanceReportReader(
            paidOutOn: day, in: sure(TimeZone(identifier: "Asia/Seoul")), payout: payout)
        return try sure(reader).read(Array(text.utf8), named: "report.txt")
    }
}
