import CivilTime
import Foundation

/// Writes rows in a format.
protocol ExportWriter: Sendable {
    /// Writes the beginning of the file.
    mutating func begin(_ out: inout ByteText)

    /// Writes a row, or keeps it until its entry is complete.
    mutating func write(_ row: borrowing ExportRow, to out: inout ByteText)

    /// Writes the row that was kept.
    mutating func end(_ out: inout ByteText)

    /// Writes the trailer as the last line, if the format allows a line that is not a row.
    func write(_ trailer: ExportTrailer, to out: inout ByteText)
}

extension ExportWriter {
    mutating func end(_ out: inout ByteText) {}
}

/// Proves that an export is complete.
///
/// It is the last line of every format except CSV, and is also returned separately with every export.
package struct ExportTrailer: Sendable {
    let report: Report
    /// The number of rows, and their sums.
    let totals: ExportTotals
    /// Up to when an export of a standby is complete; nil: it was read from the primary, and the same books give the
    /// same trailer.
    let standbyTime: Date?
    /// SHA-256 of all bytes of the export before the trailer's line, in hexadecimal.
    package let sha256: String

    package var rows: Int64 { totals.rows }

    /// The sums by column and currency; an amount is nil if it is beyond 64 bits.
    package var sums: [(column: String, currency: String, amount: Int64?)] {
        totals.named.flatMap { column in
            column.totals.map { (column: column.column, currency: $0.currency, amount: Int64($0.total)) }
        }
    }

    /// A JSON object in ASCII, on one line.
    package var json: String {
        let columns = totals.named.map { column in
            let sums = column.totals.map { "\"\($0.currency)\":\($0.total)" }.joined(separator: ",")
            return "\"\(column.column)\":{\(sums)}"
        }
        let standby = standbyTime.map { "\"standby_time\":\"\(RFC3339.string(from: $0))\"," } ?? ""
        return "{\"report\":\"\(report.rawValue)\",\"rows\":\(rows),\"totals\":{\(columns.joined(separator: ","))},"
            + standby + "\"sha256\":\"\(sha256)\"}"
    }
}
