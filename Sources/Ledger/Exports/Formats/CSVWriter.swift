/// CSV as RFC 4180 has it.
///
/// A text that a spreadsheet would take for a formula gets an apostrophe before it: users choose their ids, and a
/// `=HYPERLINK(…)` must stay text on an accountant's desk. Numbers are ours and untouched.
struct CSVWriter: ExportWriter {
    let columns: [Column]
    let zone: ExportZone
    let hasByteOrderMark: Bool

    func begin(_ out: inout ByteText) {
        if hasByteOrderMark { out.append([0xEF, 0xBB, 0xBF]) }
        out.append(columns.map(\.name).joined(separator: ",") + "\r\n")
    }

    func write(_ row: borrowing ExportRow, to out: inout ByteText) {
        for index in columns.indices {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            switch columns[index].kind {
            case .integer:
                if let number = row.integer(index) { out.append(number) }
            case .text:
                if let text = row.text(index) { out.append(csv: text) }
            case .time:
                if let time = row.time(index) { out.append(time: time, offset: zone.offset(at: time)) }
            }
        }
        out.append("\r\n")
    }

    /// Nothing: every line of a CSV is a record, and a reader would take it for one more row.
    func write(_ trailer: ExportTrailer, to out: inout ByteText) {}
}

extension ByteText {
    fileprivate mutating func append(csv text: UnsafeRawBufferPointer) {
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
}

extension UInt8 {
    fileprivate var needsQuotes: Bool {
        self == UInt8(ascii: ",") || self == UInt8(ascii: "\"") || self == 0x0D || self == 0x0A
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a spreadsheet may take it for a formula: `=`, `+`, `-`, `@`, tab and line ends begin one, and so do the
    /// wide forms of the four signs, which East Asian input methods type.
    fileprivate var beginsAsFormula: Bool {
        guard let first else { return false }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
        case 0xEF: return Self.wideSigns.contains { starts(with: $0) }
        default: return false
        }
    }

    private static let wideSigns = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }
}
