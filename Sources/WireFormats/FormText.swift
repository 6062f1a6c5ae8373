/// The text encoding of URLs and forms.
///
/// Decoding is strict: nothing is stripped, normalised or replaced.
///
/// Foundation's `removingPercentEncoding` drops a leading byte order mark, so that two users could become one.
package enum FormText {
    /// Decodes a path segment (RFC 3986): `%20` is a space, `+` is a plus sign.
    ///
    /// - Returns: nil for an invalid escape or invalid UTF-8.
    package static func decodePath(_ part: some StringProtocol) -> String? {
        decode(Array(part.utf8)[...], plusIsSpace: false)
    }

    /// Decodes the names and values of a query or a form (`application/x-www-form-urlencoded`), in order.
    ///
    /// Both `%20` and `+` are a space.
    ///
    /// A name without `=` has an empty value. Empty text between two `&` is skipped.
    ///
    /// - Returns: nil for an invalid escape or invalid UTF-8.
    package static func decodePairs(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0], plusIsSpace: true),
                let value = parts.count == 2 ? decode(parts[1], plusIsSpace: true) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Percent-encodes all characters except RFC 3986's unreserved ones, so that the text can be used anywhere in a
    /// URL.
    package static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var rest = bytes
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let byte) where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): byte - UInt8(ascii: "0")
        case .some(let byte) where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
            byte - UInt8(ascii: "a") + 10
        case .some(let byte) where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte):
            byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Int64 {
    /// The number in a text of 1 to 18 ASCII digits, as requests write ids and counts; nil for anything else.
    ///
    /// `Int64(_:)` also accepts a sign. One number must have one spelling only, for caches and for the API's document.
    package init?(digits text: some StringProtocol) {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.init(text)
    }
}
