import Crypto
import Foundation

/// Tells what a command asks for from what another asks for under the same key.
struct Fingerprint: Sendable, Equatable {
    /// SHA-256 in hexadecimal digits.
    let text: String

    init(text: String) { self.text = text }

    /// Of a command's parts; each is preceded by its length, so that no two contents run together into one text.
    init(_ parts: String?...) {
        let content = parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        text = SHA256.hash(data: Data(content.utf8)).hex
    }
}

/// A command that its caller has named, so that it is done once however often it is asked for.
protocol KeyedCommand: Sendable {
    /// What its recorded outcomes are filed as; it never changes.
    static var name: String { get }
    /// The caller's name for it.
    var idempotencyKey: IdempotencyKey { get }
    /// What it asks for.
    var fingerprint: Fingerprint { get }
}
