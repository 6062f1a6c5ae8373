import Foundation

/// JSON as a test reads it: what is not there is `null`, so that an expectation fails and not the test.
package enum JSON: Decodable, Equatable, Sendable, CustomStringConvertible {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// What is most frequent comes first: Swift Testing keeps a backtrace of each error that is thrown.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let object = try? value.decode([String: JSON].self) {
            self = .object(object)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .number(try value.decode(Double.self))
        }
    }

    package init(_ bytes: [UInt8]) {
        self = (try? JSONDecoder().decode(JSON.self, from: Data(bytes))) ?? .null
    }

    package subscript(name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The same object without this member.
    package func without(_ name: String) -> JSON {
        if case .object(let members) = self { .object(members.filter { $0.key != name }) } else { self }
    }

    package var members: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }

    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .string(let string): "\"\(string)\""
        case .array(let elements): "\(elements)"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
}
