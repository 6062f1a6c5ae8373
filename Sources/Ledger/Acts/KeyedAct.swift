import Crypto
package import Foundation

/// An act with an idempotency key: a repeat returns the first outcome and has no further effect.
package protocol KeyedAct: Act where Success: Codable {
    /// The name under which outcomes are stored. It never changes.
    static var name: String { get }
    /// The JSON member that holds a stored success. It never changes.
    static var successName: String { get }
    var idempotencyKey: CallerKey { get }
    /// Differs from that of another request under the same key.
    var fingerprint: Fingerprint { get }

    /// The journal entry that records a success; nil: the success may have moved nothing.
    static func journalEntryID(of success: Success) -> Int64?
}

extension KeyedAct {
    package var keyed: (any KeyedAct)? { self }
}

/// A success that a journal entry always records.
package protocol PostedSuccess {
    var journalEntryID: Int64 { get }
}

extension KeyedAct where Success: PostedSuccess {
    package static func journalEntryID(of success: Success) -> Int64? { success.journalEntryID }
}

/// An idempotency key: a repeated request finds the first outcome by it.
package struct CallerKey: Hashable, Sendable {
    /// 1 to 255 printable ASCII characters.
    package let text: String
    /// The caller that chose the key.
    ///
    /// The same text of another caller is a different key.
    package let caller: UserID

    /// - Returns: nil when the text is empty, longer than 255 characters, or has a character that is not printable
    ///   ASCII.
    package init?(_ text: String, of caller: UserID) {
        guard (1...255).contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        self.text = text
        self.caller = caller
    }

    private init(valid text: String, _ caller: UserID) {
        self.text = text
        self.caller = caller
    }

    /// The key of a part of the act under this key, whose outcome is recorded as that of an act of its own.
    ///
    /// - Parameter name: printable ASCII that differs from the names of the act's other parts.
    func part(_ name: String) -> CallerKey {
        CallerKey(valid: "part:\(SHA256.hash(data: Data(text.utf8)).hex):\(name)", caller)
    }
}

/// What an idempotency key was first used for.
package struct KeyUse: Sendable, Equatable {
    /// The ``KeyedAct/name`` of the act.
    package let act: String
    /// When its outcome was recorded.
    package let at: Date
    /// The journal entry of its success; nil: it was refused, or moved nothing.
    package let journalEntryID: Int64?

    package init(act: String, at: Date, journalEntryID: Int64? = nil) {
        self.act = act
        self.at = at
        self.journalEntryID = journalEntryID
    }
}

/// A hash of what an act asks for.
///
/// It shows whether a key is used again for different content.
package struct Fingerprint: Sendable, Equatable {
    /// SHA-256 in hexadecimal digits.
    let text: String

    init(text: String) { self.text = text }

    /// Hashes an act's parts.
    ///
    /// Each part is preceded by its length, so that different parts never form the same text.
    init(_ parts: String?...) {
        let content = parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        text = SHA256.hash(data: Data(content.utf8)).hex
    }
}
