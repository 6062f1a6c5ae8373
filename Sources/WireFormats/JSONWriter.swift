/// Writes JSON text piece by piece, without building a value first.
///
/// It writes the pieces in the order of the calls and adds commas. The caller must write names only in objects, and end
/// what it begins. Texts are escaped like in Foundation's encoder, without escaped slashes.
package struct JSONWriter: Sendable {
    /// The text so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value needs a comma.
    private var follows = false

    /// Creates an empty text.
    ///
    /// - Parameter capacity: the expected number of bytes.
    package init(reserving capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    // MARK: Structure

    /// Begins an object.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Begins an array.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Ends the innermost array.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of the next member.
    ///
    /// The name must not need escapes.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        follows = false
    }

    /// Writes the name of the next member.
    package mutating func name(_ name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        follows = false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        follows = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        follows = true
    }

    private mutating func separate() {
        if follows { bytes.append(UInt8(ascii: ",")) }
        follows = true
    }

    // MARK: Values

    /// Writes an integer.
    package mutating func value(_ number: Int64) {
        separate()
        // 20: a sign and the 19 digits of the longest.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            func prepend(_ character: UInt8) {
                start -= 1
                digits[start] = character
            }
            var rest = number.magnitude
            repeat {
                prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            if number < 0 { prepend(UInt8(ascii: "-")) }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Writes a boolean.
    package mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a number.
    ///
    /// Infinities and NaN, which JSON does not have, become `null`.
    package mutating func value(_ number: Double) {
        separate()
        bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
    }

    /// Writes the text of a number unchanged.
    mutating func value(digits: String) {
        separate()
        bytes.append(contentsOf: digits.utf8)
    }

    /// Writes a text.
    package mutating func value(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { Self.append(quoted: UnsafeRawBufferPointer($0), to: &bytes) }
    }

    /// Writes a text that appends itself, without characters that need escapes.
    package mutating func value(plain append: (_ bytes: inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Members

    /// Writes a member of an object.
    package mutating func member(_ name: StaticString, _ value: Int64) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member of an object.
    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member of an object.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        self.value(value)
    }
}

// MARK: - Quoting

extension JSONWriter {
    /// Appends a text in UTF-8 as a JSON string, with its quotation marks.
    package static func append(quoted text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if isPlain(text) {
            bytes.append(contentsOf: text)
        } else {
            for byte in text {
                if isEscaped(byte) { append(escape: byte, to: &bytes) } else { bytes.append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5c  // a quotation mark, a backslash
    }

    /// Whether no byte needs an escape.
    ///
    /// A pointer is used because it is also fast in debug builds.
    private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return true }
        var index = 0
        while index < text.count {
            if isEscaped(start.load(fromByteOffset: index, as: UInt8.self)) { return false }
            index += 1
        }
        return true
    }

    private static func append(escape byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0c: bytes.append(UInt8(ascii: "f"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0xf
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        default: bytes.append(byte)
        }
    }
}
