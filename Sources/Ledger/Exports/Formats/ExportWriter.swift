/// Writes rows in a format.
protocol ExportWriter: Sendable {
    /// Writes what comes before the rows.
    mutating func begin(_ out: inout ByteText)

    /// Writes a row, or keeps it until its entry is complete.
    mutating func write(_ row: borrowing ExportRow, to out: inout ByteText)

    /// Writes what was kept.
    mutating func end(_ out: inout ByteText)

    /// Writes the last line, in a format that has room for one that is no row.
    func write(_ trailer: ExportTrailer, to out: inout ByteText)
}

extension ExportWriter {
    mutating func end(_ out: inout ByteText) {}
}
