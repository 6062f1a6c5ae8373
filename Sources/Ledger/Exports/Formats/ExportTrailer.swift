/// What proves that an export is whole.
///
/// It is the last line of a format in which a line can be something else than a row, and goes with every export beside
/// its bytes.
package struct ExportTrailer: Sendable {
    /// What was exported.
    let report: Report
    /// How many rows, and what they add up to.
    let totals: ExportTotals
    /// SHA-256 of every byte of the export, without the trailer's line if it has one, in hexadecimal.
    package let sha256: String

    /// How many rows.
    package var rows: Int64 { totals.rows }

    /// As a JSON object, of ASCII on one line.
    package var json: String {
        let columns = totals.named.map { column in
            let sums = column.totals.map { "\"\($0.currency)\":\($0.total)" }.joined(separator: ",")
            return "\"\(column.column)\":{\(sums)}"
        }
        return "{\"report\":\"\(report.rawValue)\",\"rows\":\(rows),\"totals\":{\(columns.joined(separator: ","))},"
            + "\"sha256\":\"\(sha256)\"}"
    }
}
