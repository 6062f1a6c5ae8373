/// A JSON value whose numbers are kept as they were written, for amounts are money and `Double` isn't.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The member `name`; nil when this isn't an object or has none.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string; nil for anything else.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a boolean; nil for anything else.
    var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The value of a number written as an integer; nil for anything else.
    var integer: Int64? {
        guard case .number(let digits) = self else { return nil }
        return Int64(digits)
    }

    /// Writes `text` as a JSON string.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
