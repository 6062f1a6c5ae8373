/// Reads JSON as RFC 8259 has it, strictly: what says two things about money says nothing.
///
/// So an object with the same name twice is refused, as are depths beyond 64 and text that isn't UTF-8.
public struct JSONParser {
    /// The text isn't JSON, or says something twice.
    public struct Malformed: Error, Hashable {
        /// How many bytes were read before the place that can't be read.
        public let offset: Int
        /// Where the member stands that is there twice: the names and indexes that lead to it; nil: it isn't JSON.
        public let repeated: [String]?
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The names and indexes that lead to the value that is read.
    private var path: [String] = []

    private static let maxDepth = 64

    /// Reads a text that is one JSON value.
    public static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.index == bytes.count else { throw parser.malformed }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var malformed: Malformed { Malformed(offset: index, repeated: nil) }

    // MARK: Values

    private mutating func value(depth: Int) throws(Malformed) -> JSON {
        guard depth < Self.maxDepth else { throw malformed }
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSON {
        var members: [String: JSON] = [:]
        index += 1
        if skip(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipBlanks()
            let name = try string()
            path.append(name)
            guard members[name] == nil else { throw Malformed(offset: index, repeated: path) }
            guard skip(UInt8(ascii: ":")) else { throw malformed }
            members[name] = try value(depth: depth + 1)
            path.removeLast()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw malformed }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Malformed) -> JSON {
        var elements: [JSON] = []
        index += 1
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            path.append(String(elements.count))
            elements.append(try value(depth: depth + 1))
            path.removeLast()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw malformed }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(Malformed) -> JSON {
        let length = word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: length)
        guard bytes.count - index >= length, bytes[index..<index + length].elementsEqual(expected) else {
            throw malformed
        }
        index += length
        return value
    }

    private mutating func number() throws(Malformed) -> String {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(Malformed) {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw malformed }
    }

    // MARK: Strings

    private mutating func string() throws(Malformed) -> String {
        guard take(UInt8(ascii: "\"")) else { throw malformed }
        var text = ""
        while true {
            let start = index
            while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
            if index > start {
                guard let plain = String(validating: bytes[start..<index], as: UTF8.self) else { throw malformed }
                text += plain
            }
            if take(UInt8(ascii: "\"")) { return text }
            guard take(UInt8(ascii: "\\")) else { throw malformed }
            text.unicodeScalars.append(try escaped())
        }
    }

    private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
        guard let byte = peek else { throw malformed }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw malformed
        }
    }

    /// One `\uXXXX`, or two that are a surrogate pair.
    private mutating func unicodeEscape() throws(Malformed) -> Unicode.Scalar {
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800..<0xdc00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw malformed
        }
        let second = try fourHexDigits()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw malformed }
        return scalar
    }

    private mutating func fourHexDigits() throws(Malformed) -> UInt32 {
        guard bytes.count - index >= 4 else { throw malformed }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw malformed }
            value = value << 4 + UInt32(digit)
        }
        index += 4
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        return take(byte)
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
    }
}
