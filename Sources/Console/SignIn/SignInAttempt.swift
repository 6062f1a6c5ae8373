import Crypto
import Foundation
import LedgerServer
import WireFormats

/// One attempt to sign in, bound to the browser by a cookie with a random secret.
///
/// State, nonce and code verifier are hashes of the secret, so that nothing is stored: what the provider and the redirect
/// know of them tells nothing of the others.
struct SignInAttempt: Sendable, Equatable {
    /// The value of the cookie.
    let secret: String
    /// The page of the console to go to afterwards.
    let destination: String

    private static let secretLength = 43

    /// A new attempt.
    init(destination: String) {
        secret = RandomToken.make()
        self.destination = destination
    }

    /// The attempt of a cookie; nil for a text that is none.
    init?(cookie: String) {
        let parts = cookie.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.secretLength, Base64URL.decode(parts[0].utf8) != nil,
            let path = Base64URL.decode(parts[1].utf8).flatMap({ String(validating: $0, as: UTF8.self) })
        else { return nil }
        secret = String(parts[0])
        destination = ConsolePath.own(path)
    }

    /// The text of the cookie.
    var cookie: String { secret + "." + Base64URL.encode(destination.utf8) }
    /// Shows that a redirect belongs to this browser's attempt (RFC 6749, 10.12).
    var state: String { derived("state") }
    /// Shows that an ID token belongs to this attempt.
    var nonce: String { derived("nonce") }
    /// Shows that who redeems the code has begun the attempt (RFC 7636).
    var verifier: String { derived("verifier") }
    /// The hash of the verifier, which the provider gets first.
    var challenge: String { Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8)))) }

    private func derived(_ purpose: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        return Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Data(purpose.utf8), using: key)))
    }
}

/// Paths of the console.
enum ConsolePath {
    /// Names and values as a query.
    static func query(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0.0)=\(FormText.encode($0.1))" }.joined(separator: "&")
    }

    /// The path of a page of the console, with its query; any other text becomes the first page.
    static func own(_ text: String) -> String {
        let isPlain = text.utf8.count <= 1000 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x5c }
        let isOwn = text == "/console" || text.hasPrefix("/console/") || text.hasPrefix("/console?")
        let leadsBack = text.hasPrefix("/console/sign-in") || text.hasPrefix("/console/callback")
        return isPlain && isOwn && !leadsBack ? text : "/console"
    }
}
