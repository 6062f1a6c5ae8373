import Crypto
import Foundation

/// An act that its caller has named, so that it is done once however often it is asked for.
package protocol KeyedAct: Act where Success: Codable {
    /// What its outcomes are filed as; it never changes.
    static var name: String { get }
    /// Under which member its successes are recorded; it never changes.
    static var successName: String { get }
    /// The caller's name for it.
    var idempotencyKey: CallerKey { get }
    /// Tells what it asks for from what another asks for under the same key.
    var fingerprint: Fingerprint { get }

    /// The journal entry that records a success; nil: it may have moved nothing.
    static func journalEntryID(of success: Success) -> Int64?
}

extension KeyedAct {
    package var keyed: (any KeyedAct)? { self }
}

/// A caller's name for one act, by which a repeated request finds the first one's outcome.
package struct CallerKey: Hashable, Sendable {
    /// 1 to 255 printable ASCII characters.
    package let text: String
    /// Who chose it: another caller's key of the same text is another key.
    package let caller: UserID

    /// Takes a caller's key.
    ///
    /// - Returns: nil when it is empty, longer than 255 characters, or holds anything but printable ASCII.
    package init?(_ text: String, of caller: UserID) {
        guard (1...255).contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        self.text = text
        self.caller = caller
    }
}

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
