import CivilTime
package import Foundation

/// Reads Google Play's earnings files, which have up to six rows for an order: what was charged and given back, Google's
/// fee of it, and its tax.
///
/// An order's rows of a day become a line for what was charged, and one for what was given back. The file does not tell when
/// Google pays out, so a person does; the days in the file tell its lines apart from those of other files. What was paid in
/// another currency has its won by Google's rate of the payout, which the file tells; what Google does not pay in won is left out.
package struct EarningsFileReader: SettlementFileReading {
    package let encoding: TextEncoding
    /// When Google paid out what the file tells of.
    private let paidOutAt: Date
    private let days: DayText

    /// - Parameter day: the day of the payout, in the time zone.
    /// - Returns: nil for a day that is none.
    package init?(paidOutOn day: String, in timeZone: TimeZone, encoding: TextEncoding = .auto) {
        days = DayText(in: timeZone)
        guard let day = days.parse(day) else { return nil }
        paidOutAt = day.moment
        self.encoding = encoding
    }

    package func read(
        _ sheets: SettlementSheets, named name: String
    ) throws(SettlementFileProblem) -> SettlementFileDraft {
        let table = try EarningsTable(in: sheets.all)
        var sums: [EarningsSum.Key: EarningsSum] = [:]
        var problems: [SettlementFileProblem] = []
        var leftOut: [LeftOutRow] = []
        /// Orders of which not all rows were taken: a part of one would be a wrong amount.
        var incomplete: Set<String> = []
        var currencies: [String: ForeignCurrency?] = [:]
        for record in table.records where !record.isBlank {
            do throws(SettlementFileProblem) {
                let row = try table.row(record, days)
                if let currency = row.otherCurrency {
                    leftOut.append(LeftOutRow(line: record.line, .otherCurrency, "\(row.key.order) (\(currency))"))
                    incomplete.insert(row.key.order)
                } else {
                    if let other = currencies.updateValue(row.key.currency, forKey: row.key.order),
                        other != row.key.currency
                    {
                        incomplete.insert(row.key.order)
                    }
                    var sum = sums[row.key] ?? EarningsSum(line: record.line)
                    guard sum.add(row) else {
                        throw SettlementFileProblem(line: record.line, .sumTooHigh(row.key.order))
                    }
                    sums[row.key] = sum
                }
            } catch {
                // A quote that is not closed hides rows of other orders.
                guard !record.isMalformed, let order = table.order(record) else { throw error }
                problems.append(error)
                incomplete.insert(order)
            }
        }
        var lines: [SettlementLineDraft] = []
        var counts: [String: Int64] = [:]
        for (key, sum) in sums.sorted(by: { $0.value.line < $1.value.line }) {
            guard !incomplete.contains(key.order) else {
                problems.append(SettlementFileProblem(line: sum.line, .orderIncomplete(key.order)))
                continue
            }
            var line = sum.draft(of: key, paidOutAt: paidOutAt)
            guard line.goesOneWay else {
                problems.append(SettlementFileProblem(line: sum.line, .foreignMisfits(key.order)))
                continue
            }
            guard line.gross != 0 || line.fee + line.tax != 0 else {
                leftOut.append(LeftOutRow(line: line.number, .nothing, key.order))
                continue
            }
            counts[line.group, default: 0] += 1
            line.place = counts[line.group] ?? 1
            lines.append(line)
        }
        guard !lines.isEmpty || !problems.isEmpty else {
            throw SettlementFileProblem(leftOut.isEmpty ? .noRows : .nothingInWon)
        }
        return SettlementFileDraft(
            name: name, sha256: sheets.sha256, lines: lines, problems: problems, leftOut: leftOut)
    }
}

/// What an order's rows of a day and direction add up to, in won.
private struct EarningsSum {
    struct Key: Hashable {
        let order: String
        /// In which the buyer paid; nil: in won.
        let currency: ForeignCurrency?
        /// `2026-11-20`.
        let day: String
        let isRefund: Bool
    }

    /// The first row's.
    let line: Int64
    private var charged: Int64 = 0
    /// What the buyer paid, in minor units of a foreign currency: of the charge, and of its tax.
    private var paid: (charged: Int64, tax: Int64) = (0, 0)
    /// Below zero: Google keeps it; likewise ``tax``.
    private var fee: Int64 = 0
    private var tax: Int64 = 0

    init(line: Int64) { self.line = line }

    /// - Returns: false if what was paid is more than any payment, and not added.
    mutating func add(_ row: EarningsTable.Row) -> Bool {
        let sum = row.paid + (row.part == .tax ? paid.tax : paid.charged)
        guard sum.magnitude <= ForeignPayment.highest.magnitude else { return false }
        switch row.part {
        case .charge:
            charged += row.amount
            paid.charged += row.paid
        case .fee: fee += row.amount
        case .tax:
            tax += row.amount
            paid.tax += row.paid
        }
        return true
    }

    /// A tax on top of what was charged was paid by the buyer, so it is of the gross amount; one that Google keeps is not.
    func draft(of key: Key, paidOutAt: Date) -> SettlementLineDraft {
        let isOnTop =
            paid.tax == 0 ? tax.signum() == charged.signum() : paid.tax.signum() == paid.charged.signum()
        return SettlementLineDraft(
            number: line, payment: key.order, gross: isOnTop ? charged + tax : charged, fee: -fee,
            tax: isOnTop ? 0 : -tax, net: charged + fee + tax, paidOutOn: key.day, paidOutAt: paidOutAt,
            foreign: key.currency.map {
                ForeignGross(amount: isOnTop ? paid.charged + paid.tax : paid.charged, currency: $0)
            })
    }
}

