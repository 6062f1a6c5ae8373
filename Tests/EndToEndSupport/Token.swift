import Crypto
import Foundation
import TestSupport

/// Access tokens, good ones and others.
package enum Token {
    package static let secret = "a secret of the end-to-end tests, and of nothing else"

    package static func user(_ name: String) -> String { make(sub: name, scope: "user") }
    package static func service() -> String { make(sub: "a-service", scope: "service") }
    /// A service that may also refund by bank transfer and waive fees.
    package static func refunds() -> String { make(sub: "a-service", scope: "service refunds:approve") }
    package static func finance() -> String { make(sub: "a-clerk", scope: "finance") }
    package static func events() -> String { make(sub: "a-reader", scope: "events") }
    package static func support() -> String { make(sub: "a-supporter", scope: "support") }

    /// - Parameters:
    ///   - lifetime: seconds until it expires, negative for one that has.
    ///   - algorithm: what its header says; it is signed as HS256 or, with `none`, not at all.
    package static func make(
        sub: String, scope: String, lifetime: Int = 3600, algorithm: String = "HS256", secret: String = secret
    ) -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = Claims(sub: sub, scope: scope, iat: now, exp: now + lifetime)
        let header = Data(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8).base64URL
        let signed = header + "." + ((try? JSONEncoder().encode(claims)) ?? Data()).base64URL
        if algorithm == "none" { return signed + "." }
        let signature = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: .init(data: Data(secret.utf8)))
        return signed + "." + Data(signature).base64URL
    }

    private struct Claims: Encodable {
        let sub: String
        let scope: String
        let iat: Int
        let exp: Int
    }
}
