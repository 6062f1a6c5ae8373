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
