/// Texts as a cell of Excel holds them.
enum WorkbookText {
    /// The most UTF-16 units of a cell.
    static let most = 32_767

    /// The text, in characters that XML can hold.
    ///
    /// Office Open XML writes a control character as `_x0007_` (ECMA-376, 22.9.2.19), so a text that looks like that is
    /// escaped too. A text that is too long ends with `…`.
    static func escaped(_ bytes: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.count <= most, !mayNeedEscape(bytes) { return text }
        var cell = Cell()
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            guard cell.append(scalars[index], looksEscaped: isEscape(scalars[index...])) else { return cell.cut }
        }
        return cell.text
    }

    /// A cell while its text is written.
    private struct Cell {
        var text = ""
        /// The longest beginning that leaves room for `…`.
        private var end = 0
        private var units = 0

        /// - Returns: false when the cell is full.
        mutating func append(_ scalar: Unicode.Scalar, looksEscaped: Bool) -> Bool {
            let written = WorkbookText.written(scalar, looksEscaped: looksEscaped)
            units += written.utf16.count
            if units > WorkbookText.most { return false }
            text.unicodeScalars.append(contentsOf: written.unicodeScalars)
            if units < WorkbookText.most { end = text.utf8.count }
            return true
        }

        var cut: String { String(decoding: text.utf8.prefix(end), as: UTF8.self) + "…" }
    }

    private static func written(_ scalar: Unicode.Scalar, looksEscaped: Bool) -> String {
        switch scalar.value {
        case 0x09, 0x0A: String(scalar)
        case ..<0x20: escape(scalar.value)
        case 0xFFFE, 0xFFFF: "\u{FFFD}"
        default: looksEscaped ? escape(scalar.value) : String(scalar)
        }
    }

    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "_x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_"
    }

    /// Whether a text begins like `_x0007_`, or would with the escape of the character after it.
    private static func isEscape(_ text: Substring.UnicodeScalarView) -> Bool {
        guard text.first == "_" else { return false }
        let start = Array(text.prefix(6))
        return start.count == 6 && start[1] == "x" && start[2...].allSatisfy(\.properties.isASCIIHexDigit)
    }

    /// Whether there is a control character, a beginning of an escape, or a character that XML has not.
    private static func mayNeedEscape(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (former, last): (UInt8, UInt8) = (0, 0)
        for byte in bytes {
            if byte < 0x20, byte != 0x09, byte != 0x0A { return true }
            if byte == UInt8(ascii: "x"), last == UInt8(ascii: "_") { return true }
            // U+FFFE and U+FFFF end so.
            if byte >= 0xBE, last == 0xBF, former == 0xEF { return true }
            (former, last) = (last, byte)
        }
        return false
    }
}
