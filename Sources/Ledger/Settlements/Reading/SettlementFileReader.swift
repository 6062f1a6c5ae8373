import Crypto
import Foundation

/// Reads settlement files in CSV format.
package struct SettlementFileReader: Sendable {
    /// The number of rows in which the header is searched, because files may begin with titles.
    private static let headerDepth = 30
    /// The longest payment id, in characters.
    private static let longestID = 200

    private let mapping: SettlementMapping
    private let days: DayText
    private let encoding: TextEncoding

    /// A reader for files with this mapping.
    package init(mapping: SettlementMapping, days: DayText, encoding: TextEncoding = .auto) {
        self.mapping = mapping
        self.days = days
        self.encoding = encoding
    }

    /// Reads a file.
    ///
    /// Errors in rows are part of the result.
    ///
    /// - Throws: ``SettlementFileProblem`` when the whole file can't be read.
    package func read(_ bytes: [UInt8], named name: String) throws(SettlementFileProblem) -> SettlementFileDraft {
        var records = CSVRecords(try encoding.decode(bytes))
        let places = try places(&records)
        var rows: [SettlementLineDraft] = []
        var problems: [SettlementFileProblem] = []
        var counts: [String: Int64] = [:]
        while let record = records.next() {
            do throws(SettlementFileProblem) {
                var row = try row(record, places)
                counts[row.group, default: 0] += 1
                row.place = counts[row.group] ?? 1
                rows.append(row)
            } catch {
                problems.append(error)
            }
        }
        guard !rows.isEmpty || !problems.isEmpty else {
            throw SettlementFileProblem("the file has no rows below the header")
        }
        return SettlementFileDraft(
            name: name, sha256: Array(SHA256.hash(data: Data(bytes))), lines: rows, problems: problems)
    }

    private typealias Places = [SettlementMapping.Field: Int]

    private func places(_ records: inout CSVRecords) throws(SettlementFileProblem) -> Places {
        if let places = mapping.countedPlaces { return places }
        var first: [String]?
        for _ in 0..<Self.headerDepth {
            guard let record = records.next() else { break }
            if let places = mapping.places(in: record.fields) { return places }
            first = first ?? record.fields
        }
        let wanted = mapping.columns.values.sorted().joined(separator: ", ")
        let found = (first ?? []).map(\.trimmed).joined(separator: ", ").prefix(300)
        throw SettlementFileProblem(
            "no line has the columns \(wanted); the first line has \(found): use the column names of the file")
    }

    private func row(_ record: CSVRecords.Record, _ places: Places) throws(SettlementFileProblem) -> SettlementLineDraft
    {
        let line = record.line
        guard !record.isMalformed else {
            throw SettlementFileProblem(
                line: line, "a quote is not closed, or is inside a field that is not quoted")
        }
        let payment = try text(.payment, record, places)
        guard (1...Self.longestID).contains(payment.unicodeScalars.count),
            payment.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw problem(line, .payment, "is empty or not a payment id: remove rows with totals") }
        let gross = try amount(.gross, record, places)
        let fee = try amount(.fee, record, places)
        let tax = try amount(.tax, record, places)
        let net = try amount(.net, record, places)
        guard net == gross - fee - tax else {
            throw problem(
                line, .net, "is \(net), but gross - fee - tax is \(gross - fee - tax): map the columns that add up"
            )
        }
        guard gross != 0 || fee + tax != 0 else {
            throw problem(line, .gross, "and the fee are zero: nothing was paid out")
        }
        let written = try text(.paidOutAt, record, places)
        guard let day = days.parse(written) else {
            throw problem(
                line, .paidOutAt, "is \"\(written.prefix(40))\", which is no date: set the format with --date-format")
        }
        return SettlementLineDraft(
            number: line, payment: payment, gross: gross, fee: fee, tax: tax, net: net, paidOutOn: day.name,
            paidOutAt: day.moment)
    }

    /// Zero if the file has no column for the field.
    private func amount(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> Int64 {
        guard mapping.columns[field] != nil else { return 0 }
        let written = try text(field, record, places)
        guard let amount = WonText.parse(written) else {
            throw problem(record.line, field, "is \"\(written.prefix(40))\": it must be \(WonText.rule)")
        }
        return amount
    }

    private func text(
        _ field: SettlementMapping.Field, _ record: CSVRecords.Record, _ places: Places
    ) throws(SettlementFileProblem) -> String {
        guard let place = places[field], place < record.fields.count else {
            throw problem(record.line, field, "is missing: the row has only \(record.fields.count) columns")
        }
        return record.fields[place].trimmed
    }

    private func problem(_ line: Int64, _ field: SettlementMapping.Field, _ message: String) -> SettlementFileProblem {
        SettlementFileProblem(line: line, column: mapping.columns[field] ?? field.rawValue, message)
    }
}
