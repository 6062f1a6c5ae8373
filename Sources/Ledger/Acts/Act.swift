/// Something that may move coins or money: a value that says what to do, plans it, and knows its success.
///
/// An act lies in one file: its type with the entry it posts, its success, what it touches, its plan and, if its caller
/// names it, how it is recorded.
package protocol Act<Success>: Sendable {
    /// What its caller is told when it was done.
    associatedtype Success: Sendable & Equatable

    /// The user whose wallet it touches, and so the stripe it lies in.
    var user: UserID { get }
    /// What is to be locked and read before it is planned.
    var touches: Touches { get }
    /// The act as its caller named it; nil: it is its own key, and names no other.
    var keyed: (any KeyedAct)? { get }

    /// Does it to the books as the acts before it left them, or refuses and leaves them as they are.
    ///
    /// - Throws: ``LedgerError/Code/fault``, before it has changed anything, when rows that it needs contradict each
    ///   other: somebody changed them by hand.
    func plan(on books: inout Plan) throws(LedgerError) -> Answer<Success>
}

extension Act {
    package var keyed: (any KeyedAct)? { nil }
}

/// An act that its caller has named, so that it is done once however often it is asked for.
package protocol KeyedAct: Act where Success: Codable {
    /// What its outcomes are filed as; it never changes.
    static var name: String { get }
    /// Under which member its successes are recorded; it never changes.
    static var successName: String { get }
    /// The caller's name for it.
    var idempotencyKey: IdempotencyKey { get }
    /// Tells what it asks for from what another asks for under the same key.
    var fingerprint: Fingerprint { get }

    /// The journal entry that records a success; nil: it may have moved nothing.
    static func journalEntryID(of success: Success) -> Int64?
}

extension KeyedAct {
    package var keyed: (any KeyedAct)? { self }
}
