import FoundationEssentials

extension JSONValue {
    /// The value in JSON as PortOne V1 writes it: keys in alphabetical order, `/` escaped, everything beyond ASCII as
    /// `\uXXXX` (PortOne V1 contract, transport).
    package var wireText: String { JSONText(isASCII: true).text(of: self) }

    /// The value in JSON: keys in alphabetical order, UTF-8, with minimal escaping.
    package var jsonText: String { JSONText(isASCII: false).text(of: self) }
}

/// Writes JSON, with keys in alphabetical order.
private struct JSONText {
    let isASCII: Bool
    private var text = ""

    init(isASCII: Bool) { self.isASCII = isASCII }

    func text(of value: JSONValue) -> String {
        var writer = self
        writer.write(value)
        return writer.text
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number.description
        case .string(let string): write(string)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                write(element)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                write(member.key)
                text += ":"
                write(member.value)
            }
            text += "}"
        }
    }

    private mutating func write(_ string: String) {
        text += "\""
        defer { text += "\"" }
        if isPlain(string) {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "/" where isASCII: text += "\\/"
            case "\\": text += "\\\\"
            case " "..<"\u{7f}": text.unicodeScalars.append(scalar)
            case "\u{80}"... where !isASCII: text.unicodeScalars.append(scalar)
            default: for unit in String(scalar).utf16 { escape(unit) }
            }
        }
    }

    /// Whether a text is ASCII without escapes, as nearly all texts are.
    ///
    /// It uses a pointer, because a page of payments has hundreds of thousands of texts, and tests are not optimised.
    private func isPlain(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return true }
            var index = 0
            while index < bytes.count {
                let byte = start[index]
                // A quotation mark, a slash, a backslash.
                guard byte >= 0x20, byte < 0x7f, byte != 0x22, byte != 0x2f, byte != 0x5c else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
