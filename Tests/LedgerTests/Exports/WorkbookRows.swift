@testable import Ledger

/// Rows without a database.
enum WorkbookRows {
    enum Value {
        case text(String)
        /// Bytes that need not be UTF-8.
        case bytes([UInt8])
        case integer(Int64)
        /// Microseconds since 1970.
        case time(Int64)
        case null

        fileprivate var bytes: [UInt8]? {
            switch self {
            case .text(let text): Array(text.utf8)
            case .bytes(let bytes): bytes
            case .integer(let number): Self.bytes(of: number)
            case .time(let microseconds): Self.bytes(of: microseconds - 946_684_800_000_000)
            case .null: nil
            }
        }

        private static func bytes(of number: Int64) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }

    /// Passes a row to the closure.
    static func with(_ values: [Value], _ body: (borrowing ExportRow) -> Void) {
        var bytes: [UInt8] = []
        var fields: [ExportRow.Field] = []
        for value in values {
            let written = value.bytes
            fields.append(ExportRow.Field(start: bytes.count, count: written?.count ?? -1))
            bytes += written ?? []
        }
        bytes.withUnsafeBytes { bytes in
            fields.withUnsafeBufferPointer { fields in
                let none = ExportRow.Values(bytes: bytes, fields: UnsafeBufferPointer(rebasing: fields[..<0]))
                body(ExportRow(head: none, values: ExportRow.Values(bytes: bytes, fields: fields)))
            }
        }
    }
}

extension WorkbookWriter {
    /// Writes rows.
    ///
    /// - Returns: their totals.
    func add(_ rows: some Sequence<[WorkbookRows.Value]>, _ columns: [Column]) -> ExportTotals {
        var totals = ExportTotals(columns)
        for row in rows {
            WorkbookRows.with(row) { row in
                totals.add(row)
                write(row)
            }
        }
        return totals
    }

    /// Writes rows and ends.
    func finish(_ rows: [[WorkbookRows.Value]], _ columns: [Column]) throws -> TemporaryFile {
        try end(add(rows, columns))
    }
}

extension TemporaryFile {
    var bytes: [UInt8] {
        get throws {
            var bytes: [UInt8] = []
            try forEachPart { bytes += $0 }
            return bytes
        }
    }
}
