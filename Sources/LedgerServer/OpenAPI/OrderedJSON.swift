import Foundation

/// A JSON value whose members keep their order, for people read the document's examples in the order of the document.
///
/// It reads and writes the binary's own document. Bodies of requests are read by `WireFormats`, which is strict.
indirect enum OrderedJSON: Equatable, Sendable {
    case object([Member])
    case array([OrderedJSON])
    case string(String)
    /// A number, `true`, `false` or `null`, as it is written.
    case literal(String)

    struct Member: Equatable, Sendable {
        let name: String
        let value: OrderedJSON
    }

    /// The text isn't JSON.
    struct Malformed: Error {
        let offset: Int
    }

    /// Reads a text.
    ///
    /// - Throws: ``Malformed``.
    init(_ bytes: [UInt8]) throws {
        var reader = Reader(bytes: bytes)
        self = try reader.value()
    }

    /// The members of an object in their order; none of anything else.
    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The elements of an array; none of anything else.
    var elements: [OrderedJSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text of a string; nil of anything else.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The member `name`; nil if this has none.
    subscript(name: String) -> OrderedJSON? { members.first { $0.name == name }?.value }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .integer(number) }
    init(booleanLiteral flag: Bool) { self = .literal("\(flag)") }
    init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, OrderedJSON)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }

    static func integer(_ number: Int) -> OrderedJSON { .literal("\(number)") }
}

extension OrderedJSON {
    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        mutating func value() throws -> OrderedJSON {
            switch next() {
            case UInt8(ascii: "{"):
                return .object(
                    try list(until: UInt8(ascii: "}")) { reader in
                        let name = try reader.string()
                        try reader.take(UInt8(ascii: ":"))
                        return Member(name: name, value: try reader.value())
                    })
            case UInt8(ascii: "["): return .array(try list(until: UInt8(ascii: "]")) { try $0.value() })
            case UInt8(ascii: "\""): return .string(try string())
            default: return .literal(try literal())
            }
        }

        /// What comes next after blanks; nil at the end.
        private mutating func next() -> UInt8? {
            while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }

        private mutating func take(_ byte: UInt8) throws {
            guard next() == byte else { throw Malformed(offset: index) }
            index += 1
        }

        private mutating func list<Element>(
            until end: UInt8, _ element: (inout Self) throws -> Element
        ) throws -> [Element] {
            index += 1
            var elements: [Element] = []
            while next() != end {
                if !elements.isEmpty { try take(UInt8(ascii: ",")) }
                elements.append(try element(&self))
            }
            index += 1
            return elements
        }

        private mutating func string() throws -> String {
            guard next() == UInt8(ascii: "\"") else { throw Malformed(offset: index) }
            let start = index
            index += 1
            var isEscaped = false
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\") { (isEscaped, index) = (true, index + 1) }
                index += 1
            }
            guard index < bytes.count else { throw Malformed(offset: start) }
            index += 1
            let quoted = bytes[start..<index]
            guard isEscaped else { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
            return try JSONDecoder().decode(String.self, from: Data(quoted))
        }

        private mutating func literal() throws -> String {
            let text = bytes[index...].prefix { !",]} \n\r\t".utf8.contains($0) }
            guard !text.isEmpty else { throw Malformed(offset: index) }
            index = text.endIndex
            return String(decoding: text, as: UTF8.self)
        }
    }
}
