/// A strict parser for JSON (RFC 8259).
///
/// It refuses objects with a repeated name, which would be ambiguous, and also a depth above 64 and invalid UTF-8.
package struct JSONParser {
    /// The text is not JSON, or an object has a repeated name.
    package struct Malformed: Error, Hashable {
        /// The offset of the error in bytes.
        package let offset: Int
        /// The path of the repeated member, as names and indexes; nil: the text is not JSON.
        package let repeated: [String]?
    }

    /// The text's bytes.
    ///
    /// A pointer is used because in debug builds each access through an array or an optional is a call, and parsing a
    /// page of payments would take a second.
    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private var index = 0
    /// The path of the current value.
    private var path: [Step] = []

    /// A step of the path.
    ///
    /// An index is converted to text only for an error.
    private enum Step {
        case name(String)
        case index(Int)
    }

    private static let maxDepth = 64

    /// Parses a text with one JSON value.
    package static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON {
        // An empty array has no bytes to point to.
        guard !bytes.isEmpty else { throw Malformed(offset: 0, repeated: nil) }
        return try bytes.withUnsafeBufferPointer { buffer throws(Malformed) in
            guard let start = buffer.baseAddress else { throw Malformed(offset: 0, repeated: nil) }
            var parser = JSONParser(bytes: start, count: buffer.count)
            let value = try parser.value(depth: 0)
            parser.skipBlanks()
            guard parser.index == buffer.count else { throw parser.malformed }
            return value
        }
    }

    private init(bytes: UnsafePointer<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    private var malformed: Malformed { Malformed(offset: index, repeated: nil) }

    // MARK: Values

    private mutating func value(depth: Int) throws(Malformed) -> JSON {
        guard depth < Self.maxDepth else { throw malformed }
        skipBlanks()
        switch peek {
        case 0x7b: return try object(depth: depth)  // {
        case 0x5b: return try array(depth: depth)  // [
        case 0x22: return .string(try string())  // "
        case 0x74: return try word("true", .bool(true))
        case 0x66: return try word("false", .bool(false))
        case 0x6e: return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSON {
        var members: [String: JSON] = [:]
        index += 1
        if skip(0x7d) { return .object(members) }  // }
        repeat {
            skipBlanks()
            let name = try string()
            path.append(.name(name))
            guard members[name] == nil else { throw repeatedMember }
            guard skip(0x3a) else { throw malformed }  // :
            members[name] = try value(depth: depth + 1)
            path.removeLast()
        } while skip(0x2c)  // ,
        guard skip(0x7d) else { throw malformed }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Malformed) -> JSON {
        var elements: [JSON] = []
        index += 1
        if skip(0x5d) { return .array(elements) }  // ]
        repeat {
            path.append(.index(elements.count))
            elements.append(try value(depth: depth + 1))
            path.removeLast()
        } while skip(0x2c)
        guard skip(0x5d) else { throw malformed }
        return .array(elements)
    }

    private var repeatedMember: Malformed {
        let path = path.map { step in
            switch step {
            case .name(let name): name
            case .index(let index): String(index)
            }
        }
        return Malformed(offset: index, repeated: path)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(Malformed) -> JSON {
        let length = word.utf8CodeUnitCount
        guard count - index >= length else { throw malformed }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { throw malformed }
        index += length
        return value
    }

    private mutating func number() throws(Malformed) -> String {
        let start = index
        _ = take(0x2d)  // -
        if !take(0x30) { try digits() }  // 0
        if take(0x2e) { try digits() }  // .
        if take(0x65) || take(0x45) {  // e E
            if !take(0x2b) { _ = take(0x2d) }  // + -
            try digits()
        }
        return String(decoding: UnsafeBufferPointer(start: bytes + start, count: index - start), as: UTF8.self)
    }

    private mutating func digits() throws(Malformed) {
        let start = index
        while index < count, bytes[index] >= 0x30, bytes[index] <= 0x39 { index += 1 }
        guard index > start else { throw malformed }
    }

    // MARK: Strings

    private mutating func string() throws(Malformed) -> String {
        guard take(0x22) else { throw malformed }
        var text = try plain()
        while !take(0x22) {
            guard take(0x5c) else { throw malformed }  // a backslash
            text.unicodeScalars.append(try escaped())
            text += try plain()
        }
        return text
    }

    /// Parses the part of a string up to its end or its next escape.
    private mutating func plain() throws(Malformed) -> String {
        let start = index
        while index < count, bytes[index] != 0x22, bytes[index] != 0x5c, bytes[index] >= 0x20 { index += 1 }
        let part = UnsafeBufferPointer(start: bytes + start, count: index - start)
        guard let text = String(validating: part, as: UTF8.self) else { throw malformed }
        return text
    }

    private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
        guard index < count else { throw malformed }
        let byte = bytes[index]
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

    /// Parses one `\uXXXX`, or two that form a surrogate pair.
    private mutating func unicodeEscape() throws(Malformed) -> Unicode.Scalar {
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800..<0xdc00).contains(first), take(0x5c), take(0x75) else {
            throw malformed
        }
        let second = try fourHexDigits()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw malformed }
        return scalar
    }

    private mutating func fourHexDigits() throws(Malformed) -> UInt32 {
        guard count - index >= 4 else { throw malformed }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index + offset])).hexDigitValue else { throw malformed }
            value = value << 4 + UInt32(digit)
        }
        index += 4
        return value
    }

    // MARK: Bytes

    /// The next byte; 0 at the end, which is not the start of any value.
    private var peek: UInt8 { index < count ? bytes[index] : 0 }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        return take(byte)
    }

    private mutating func skipBlanks() {
        while index < count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            index += 1
        }
    }
}
