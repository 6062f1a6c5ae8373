import Crypto
import Foundation

/// Random texts that nobody can guess.
package enum RandomToken {
    /// 256 random bits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The SHA-256 of a token, which is what the database knows.
    package static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Data(token.utf8))) }

    /// Compares in the same time wherever they differ.
    package static func areEqual(_ one: String, _ other: String) -> Bool { hash(one) == hash(other) }
}
