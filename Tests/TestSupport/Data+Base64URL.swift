package import Foundation

extension Data {
    /// Base64url without padding (RFC 4648, section 5), as tokens and keys of forms have it.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
