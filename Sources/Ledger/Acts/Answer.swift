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
