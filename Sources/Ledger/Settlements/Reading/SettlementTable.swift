import Currencies

/// The table in a settlement file: where its columns are, and the records below its header.
struct SettlementTable {
    let places: [SettlementMapping.Field: Int]
    /// The records below the header or, without a header, below the titles.
    let records: CSVRecords
    /// Titles of a file without a header.
    let titles: [LeftOutRow]
    /// Whether it is a sheet of a workbook.
    let isWorkbook: Bool

    /// The number of rows in which the header is searched, because files may begin with titles.
    static let depth = 30

    /// Finds the table, with whichever character separates its fields.
    ///
    /// - Throws: ``SettlementFileProblem`` for a file without the columns of the mapping, or with two of one name, and for
    ///   a workbook of which several sheets have them.
    init(
        in sheets: [SettlementSheet], _ mapping: SettlementMapping, _ days: DayText
    ) throws(SettlementFileProblem) {
        if let places = mapping.countedPlaces {
            guard let sheet = sheets.first else { throw SettlementFileProblem(.emptyFile(wanted: mapping.names)) }
            guard sheets.count == 1 else { throw Self.several(sheets) }
            self = Self.counted(places, sheet, days)
        } else {
            self = try Self.named(mapping, sheets)
        }
    }

    private init(
        _ places: [SettlementMapping.Field: Int], _ records: CSVRecords, of sheet: SettlementSheet,
        _ titles: [LeftOutRow] = []
    ) {
        self.places = places
        self.records = records
        self.titles = titles
        isWorkbook = sheet.name != nil
    }

    private static func several(_ sheets: [SettlementSheet]) -> SettlementFileProblem {
        SettlementFileProblem(.spreadsheet(.severalSheets(sheets.prefix(10).compactMap(\.name))))
    }

    // MARK: - With a header

    private static func named(
        _ mapping: SettlementMapping, _ sheets: [SettlementSheet]
    ) throws(SettlementFileProblem) -> SettlementTable {
        var nearest: (missing: [String], record: CSVRecords.Record)?
        var fitting: [(table: SettlementTable, sheet: SettlementSheet)] = []
        for sheet in sheets {
            if let table = try named(mapping, sheet, &nearest) { fitting.append((table, sheet)) }
        }
        guard fitting.count <= 1 else { throw several(fitting.map(\.sheet)) }
        if let table = fitting.first?.table { return table }
        throw noHeader(mapping.names, nearest)
    }

    /// - Parameter nearest: the record that has the most of the wanted names; nil: the file is empty.
    static func noHeader(
        _ wanted: [String], _ nearest: (missing: [String], record: CSVRecords.Record)?
    ) -> SettlementFileProblem {
        guard let (missing, record) = nearest else { return SettlementFileProblem(.emptyFile(wanted: wanted)) }
        let found = record.fields.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: ", ").prefix(300)
        return SettlementFileProblem(
            .noHeader(wanted: wanted, missing: missing, line: record.line, found: String(found)))
    }

    private static func named(
        _ mapping: SettlementMapping, _ sheet: SettlementSheet,
        _ nearest: inout (missing: [String], record: CSVRecords.Record)?
    ) throws(SettlementFileProblem) -> SettlementTable? {
        for var records in sheet.readings {
            for _ in 0..<depth {
                guard let record = records.next() else { break }
                switch mapping.fit(record.fields) {
                case .whole(let places): return SettlementTable(places, records, of: sheet)
                case .repeating(let name): throw SettlementFileProblem(line: record.line, .repeatedColumn(name))
                case .lacking(let missing):
                    if missing.count < nearest?.missing.count ?? .max { nearest = (missing, record) }
                }
            }
        }
        return nil
    }

    // MARK: - Without a header

    private static func counted(
        _ places: [SettlementMapping.Field: Int], _ sheet: SettlementSheet, _ days: DayText
    ) -> SettlementTable {
        let readings = sheet.readings
        let width = (places.values.max() ?? 0) + 1
        let wide = readings.first { $0.prefix(depth).contains { $0.fields.count >= width } }
        var records = wide ?? readings[0]
        var titles: [LeftOutRow] = []
        var rest = records
        while titles.count < depth, let record = rest.next(), isTitle(record, places, days) {
            titles.append(LeftOutRow(line: record.line, .title, record.label))
            records = rest
        }
        return SettlementTable(places, records, of: sheet, titles)
    }

    /// Whether a record has neither a date nor an amount where rows have them.
    private static func isTitle(
        _ record: CSVRecords.Record, _ places: [SettlementMapping.Field: Int], _ days: DayText
    ) -> Bool {
        places.allSatisfy { field, place in
            guard place < record.fields.count, !record.fields[place].trimmed.isEmpty else { return true }
            return switch field {
            case .payment: true
            case .gross, .fee, .tax, .net: WonText.parse(record.fields[place]) == nil
            case .payoutRate, .payoutWon: WonText.parse(record.fields[place]) == nil
            case .currency: Currencies.Currency(record.fields[place].trimmed) == nil
            case .paidOutAt: days.parse(record.fields[place]) == nil
            }
        }
    }
}

extension CSVRecords.Record {
    /// Whether no field has anything but spaces.
    var isBlank: Bool { fields.allSatisfy { $0.trimmed.isEmpty } }

    /// The first field with something in it.
    var label: String { fields.lazy.map(\.trimmed).first { !$0.isEmpty } ?? "" }

    /// The word by which a row is one of totals; nil: it is none.
    ///
    /// A row with a payment id is a payout, whatever its other fields say. Spreadsheets show a dash for nothing, and `3건`
    /// counts payments.
    func totalsLabel(payment place: Int?) -> String? {
        let payment = place.flatMap { $0 < fields.count ? fields[$0].trimmed : nil } ?? ""
        let isNone = payment.isEmpty || WonText.dashes.contains(payment[...]) || Self.isCount(payment)
        if !isNone { return Self.isOfTotals(payment) ? payment : nil }
        return fields.lazy.map(\.trimmed).first(where: Self.isOfTotals)
    }

    /// `3건`, `1,204 건`.
    private static func isCount(_ text: String) -> Bool {
        guard text.hasSuffix("건"), let first = text.first, first.isNumber else { return false }
        return text.dropLast().allSatisfy { $0.isNumber || $0 == "," || $0 == " " }
    }

    /// `합계`, `[ 소 계 ]`, `11월 합계`, `총계(3건)`, `Total`.
    private static func isOfTotals(_ text: String) -> Bool {
        var word = String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        if others.contains(word) { return true }
        if word.hasSuffix("건") || word.hasSuffix("원") { word.removeLast() }
        while word.last?.isNumber ?? false { word.removeLast() }
        return korean.contains { word.hasPrefix($0) || word.hasSuffix($0) }
    }

    private static let korean = ["합계", "소계", "총계", "누계"]
    private static let others: Set<String> = ["계", "total", "totals", "subtotal", "grandtotal", "sum"]
}
