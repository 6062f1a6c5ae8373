import WireFormats

/// A buffer of UTF-8 text.
///
/// Making a `String` for each of ten million rows would be too slow.
struct ByteText: Sendable {
    private(set) var bytes: [UInt8] = []

    /// The number of bytes after which a part of an export is returned.
    static let partSize = 64 << 10

    init() {
        bytes.reserveCapacity(2 * Self.partSize)
    }

    var count: Int { bytes.count }

    /// Returns the bytes and empties the buffer.
    mutating func take() -> [UInt8] {
        let taken = bytes
        self = ByteText()
        return taken
    }

    /// Removes the last byte.
    mutating func removeLast() {
        bytes.removeLast()
    }

    /// Empties the buffer.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    @inline(__always)
    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    @inline(__always)
    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a text as a JSON string.
    mutating func append(json text: UnsafeRawBufferPointer) {
        JSONWriter.append(quoted: text, to: &bytes)
    }

    mutating func append(_ number: Int64) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var start = 20
            var rest = number.magnitude
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest != 0
            if number < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends two hexadecimal digits in capitals.
    mutating func append(hex byte: UInt8) {
        for digit in [byte >> 4, byte & 0xF] {
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }
}
