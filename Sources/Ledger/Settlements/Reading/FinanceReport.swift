import CivilTime
package import Foundation

/// What Apple's finance report tells of a fiscal period.
///
/// It has how many pieces of each product were sold and given back, and our share of their price; it tells no transactions.
package struct FinanceReport: Sendable {
    /// The file's name.
    let name: String
    /// Of the file's content.
    let sha256: [UInt8]
    /// From the beginning of its first day to the end of its last one.
    let period: Range<Date>
    /// Its last day, such as `2025-12-27`.
    let lastDay: String
    /// When Apple paid out what it tells of.
    let paidOutAt: Date
    /// By the store's id of the product.
    let sold: [String: Sum]
    let returned: [String: Sum]
    let leftOut: [LeftOutRow]

    /// The most days of a period; Apple's fiscal ones have 28 or 35.
    static let mostDays: Int64 = 40

    /// The rows of a product and direction together.
    struct Sum: Sendable, Equatable {
        /// The first row's line.
        let line: Int64
        private(set) var pieces: Int64 = 0
        /// Our share, in millionths of a won.
        private(set) var millionths: Int128 = 0

        init(line: Int64) { self.line = line }

        mutating func add(pieces: Int64, millionths: Int128) {
            self.pieces += pieces
            self.millionths += millionths
        }
    }
}

/// Reads Apple's finance reports.
package struct FinanceReportReader: Sendable {
    private let encoding: TextEncoding
    private let timeZone: TimeZone
    private let paidOutAt: Date

    /// - Parameters:
    ///   - day: the day on which Apple's payout reached the bank, which the report does not tell.
    ///   - timeZone: of this day, and of those of the report's period.
    /// - Returns: nil for a day that is none.
    package init?(paidOutOn day: String, in timeZone: TimeZone, encoding: TextEncoding = .auto) {
        guard let day = DayText(in: timeZone).parse(day) else { return nil }
        paidOutAt = day.moment
        self.timeZone = timeZone
        self.encoding = encoding
    }

    /// Reads a file.
    ///
    /// - Throws: ``SettlementFileProblem`` for a file without the columns, without rows in won, of two periods or a long one, or
    ///   with a row that can't be read: its product would have too few pieces.
    package func read(_ bytes: [UInt8], named name: String) throws(SettlementFileProblem) -> FinanceReport {
        let sheets = try SettlementSheets(bytes, encoding)
        let table = try FixedTable<Column>(in: sheets.all)
        var period: (first: CivilDate, last: CivilDate)?
        var sums: [Bool: [String: FinanceReport.Sum]] = [false: [:], true: [:]]
        var leftOut: [LeftOutRow] = []
        var hasEnded = false
        for record in table.records where !record.isBlank {
            // Below the rows are totals, which have other columns.
            hasEnded = hasEnded || record.label.lowercased().hasPrefix("total_")
            if hasEnded {
                leftOut.append(LeftOutRow(line: record.line, .total, record.label))
                continue
            }
            let row = try Row(record, in: table)
            if let currency = row.otherCurrency {
                leftOut.append(LeftOutRow(line: record.line, .otherCurrency, "\(row.product) (\(currency))"))
                continue
            }
            guard period ?? row.period == row.period else { throw table.problem(record, .firstDay, .otherPeriod) }
            period = row.period
            let days = row.period.last.daysSince1970 - row.period.first.daysSince1970 + 1
            guard (1...FinanceReport.mostDays).contains(days) else {
                throw table.problem(record, .lastDay, .periodOfDays(days))
            }
            // What was free is in no books.
            guard row.millionths > 0 else {
                leftOut.append(LeftOutRow(line: record.line, .nothing, row.product))
                continue
            }
            sums[row.isReturn]?[row.product, default: FinanceReport.Sum(line: record.line)]
                .add(pieces: row.pieces, millionths: row.millionths)
        }
        guard let period else { throw SettlementFileProblem(leftOut.isEmpty ? .noRows : .nothingInWon) }
        return FinanceReport(
            name: name, sha256: sheets.sha256, period: moments(period), lastDay: period.last.description,
            paidOutAt: paidOutAt, sold: sums[false] ?? [:], returned: sums[true] ?? [:], leftOut: leftOut)
    }

    private func moments(_ period: (first: CivilDate, last: CivilDate)) -> Range<Date> {
        func start(_ day: Int64) -> Date { Date(timeIntervalSince1970: Double(timeZone.startOfDay(day))) }
        let first = period.first.daysSince1970
        return start(first)..<start(period.last.daysSince1970 + 1)
    }
}