extension SettlementLineDraft {
    /// Whether its won and what was paid in a foreign currency are both paid out, or both kept back: no won are paid out of nothing.
    fileprivate var goesOneWay: Bool {
        guard let foreign else { return true }
        return gross == 0 || gross.signum() == foreign.amount.signum()
    }
}

/// The table in an earnings file.
private struct EarningsTable {
    enum Column: String, FixedColumn {
        case order = "Description"
        case day = "Transaction Date"
        case kind = "Transaction Type"
        case buyerCurrency = "Buyer Currency"
        case currency = "Merchant Currency"
        case amount = "Amount (Merchant Currency)"
        case buyerAmount = "Amount (Buyer Currency)"

        var names: [String] { [rawValue] }
        var isOptional: Bool { self == .buyerCurrency || self == .buyerAmount }
    }

    enum Part: String {
        case charge
        case fee = "google fee"
        case tax
    }

    struct Row {
        let key: EarningsSum.Key
        let part: Part
        let amount: Int64
        /// What it is of, in minor units of the key's currency; 0: it is in won.
        var paid: Int64 = 0
        /// The currency that is not read; nil: all is.
        let otherCurrency: String?
    }

    private let table: FixedTable<Column>
    var records: CSVRecords { table.records }

    /// - Throws: ``SettlementFileProblem`` for a file without the columns.
    init(in sheets: [SettlementSheet]) throws(SettlementFileProblem) { table = try FixedTable(in: sheets) }

    /// The order of a row, also of one that can't be read; nil: it can't be told.
    func order(_ record: CSVRecords.Record) -> String? {
        guard let order = try? table.text(.order, record), SettlementFileReader.isPaymentID(order) else { return nil }
        return order
    }

    /// - Throws: ``SettlementFileProblem`` for a row that can't be read.
    func row(_ record: CSVRecords.Record, _ days: DayText) throws(SettlementFileProblem) -> Row {
        guard !record.isMalformed else { throw SettlementFileProblem(line: record.line, .quoteOutOfPlace) }
        let order = try table.text(.order, record)
        guard SettlementFileReader.isPaymentID(order) else { throw table.problem(record, .order, .noPaymentID) }
        let kind = try table.text(.kind, record)
        let name = kind.lowercased()
        let isRefund = name.hasSuffix(" refund")
        guard let part = Part(rawValue: isRefund ? String(name.dropLast(" refund".count)) : name) else {
            throw table.problem(record, .kind, .transactionType(String(kind.prefix(40))))
        }
        let written = try table.text(.day, record)
        guard let day = days.parse(written)?.name ?? Self.englishDay(written) else {
            throw table.problem(record, .day, .transactionDate(String(written.prefix(40))))
        }
        let foreign = try foreignCurrency(record)
        let key = EarningsSum.Key(order: order, currency: foreign, day: day, isRefund: isRefund)
        if foreign == nil, let currency = try otherCurrency(record) {
            return Row(key: key, part: part, amount: 0, otherCurrency: currency)
        }
        let amount = try table.text(.amount, record)
        guard !amount.isEmpty, let won = WonText.parse(amount) else {
            throw table.problem(record, .amount, .amount(String(amount.prefix(40))))
        }
        return Row(key: key, part: part, amount: won, paid: try paid(record, in: foreign), otherCurrency: nil)
    }

    /// The currency in which the buyer paid what Google pays out in won; nil: won, or one that is not read.
    private func foreignCurrency(_ record: CSVRecords.Record) throws(SettlementFileProblem) -> ForeignCurrency? {
        guard table.has(.buyerCurrency), table.has(.buyerAmount), try table.text(.currency, record) == Currency.won.code
        else { return nil }
        let code = try table.text(.buyerCurrency, record)
        return try? ForeignCurrency(code)
    }

    private func paid(
        _ record: CSVRecords.Record, in currency: ForeignCurrency?
    ) throws(SettlementFileProblem) -> Int64 {
        guard let currency else { return 0 }
        let text = try table.text(.buyerAmount, record)
        guard let paid = ForeignText.parse(text, of: currency) else {
            throw table.problem(record, .buyerAmount, .foreignAmount(String(text.prefix(40)), currency.code))
        }
        return paid
    }

    /// A currency that is not read: what we get must be in won, and what the buyer paid must be told.
    private func otherCurrency(_ record: CSVRecords.Record) throws(SettlementFileProblem) -> String? {
        for column in [Column.currency, .buyerCurrency] where table.has(column) {
            let currency = try table.text(column, record)
            if currency != Currency.won.code { return String(currency.prefix(8)) }
        }
        return nil
    }

    /// `Sep 3, 2026`.
    private static func englishDay(_ text: String) -> String? {
        guard let parts = text.wholeMatch(of: /([A-Z][a-z]{2}) ([0-9]{1,2}), ([0-9]{4})/),
            let month = months.firstIndex(of: String(parts.1)), let day = Int64(parts.2), let year = Int64(parts.3)
        else { return nil }
        return CivilDate(year: year, month: Int64(month) + 1, day: day)?.description
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
