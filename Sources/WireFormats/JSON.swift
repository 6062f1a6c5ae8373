/// A JSON value with numbers as text, because amounts of money must not be rounded to `Double`.
package enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, exactly as in the text.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object([String: JSON])

    /// The member `name`; nil: not an object, or no such member.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string; nil: not a string.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a boolean; nil: not a boolean.
    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The value of an integer; nil: not a number in integer notation.
    package var integer: Int64? {
        guard case .number(let digits) = self else { return nil }
        return Int64(digits)
    }

    /// The elements of an array; nil: not an array.
    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
