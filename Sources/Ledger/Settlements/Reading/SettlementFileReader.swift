import Currencies

/// Reads settlement files of a format: CSV, or the sheet of an Excel workbook.
package protocol SettlementFileReading: Sendable {
    var encoding: TextEncoding { get }

    /// Reads a file whose sheets were read before.
    ///
    /// Errors in rows are part of the result.
    ///
    /// - Throws: ``SettlementFileProblem`` for a file without its columns, or without rows.
    func read(_ sheets: SettlementSheets, named name: String) throws(SettlementFileProblem) -> SettlementFileDraft
}

extension SettlementFileReading {
    /// Reads a file.
    ///
    /// Errors in rows are part of the result.
    ///
    /// - Throws: ``SettlementFileProblem`` when the whole file can't be read.
    package func read(_ bytes: [UInt8], named name: String) throws(SettlementFileProblem) -> SettlementFileDraft {
        try read(try SettlementSheets(bytes, encoding), named: name)
    }
}

/// Reads settlement files with a row for each payout, whose columns are mapped.
///
/// The amounts of a row may be in a foreign currency: the row tells at which rate they became won.
package struct SettlementFileReader: SettlementFileReading {
    /// The longest payment id, in characters.
    private static let longestID = 200

    private let mapping: SettlementMapping
    private let days: DayText
    package let encoding: TextEncoding

    /// A reader for files with this mapping.
    package init(mapping: SettlementMapping, days: DayText, encoding: TextEncoding = .auto) {
        self.mapping = mapping
        self.days = days
        self.encoding = encoding
    }

    package func read(
        _ sheets: SettlementSheets, named name: String
    ) throws(SettlementFileProblem) -> SettlementFileDraft {
        let table = try SettlementTable(in: sheets.all, mapping, days)
        var rows: [SettlementLineDraft] = []
        var problems: [SettlementFileProblem] = []
        var leftOut = table.titles
        var counts: [String: Int64] = [:]
        for record in table.records where !record.isBlank {
            if let other = self.leftOut(record, table.places) {
                leftOut.append(other)
                continue
            }
            do throws(SettlementFileProblem) {
                var row = try row(record, in: table)
                counts[row.group, default: 0] += 1
                row.place = counts[row.group] ?? 1
                rows.append(row)
            } catch {
                problems.append(error)
            }
        }
        guard !rows.isEmpty || !problems.isEmpty else { throw SettlementFileProblem(.noRows) }
        return SettlementFileDraft(
            name: name, sha256: sheets.sha256, lines: rows, problems: problems, leftOut: leftOut)
    }

    private typealias Places = [SettlementMapping.Field: Int]

    /// The row as one that is no payout: totals, or the header once more; nil: it is a payout.
    private func leftOut(_ record: CSVRecords.Record, _ places: Places) -> LeftOutRow? {
        guard !record.isMalformed else { return nil }
        if let label = record.totalsLabel(payment: places[.payment]) {
            return LeftOutRow(line: record.line, .total, label)
        }
        guard let place = places[.payment], place < record.fields.count,
            record.fields[place].trimmed == mapping.columns[.payment]?.trimmed,
            mapping.fit(record.fields) == .whole(places)
        else { return nil }
        return LeftOutRow(line: record.line, .title, record.label)
    }

    private func row(
        _ record: CSVRecords.Record, in table: SettlementTable
    ) throws(SettlementFileProblem) -> SettlementLineDraft {
        let (line, places) = (record.line, table.places)
        guard !record.isMalformed else { throw SettlementFileProblem(line: line, .quoteOutOfPlace) }
        let payment = try text(.payment, record, places)
        guard Self.isPaymentID(payment) else { throw problem(line, .payment, .noPaymentID) }
        let currency = try currency(record, places)
        let paid = PayoutAmounts(
            gross: try amount(.gross, record, places, in: currency),
            fee: try amount(.fee, record, places, in: currency),
            tax: try amount(.tax, record, places, in: currency),
            net: try amount(.net, record, places, in: currency))
        guard paid.net == paid.expectedNet else {
            throw problem(
                line, .net, .sum(net: paid.net.text(in: currency), expected: paid.expectedNet.text(in: currency)))
        }
        let won = try won(of: paid, in: currency, record, places)
        guard won.hasAny else { throw problem(line, .gross, .nothingPaidOut) }
        let written = try text(.paidOutAt, record, places)
        guard let day = days.parse(written, isCell: table.isWorkbook) else {
            throw problem(line, .paidOutAt, .date(String(written.prefix(40))))
        }
        return SettlementLineDraft(
            number: line, payment: payment, gross: won.gross, fee: won.fee, tax: won.tax, net: won.net,
            paidOutOn: day.name, paidOutAt: day.moment,
            foreign: currency.map { ForeignGross(amount: paid.gross, currency: $0) },
            foreignNet: currency.map { _ in paid.net })
    }

    static func isPaymentID(_ text: String) -> Bool {
        (1...longestID).contains(text.unicodeScalars.count) && !WonText.dashes.contains(text[...])
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The currency of a row's amounts; nil: won.
    private func currency(
        _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> ForeignCurrency? {
        guard let code = try given(.currency, record, places)?.uppercased(), !Self.namesOfWon.contains(code) else {
            return nil
        }
        guard let currency = try? ForeignCurrency(code) else {
            throw problem(record.line, .currency, .currency(String(code.prefix(40))))
        }
        return currency
    }

    private static let namesOfWon: Set<String> = [Currency.won.code, "WON", "원", "원화"]

    /// Whether a row with this text as its currency is in won.
    static func isWon(_ text: String) -> Bool {
        text.isEmpty || WonText.dashes.contains(text[...]) || namesOfWon.contains(text.uppercased())
    }

    /// The amounts of a row in won, at the rate of its payout.
    private func won(
        of paid: PayoutAmounts, in currency: ForeignCurrency?, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> PayoutAmounts {
        guard let currency else { return paid }
        let (line, code) = (record.line, currency.code)
        let won: Int64? =
            try given(.payoutWon, record, places) == nil ? nil : amount(.payoutWon, record, places, in: nil)
        let conversion = PayoutConversion(currency: currency, rate: try rate(record, places), won: won)
        do throws(PayoutConversion.Fault) {
            return try conversion.won(of: paid)
        } catch {
            switch error {
            case .rateMissing: throw problem(line, .currency, .rateMissing(code))
            case .netIsZero: throw problem(line, .net, .netIsZero)
            case .worthNoWon(let rate): throw problem(line, .gross, .worthNoWon(rate: rate.text))
            case .differs(let worth):
                throw problem(
                    line, .payoutWon,
                    .payoutDiffers(won: won ?? 0, net: "\(paid.net.text(in: currency)) \(code)", worth: worth))
            case .notBookable: throw problem(line, .gross, .notBookableInWon(code))
            }
        }
    }

    private func rate(
        _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> Quotation? {
        guard let written = try given(.payoutRate, record, places) else { return nil }
        // `1,387.40`; a comma before decimals is none of thousands.
        let isGrouped = written.wholeMatch(of: /[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?/) != nil
        guard let rate = Quotation(computed: isGrouped ? written.filter { $0 != "," } : written, per: 1) else {
            throw problem(record.line, .payoutRate, .rate(String(written.prefix(40))))
        }
        return rate
    }

    /// What a row says; nil: nothing, or a dash.
    private func given(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> String? {
        let written = try optionalText(field, record, places)
        return written.isEmpty || WonText.dashes.contains(written[...]) ? nil : written
    }

    /// Empty if the file has no column for the field.
    private func optionalText(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> String {
        mapping.columns[field] == nil ? "" : try text(field, record, places)
    }

    /// Zero if the file has no column for the field.
    ///
    /// - Parameter currency: nil: in won.
    private func amount(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places, in currency: ForeignCurrency?
    ) throws(SettlementFileProblem) -> Int64 {
        let written = try optionalText(field, record, places)
        if let currency {
            guard let amount = ForeignText.parseSigned(written, of: currency) else {
                throw problem(record.line, field, .foreignAmount(String(written.prefix(40)), currency.code))
            }
            return amount
        }
        guard let amount = WonText.parse(written) else {
            throw problem(record.line, field, .amount(String(written.prefix(40))))
        }
        return amount
    }

    private func text(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> String {
        guard let place = places[field], place < record.fields.count else {
            throw problem(record.line, field, .fieldMissing(columns: record.fields.count))
        }
        return record.fields[place].trimmed
    }

    private func problem(
        _ line: Int64, _ field: SettlementMapping.Field, _ fault: SettlementFileFault
    ) -> SettlementFileProblem {
        SettlementFileProblem(line: line, column: mapping.columns[field] ?? field.rawValue, fault)
    }
}

extension Int64 {
    /// An amount as files write it; nil: of won.
    fileprivate func text(in currency: ForeignCurrency?) -> String {
        currency.flatMap { Currencies.Currency($0.code) }?.decimal(self) ?? String(self)
    }
}
