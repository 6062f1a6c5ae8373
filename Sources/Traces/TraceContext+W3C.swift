extension TraceContext {
    /// Reads a `traceparent`, as another service sent it.
    ///
    /// - Returns: nil for anything that breaks the format (W3C Trace Context, 3.2): the caller then starts a trace of its
    ///   own, as the standard asks.
    package init?(traceparent text: String) {
        let bytes = Array(text.utf8.prefix(Self.length + 1))
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Hexadecimal.value(of: bytes[0..<2]), version != 0xff,
            // A later version may add fields; the first ends here.
            bytes.count == Self.length || (version > 0 && bytes[Self.length] == UInt8(ascii: "-")),
            let high = Hexadecimal.value(of: bytes[3..<19]), let low = Hexadecimal.value(of: bytes[19..<35]),
            let span = Hexadecimal.value(of: bytes[36..<52]), let flags = Hexadecimal.value(of: bytes[53..<55]),
            let traceID = TraceID(high: high, low: low), let spanID = SpanID(span)
        else { return nil }
        self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1, isRemote: true)
    }

    /// The value of the header for calls to other services.
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The characters of version 00: version, trace, span and flags, with dashes between them.
    private static let length = 55
}

/// Digits `0`–`9` and `a`–`f`; the standard allows no others.
enum Hexadecimal {
    /// 16 digits.
    static func text(of value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for place in 0..<16 { buffer[place] = digits[Int(value >> UInt64(60 - place * 4) & 0xf)] }
            return 16
        }
    }

    /// Nil when one is no digit.
    static func value(of digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
