/// The last line of an export, without which it was cut off.
public struct ExportTrailer: Sendable {
    /// What was exported.
    let report: Report
    /// How many rows, and what they add up to.
    let totals: ExportTotals
    /// SHA-256 of every byte before the trailer's line, in hexadecimal.
    public let sha256: String

    /// How many rows.
    public var rows: Int64 { totals.rows }

    /// As a JSON object.
    var json: String {
        let columns = totals.named.map { column in
            let sums = column.totals.map { "\"\($0.currency)\":\($0.total)" }.joined(separator: ",")
            return "\"\(column.column)\":{\(sums)}"
        }
        return "{\"report\":\"\(report.rawValue)\",\"rows\":\(rows),\"totals\":{\(columns.joined(separator: ","))},"
            + "\"sha256\":\"\(sha256)\"}"
    }

    /// As `name=value` pairs.
    var pairs: [String] {
        let sums = totals.named.flatMap { column in
            column.totals.map { "\(column.column).\($0.currency)=\($0.total)" }
        }
        return ["report=\(report.rawValue)", "rows=\(rows)"] + sums + ["sha256=\(sha256)"]
    }
}
