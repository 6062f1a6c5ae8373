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
    /// By what its sums have won; nil: it is in won.
    let payout: ForeignPayout?

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

        /// The same with another share.
        fileprivate func with(millionths share: Int128) -> Sum {
            var sum = self
            sum.millionths = share
            return sum
        }

        mutating func add(pieces: Int64, millionths: Int128) {
            self.pieces += pieces
            self.millionths += millionths
        }
    }

    /// The won of what a buyer paid, at the rate of the payout; nil: more than the books take.
    ///
    /// - Parameter paid: in minor units of the report's currency.
    func won(ofPaid paid: Int64) -> Int64? { payout.map { $0.worth(ofPaid: paid) } ?? paid }

    /// What a buyer paid, if the report is in a foreign currency.
    func foreign(_ paid: Int64) -> ForeignGross? { payout.map { ForeignGross(amount: paid, currency: $0.currency) } }
}

/// Reads Apple's finance reports: the rows in won, or those in a foreign currency whose payout in won is told.
package struct FinanceReportReader: Sendable {
    private let encoding: TextEncoding
    private let timeZone: TimeZone
    private let paidOutAt: Date
    private let payout: ForeignPayout?

    /// - Parameters:
    ///   - day: the day on which Apple's payout reached the bank, which the report does not tell.
    ///   - timeZone: of this day, and of those of the report's period.
    ///   - payout: what Apple paid for the rows in a foreign currency; nil: the rows in won are read.
    /// - Returns: nil for a day that is none.
    package init?(
        paidOutOn day: String, in timeZone: TimeZone, encoding: TextEncoding = .auto, payout: ForeignPayout? = nil
    ) {
        guard let day = DayText(in: timeZone).parse(day) else { return nil }
        paidOutAt = day.moment
        self.timeZone = timeZone
        self.encoding = encoding
        self.payout = payout
    }

    /// Reads a file.
    ///
    /// - Throws: ``SettlementFileProblem`` for a file without the columns, without rows in the currency, of two periods or a long one,
    ///   with a row that can't be read (its product would have too few pieces), or with other proceeds than its shares are worth.
    package func read(_ bytes: [UInt8], named name: String) throws(SettlementFileProblem) -> FinanceReport {
        let sheets = try SettlementSheets(bytes, encoding)
        let table = try FixedTable<Column>(in: sheets.all)
        var rows = Rows(payout)
        for record in table.records where !record.isBlank { try rows.take(record, in: table) }
        guard let period = rows.period else { throw SettlementFileProblem(rows.nothing) }
        try rows.shares?.check()
        return FinanceReport(
            name: name, sha256: sheets.sha256, period: moments(period), lastDay: period.last.description,
            paidOutAt: paidOutAt, sold: rows.sums(isReturn: false), returned: rows.sums(isReturn: true),
            leftOut: rows.leftOut, payout: payout)
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

    /// What was read of a report.
    fileprivate struct Rows {
        private(set) var period: (first: CivilDate, last: CivilDate)?
        /// All that Apple pays out in the foreign currency, also what is left out.
        private(set) var shares: ForeignShares?
        private(set) var leftOut: [LeftOutRow] = []
        private var sums: [Bool: [String: FinanceReport.Sum]] = [false: [:], true: [:]]
        /// In which Apple pays out what is left out.
        private var otherCurrencies: Set<String> = []
        private var hasEnded = false

        init(_ payout: ForeignPayout?) { shares = payout.map(ForeignShares.init) }

        /// Takes the next row.
        mutating func take(
            _ record: CSVRecords.Record, in table: FixedTable<Column>
        ) throws(SettlementFileProblem) {
            // Below the rows are totals, which have other columns.
            hasEnded = hasEnded || record.label.lowercased().hasPrefix("total_")
            if hasEnded {
                leftOut.append(LeftOutRow(line: record.line, .total, record.label))
                return
            }
            let row = try Row(record, in: table, currency: currency)
            if row.currency == currency {
                shares?.add(row.millionths, isReturn: row.isReturn)
            } else {
                otherCurrencies.insert(row.currency)
            }
            if let code = row.otherCurrency {
                leftOut.append(LeftOutRow(line: record.line, other, "\(row.product) (\(code))"))
                return
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
                return
            }
            sums[row.isReturn]?[row.product, default: FinanceReport.Sum(line: record.line)]
                .add(pieces: row.pieces, millionths: row.millionths)
        }

        /// Whose rows are read.
        private var currency: String { shares?.payout.currency.code ?? Currency.won.code }
        /// What a row in another currency is.
        private var other: LeftOutRow.Kind { shares == nil ? .otherCurrency : .notInCurrency(currency) }

        /// The sums of what was sold or given back, with our share in won.
        func sums(isReturn: Bool) -> [String: FinanceReport.Sum] {
            let told = sums[isReturn] ?? [:]
            guard let shares else { return told }
            return told.mapValues { $0.with(millionths: shares.won($0.millionths, isReturn: isReturn)) }
        }

        /// Why nothing of the report can be settled.
        var nothing: SettlementFileFault {
            if let shares { return .nothingInCurrency(shares.payout.currency.code) }
            if !otherCurrencies.isEmpty { return .payoutMissing(otherCurrencies.sorted().joined(separator: ", ")) }
            return leftOut.isEmpty ? .noRows : .nothingInWon
        }
    }

    /// A row of a product, price and country.
    fileprivate struct Row {
        let period: (first: CivilDate, last: CivilDate)
        let product: String
        let isReturn: Bool
        /// How many, sold or given back; never below zero, likewise ``millionths``.
        let pieces: Int64
        let millionths: Int128
        /// In which Apple pays it out.
        let currency: String
        /// Nil: all is in the currency that is read.
        let otherCurrency: String?

        /// - Parameter wanted: the currency that is read.
        /// - Throws: ``SettlementFileProblem`` for a row that can't be read.
        init(
            _ record: CSVRecords.Record, in table: FixedTable<Column>, currency wanted: String
        ) throws(SettlementFileProblem) {
            guard !record.isMalformed else { throw SettlementFileProblem(line: record.line, .quoteOutOfPlace) }
            product = try table.text(.product, record)
            guard SettlementFileReader.isPaymentID(product) else { throw table.problem(record, .product, .noPaymentID) }
            period = (try Self.day(.firstDay, record, table), try Self.day(.lastDay, record, table))
            let kind = try table.text(.kind, record).uppercased()
            guard ["S", "R"].contains(kind) else {
                throw table.problem(record, .kind, .transactionType(String(kind.prefix(40))))
            }
            isReturn = kind == "R"
            currency = String(try table.text(.currency, record).prefix(8))
            let customers = String(try table.text(.customerCurrency, record).prefix(8))
            otherCurrency = [currency, customers].first { $0 != wanted }
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
