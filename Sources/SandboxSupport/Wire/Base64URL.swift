package import FoundationEssentials

/// Base64 with the alphabet of URLs, without padding (RFC 4648, 5), as tokens have it.
package enum Base64URL {
    package static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// nil if `text` isn't such a text.
    package static func decode(_ text: some StringProtocol) -> Data? {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
