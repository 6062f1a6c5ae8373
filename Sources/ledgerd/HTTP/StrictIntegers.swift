/// Keeps numbers that aren't written as integers from being read as integers.
///
/// Foundation reads `1.0`, `1e3` and, through a `Double`, even `9007199254740993.0` into an `Int64`, the last one
/// rounded; and it says of an integer that is too large only that the whole body is wrong. Amounts of money are written
/// as integers or they are refused; no member of any request is a floating-point number. So before decoding each such
/// number is overwritten with `{}`, which no number, string or Boolean can be decoded from: the decoder then names the
/// member, and members that nobody reads are still ignored.
enum StrictIntegers {
    static func blankOthers(in bytes: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = endOfString(in: bytes, from: index)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = bytes[index...].firstIndex { !isNumberCharacter($0) } ?? bytes.count
                if isNumberButNoInteger(bytes[index..<end]) { blank(&bytes, index..<end) }
                index = end
            default: index += 1
            }
        }
    }

    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1
    }

    private static func isNumberCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Whether a well-formed number has a fraction, an exponent, or more digits than an `Int64` holds.
    ///
    /// Malformed ones are left for the decoder to refuse.
    private static func isNumberButNoInteger(_ token: ArraySlice<UInt8>) -> Bool {
        var rest = token
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let integer = takeDigits(&rest)
        guard integer > 0 else { return false }
        if rest.isEmpty { return integer >= 19 && Int64(String(decoding: token, as: UTF8.self)) == nil }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        rest.removeFirst(digits)
        return digits
    }

    /// The shortest number that is blanked has three characters, so `{}` always fits.
    private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
        for index in range { bytes[index] = UInt8(ascii: " ") }
        bytes[range.lowerBound] = UInt8(ascii: "{")
        bytes[range.lowerBound + 1] = UInt8(ascii: "}")
    }
}
