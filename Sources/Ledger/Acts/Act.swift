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

/// What an act's caller is told.
package struct Answer<Success: Sendable & Equatable>: Sendable, Equatable {
    /// What became of the act.
    package let outcome: Outcome<Success>
    /// Whether that was so before: by an earlier act with the same key, or by this one, if the reply to its commit was
    /// lost and it was then found.
    package let isRepeat: Bool

    init(_ outcome: Outcome<Success>, isRepeat: Bool = false) {
        self.outcome = outcome
        self.isRepeat = isRepeat
    }

    /// The act is done.
    static func done(_ success: Success) -> Answer { Answer(.done(success)) }
    /// It was done before, or there was nothing to do.
    static func unchanged(_ success: Success) -> Answer { Answer(.done(success), isRepeat: true) }
    /// The ledger will not do it, and nothing was moved.
    static func refused(_ refusal: Refusal) -> Answer { Answer(.refused(refusal)) }
}

/// What became of an act.
///
/// A refusal is an outcome, not an error: it is the ledger's definite answer.
package enum Outcome<Success: Sendable & Equatable>: Sendable, Equatable {
    /// It is done, now or since before.
    case done(Success)
    /// The ledger will not do it, and nothing was moved.
    case refused(Refusal)
}

/// An answer to one of the acts of a batch, whichever act it is.
package protocol AnyAnswer: Sendable {
    /// Whether it was so before.
    var isRepeat: Bool { get }
    /// Why the act was refused, if it was.
    var refusal: Refusal? { get }
}

extension Answer: AnyAnswer {
    package var refusal: Refusal? { if case .refused(let refusal) = outcome { refusal } else { nil } }

    /// What the caller of the act is told, of what its batch came to.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when it is the answer to an act of another kind: a bug.
    init(_ answer: any AnyAnswer) throws(LedgerError) {
        guard let own = answer as? Answer else { throw .unexpected("an act is answered as another one") }
        self = own
    }
}
