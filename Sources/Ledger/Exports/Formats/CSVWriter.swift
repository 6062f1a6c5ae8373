/// CSV as defined in RFC 4180.
///
/// A text that a spreadsheet would read as a formula gets an apostrophe in front: users choose their ids, and a
/// `=HYPERLINK(…)` must stay text in an accountant's spreadsheet. Numbers are not changed.
struct CSVWriter: ExportWriter {
    let columns: [Column]
    /// What the first line says of each column.
    let headings: [String]
    let zone: ExportZone
    let hasByteOrderMark: Bool
    /// Whether Excel must show each value as it is.
    ///
    /// Opening a file, Excel turns texts that look like numbers, dates or truth values into them: `00123` becomes 123, 16
    /// digits lose the last one, `may1` becomes a day. Such a text is written as `="00123"`. Times are written in a form
    /// that it reads, without the zone's offset.
    let isForExcel: Bool

    func begin(_ out: inout ByteText) {
        if hasByteOrderMark { out.append([0xEF, 0xBB, 0xBF]) }
        out.append(headings.joined(separator: ",") + "\r\n")
    }

    func write(_ row: borrowing ExportRow, to out: inout ByteText) {
        for index in columns.indices {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            switch columns[index].kind {
            case .integer, .id:
                if let number = row.integer(index) { out.append(number) }
            case .text:
                if let text = row.text(index) { out.append(csv: text, isForExcel: isForExcel) }
            case .time:
                guard let time = row.time(index) else { continue }
                if isForExcel {
                    out.append(plainTime: time, offset: zone.offset(at: time))
                } else {
                    out.append(time: time, offset: zone.offset(at: time))
                }
            }
        }
        out.append("\r\n")
    }

    /// Writes nothing: every line of a CSV file is a record, so a trailer would be read as another row.
    func write(_ trailer: ExportTrailer, to out: inout ByteText) {}
}

extension ByteText {
    /// Appends a field, with quotes if it needs them.
    mutating func append(csv text: UnsafeRawBufferPointer, isForExcel: Bool = false) {
        if isForExcel, text.isReinterpretedByExcel { return append(excelText: text) }
        let isFormula = text.beginsAsFormula
        guard text.contains(where: \.needsQuotes) else {
            if isFormula { append(UInt8(ascii: "'")) }
            return append(text)
        }
        append(UInt8(ascii: "\""))
        if isFormula { append(UInt8(ascii: "'")) }
        for byte in text {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }

    /// Writes the formula `="text"` as a quoted field: each quote of the text is doubled in the formula, and again in CSV.
    private mutating func append(excelText text: UnsafeRawBufferPointer) {
        append("\"=\"\"")
        for byte in text {
            if byte == UInt8(ascii: "\"") { append("\"\"\"") }
            append(byte)
        }
        append("\"\"\"")
    }
}

extension UInt8 {
    fileprivate var needsQuotes: Bool {
        self == UInt8(ascii: ",") || self == UInt8(ascii: "\"") || self == 0x0D || self == 0x0A
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a spreadsheet may read the text as a formula.
    ///
    /// Formulas begin with `=`, `+`, `-`, `@`, a tab or a line break, or with the full-width forms of the four signs,
    /// which East Asian input methods produce.
    fileprivate var beginsAsFormula: Bool {
        guard let first else { return false }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
        case 0xEF: return Self.wideSigns.contains { starts(with: $0) }
        default: return false
        }
    }

    /// Whether Excel may read the text as a number, a date, a time or a truth value.
    ///
    /// These begin with a digit or a month's name, or are `true` or `false`. A formula's text has at most 255 characters.
    fileprivate var isReinterpretedByExcel: Bool {
        guard let first, count <= 255, !contains(where: { $0 < 0x20 }) else { return false }
        if isDigit(first) { return true }
        let start = prefix(5).map { $0 | 0x20 }
        if count == start.count, Self.truths.contains(start) { return true }
        return Self.months.contains(Array(start.prefix(3))) && contains(where: isDigit)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static let truths = ["true", "false"].map { Array($0.utf8) }
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }

    private static let wideSigns = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }
}
