/// A JSON value whose numbers are kept as they were written, for amounts are money and `Double` isn't.
package enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object([String: JSON])

    /// The member `name`; nil when this isn't an object or has none.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string; nil for anything else.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a boolean; nil for anything else.
    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The value of a number written as an integer; nil for anything else.
    package var integer: Int64? {
        guard case .number(let digits) = self else { return nil }
        return Int64(digits)
    }

    /// The elements of an array; nil for anything else.
    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
