/// The pairs of a query string or of an `application/x-www-form-urlencoded` body, in order.
package struct FormPairs: Sendable {
    package let pairs: [(name: String, value: String)]

    package init(_ text: some StringProtocol) {
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The last value of `name`: a later pair replaces an earlier one.
    package subscript(name: String) -> String? {
        pairs.last { $0.name == name }?.value
    }

    /// All values of the list `name`, whose pairs are named `name[]` or `name`.
    package func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name + "[]" || $0.name == name }.map(\.value)
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        PercentEncoding.decode(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
}

/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
    /// Decodes `bytes`; a stray `%` stays as it is.
    package static func decode(_ bytes: [UInt8]) -> String {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isEscape = bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
            if isEscape, let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Encodes all but the unreserved characters.
    package static func encode(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            encoded +=
                plain.contains(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
