/// A column that each file of a format has, under one of some names.
protocol FixedColumn: CaseIterable, Hashable, Sendable {
    /// The first is the usual one.
    var names: [String] { get }
    var isOptional: Bool { get }
}

/// The table in a settlement file whose columns are always the same.
struct FixedTable<Column: FixedColumn> {
    /// The records below the header.
    let records: CSVRecords
    private let places: [Column: Int]

    /// Finds the header, whatever is written above it and in whichever letters.
    ///
    /// - Throws: ``SettlementFileProblem`` for a file without the columns.
    init(in sheets: [SettlementSheet]) throws(SettlementFileProblem) {
        var nearest: (missing: [String], record: CSVRecords.Record)?
        for var records in sheets.flatMap(\.readings) {
            for _ in 0..<SettlementTable.depth {
                guard let record = records.next() else { break }
                let places = Self.places(in: record)
                let missing = Column.allCases.filter { places[$0] == nil && !$0.isOptional }.map { $0.names[0] }
                guard !missing.isEmpty else {
                    self.records = records
                    self.places = places
                    return
                }
                if missing.count < nearest?.missing.count ?? .max { nearest = (missing, record) }
            }
        }
        throw SettlementTable.noHeader(Column.allCases.map { $0.names[0] }, nearest)
    }

    private static func places(in header: CSVRecords.Record) -> [Column: Int] {
        let names = header.fields.map { $0.asColumnName.lowercased() }
        var places: [Column: Int] = [:]
        for column in Column.allCases {
            let known = column.names.map { $0.lowercased() }
            places[column] = names.firstIndex { known.contains($0) }
        }
        return places
    }

    func has(_ column: Column) -> Bool { places[column] != nil }

    /// - Throws: ``SettlementFileProblem`` for a record that is cut off.
    func text(_ column: Column, _ record: CSVRecords.Record) throws(SettlementFileProblem) -> String {
        guard let place = places[column], place < record.fields.count else {
            throw problem(record, column, .fieldMissing(columns: record.fields.count))
        }
        return record.fields[place].trimmed
    }

    func problem(
        _ record: CSVRecords.Record, _ column: Column, _ fault: SettlementFileFault
    ) -> SettlementFileProblem {
        SettlementFileProblem(line: record.line, column: column.names[0], fault)
    }
}
