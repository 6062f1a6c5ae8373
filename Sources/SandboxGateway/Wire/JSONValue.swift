import FoundationEssentials

/// A JSON value; numbers are decimal, for amounts such as `14.2` must come back as they went in.
enum JSONValue: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Decimal.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// An integer.
    static func int(_ value: Int) -> JSONValue { .number(Decimal(value)) }

    /// A text, or null when there is none.
    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// A moment in Unix seconds, or the `0` that V1 writes for none.
    static func time(_ date: Date?) -> JSONValue { .int(Int(date?.timeIntervalSince1970 ?? 0)) }
}

extension JSONValue {
    /// The value as the V1 API writes it: keys in alphabetical order, `/` escaped, everything beyond ASCII as `\uXXXX`
    /// (PortOne V1 contract, transport).
    var wireText: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number.description
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements): Self.write(elements, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members.sorted { $0.key < $1.key }, "{", "}", to: &text) { member, text in
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], _ open: String, _ close: String, to text: inout String, _ write: (Part, inout String) -> Void
    ) {
        text += open
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "," }
            write(part, &text)
        }
        text += close
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for unit in string.utf16 {
            switch unit {
            case 0x22: text += "\\\""
            case 0x2f: text += "\\/"
            case 0x5c: text += "\\\\"
            case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        text += "\""
    }
}
