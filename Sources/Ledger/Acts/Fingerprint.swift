import Crypto
import Foundation

/// Tells what an act asks for from what another asks for under the same key.
package struct Fingerprint: Sendable, Equatable {
    /// SHA-256 in hexadecimal digits.
    let text: String

    init(text: String) { self.text = text }

    /// Of an act's parts; each is preceded by its length, so that no two contents run together into one text.
    init(_ parts: String?...) {
        let content = parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        text = SHA256.hash(data: Data(content.utf8)).hex
    }
}
