/// The records of a CSV text (RFC 4180): fields are separated by commas or another character, and quoted if they contain
/// it, a quote or a line break.
///
/// Lines end with CR LF, LF or CR. Empty lines are skipped.
struct CSVRecords: Sequence, IteratorProtocol {
    /// A record, which may be malformed.
    struct Record: Equatable {
        /// The line where the record begins, from 1.
        let line: Int64
        let fields: [String]
        /// Whether a quote is not closed or is in the wrong place.
        let isMalformed: Bool
    }

    /// The characters that spreadsheets separate fields with: "Unicode text" has tabs, and a CSV semicolons where the
    /// comma is the decimal point.
    static let separators: [UInt8] = [UInt8(ascii: ","), 0x09, UInt8(ascii: ";")]

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index = 0
    private var line: Int64 = 1

    init(_ text: String, separator: UInt8 = UInt8(ascii: ",")) {
        self.init(Array(text.utf8), separator: separator)
    }

    /// - Parameter bytes: valid UTF-8.
    init(_ bytes: [UInt8], separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    mutating func next() -> Record? {
        while index < bytes.count {
            let record = record()
            if record.fields != [""] { return record }
        }
        return nil
    }

    private mutating func record() -> Record {
        let start = line
        var fields: [String] = []
        var isMalformed = false
        repeat {
            fields.append(field(&isMalformed))
        } while take(separator)
        takeLineEnd()
        return Record(line: start, fields: fields, isMalformed: isMalformed)
    }

    private mutating func field(_ isMalformed: inout Bool) -> String {
        guard take(UInt8(ascii: "\"")) else {
            let start = index
            while index < bytes.count, !endsField(bytes[index]) {
                if bytes[index] == UInt8(ascii: "\"") { isMalformed = true }
                index += 1
            }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        var content: [UInt8] = []
        while index < bytes.count {
            if take(UInt8(ascii: "\"")) {
                guard take(UInt8(ascii: "\"")) else {
                    if index < bytes.count, !endsField(bytes[index]) { isMalformed = true }
                    skipToFieldEnd()
                    return String(decoding: content, as: UTF8.self)
                }
                content.append(UInt8(ascii: "\""))
            } else {
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                content.append(bytes[index])
                index += 1
            }
        }
        isMalformed = true  // the quote is never closed
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func skipToFieldEnd() {
        while index < bytes.count, !endsField(bytes[index]) { index += 1 }
    }

    private mutating func takeLineEnd() {
        guard index < bytes.count else { return }
        if take(UInt8(ascii: "\r")) { _ = take(UInt8(ascii: "\n")) } else { _ = take(UInt8(ascii: "\n")) }
        line += 1
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
