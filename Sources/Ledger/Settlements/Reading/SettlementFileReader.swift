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
        let gross = try amount(.gross, record, places)
        let fee = try amount(.fee, record, places)
        let tax = try amount(.tax, record, places)
        let net = try amount(.net, record, places)
        guard net == gross - fee - tax else {
            throw problem(line, .net, .sum(net: net, expected: gross - fee - tax))
        }
        guard gross != 0 || fee + tax != 0 else {
            throw problem(line, .gross, .nothingPaidOut)
        }
        let written = try text(.paidOutAt, record, places)
        guard let day = days.parse(written, isCell: table.isWorkbook) else {
            throw problem(line, .paidOutAt, .date(String(written.prefix(40))))
        }
        return SettlementLineDraft(
            number: line, payment: payment, gross: gross, fee: fee, tax: tax, net: net, paidOutOn: day.name,
            paidOutAt: day.moment)
    }

    static func isPaymentID(_ text: String) -> Bool {
        (1...longestID).contains(text.unicodeScalars.count) && !WonText.dashes.contains(text[...])
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Zero if the file has no column for the field.
    private func amount(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> Int64 {
        guard mapping.columns[field] != nil else { return 0 }
        let written = try text(field, record, places)
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
