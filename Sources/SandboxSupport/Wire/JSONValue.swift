package import FoundationEssentials

/// A JSON value; numbers are decimal, because amounts such as `14.2` must be returned unchanged.
package enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
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

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let elements): try value.encode(elements)
        case .object(let members): try value.encode(members)
        }
    }

    /// An integer.
    package static func int(_ value: Int) -> JSONValue { .number(Decimal(value)) }

    /// A text, or null when there is none.
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