extension FinanceReportReader {
    fileprivate enum Column: FixedColumn {
        case firstDay, lastDay, product, pieces, share, currency, kind, customerCurrency

        var names: [String] {
            switch self {
            case .firstDay: ["Start Date"]
            case .lastDay: ["End Date"]
            case .product: ["Vendor Identifier", "SKU"]
            case .pieces: ["Quantity"]
            case .share: ["Extended Partner Share"]
            case .currency: ["Partner Share Currency"]
            case .kind: ["Sales or Return", "Sale or Return"]
            case .customerCurrency: ["Customer Currency"]
            }
        }

        var isOptional: Bool { false }
    }

    /// A row of a product, price and country.
    fileprivate struct Row {
        let period: (first: CivilDate, last: CivilDate)
        let product: String
        let isReturn: Bool
        /// How many, sold or given back; never below zero, likewise ``millionths``.
        let pieces: Int64
        let millionths: Int128
        /// Nil: all is in won.
        let otherCurrency: String?

        /// - Throws: ``SettlementFileProblem`` for a row that can't be read.
        init(_ record: CSVRecords.Record, in table: FixedTable<Column>) throws(SettlementFileProblem) {
            guard !record.isMalformed else { throw SettlementFileProblem(line: record.line, .quoteOutOfPlace) }
            product = try table.text(.product, record)
            guard SettlementFileReader.isPaymentID(product) else { throw table.problem(record, .product, .noPaymentID) }
            period = (try Self.day(.firstDay, record, table), try Self.day(.lastDay, record, table))
            let kind = try table.text(.kind, record).uppercased()
            guard ["S", "R"].contains(kind) else {
                throw table.problem(record, .kind, .transactionType(String(kind.prefix(40))))
            }
            isReturn = kind == "R"
            let (currency, customers) = (try table.text(.currency, record), try table.text(.customerCurrency, record))
            otherCurrency = [currency, customers].first { $0 != "KRW" }.map { String($0.prefix(8)) }
            // A return is told as sold backwards.
            let sign: Int64 = isReturn ? -1 : 1
            let written = (pieces: try table.text(.pieces, record), share: try table.text(.share, record))
            guard let count = WonText.parse(written.pieces), !written.pieces.isEmpty, count * sign > 0 else {
                throw table.problem(record, .pieces, .amount(String(written.pieces.prefix(40))))
            }
            guard let share = Self.millionths(written.share), share * Int128(sign) >= 0 else {
                throw table.problem(record, .share, .amount(String(written.share.prefix(40))))
            }
            pieces = count * sign
            millionths = share * Int128(sign)
        }

        /// `11/30/2025`.
        private static func day(
            _ column: Column, _ record: CSVRecords.Record, _ table: FixedTable<Column>
        ) throws(SettlementFileProblem) -> CivilDate {
            let text = try table.text(column, record)
            guard let parts = text.wholeMatch(of: #/([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})/#), let month = Int64(parts.1),
                let day = Int64(parts.2), let year = Int64(parts.3),
                let date = CivilDate(year: year, month: month, day: day)
            else { throw table.problem(record, column, .transactionDate(String(text.prefix(40)))) }
            return date
        }

        /// An amount with up to six decimals.
        private static func millionths(_ text: String) -> Int128? {
            guard let parts = text.wholeMatch(of: /(-?)([0-9]{1,12})(?:\.([0-9]{1,6}))?/), let whole = Int128(parts.2)
            else { return nil }
            let decimals = parts.3.map(String.init) ?? ""
            guard let part = Int128(decimals + String(repeating: "0", count: 6 - decimals.count)) else { return nil }
            return (whole * 1_000_000 + part) * (parts.1.isEmpty ? 1 : -1)
        }
    }
}
