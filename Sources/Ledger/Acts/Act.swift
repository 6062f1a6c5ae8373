/// An operation that may move coins or money, such as a spend or a refund.
///
/// The file of an act holds its type with the journal entry that it posts, its success, the rows that it touches, its
/// plan and, if it has an idempotency key, how its outcome is recorded.
package protocol Act<Success>: Sendable {
    /// The result that the caller gets when the act is done.
    associatedtype Success: Sendable & Equatable

    /// The user whose wallet the act touches. The user decides the stripe.
    var user: UserID { get }
    /// The rows to lock and read before the act is planned.
    var touches: Touches { get }
    /// The most ids that it can use, for its entries, purchase, lots and accounts.
    var mostIDs: Int { get }
    /// Whether it is planned alone, because it changes what others in its batch have read.
    var isAlone: Bool { get }
    /// The same act of another user, into whom its user was merged; nil: it is no act of a user.
    func of(_ user: UserID) -> Self?
    /// Whether somebody gives the user coins by it: never to one who was forgotten. What the gateway did, such as the end of a
    /// dispute, is booked all the same.
    var givesCoins: Bool { get }
    /// The act, if its caller gave it an idempotency key; nil: what the act names, such as a payment or a lot, is its
    /// key.
    var keyed: (any KeyedAct)? { get }

    /// Applies the act to the books as the earlier acts of the batch left them. A refused act changes nothing.
    ///
    /// - Throws: ``LedgerError/Code/fault``, before it changes anything, when rows that it needs contradict each other.
    ///   That happens only if somebody changed them by hand.
    func plan(on books: inout Plan) throws(LedgerError) -> Answer<Success>
}

/// An act of the user that its caller named, or who has what it names: if the id refers to another user, it is that one's.
package protocol UserAct: Act {
    var user: UserID { get set }
}

extension UserAct {
    package func of(_ user: UserID) -> Self? {
        var act = self
        act.user = user
        return act
    }
}

extension Act {
    package var isAlone: Bool { false }
    package func of(_: UserID) -> Self? { nil }
    package var keyed: (any KeyedAct)? { nil }
    package var mostIDs: Int { Plan.mostIDs }
    package var givesCoins: Bool { false }
}

/// The answer to the caller of an act.
package struct Answer<Success: Sendable & Equatable>: Sendable, Equatable {
    package let outcome: Outcome<Success>
    /// Whether the outcome was recorded before: by an earlier act with the same key, or by this act, if the reply to
    /// its commit was lost and the outcome was found afterwards.
    package let isRepeat: Bool

    init(_ outcome: Outcome<Success>, isRepeat: Bool = false) {
        self.outcome = outcome
        self.isRepeat = isRepeat
    }

    static func done(_ success: Success) -> Answer { Answer(.done(success)) }
    /// The act was done before, or there was nothing to do.
    static func unchanged(_ success: Success) -> Answer { Answer(.done(success), isRepeat: true) }
    /// The ledger refuses the act and moves nothing.
    static func refused(_ refusal: Refusal) -> Answer { Answer(.refused(refusal)) }
}

/// The outcome of an act.
///
/// A refusal is an outcome and not an error: the ledger decided it.
package enum Outcome<Success: Sendable & Equatable>: Sendable, Equatable {
    /// The act is done, now or by an earlier request.
    case done(Success)
    /// The ledger refuses the act and moves nothing.
    case refused(Refusal)

    /// Why the act was refused; nil: it was not.
    package var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

/// The answer to an act of any type.
package protocol AnyAnswer: Sendable {
    /// Whether the outcome was recorded before.
    var isRepeat: Bool { get }
    /// Why the act was refused; nil: it was not.
    var refusal: Refusal? { get }
}

extension Answer: AnyAnswer {
    package var refusal: Refusal? { outcome.refusal }

    /// The answer with the type of its act.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when it answers an act of another type, which is a bug.
    init(_ answer: any AnyAnswer) throws(LedgerError) {
        guard let own = answer as? Answer else { throw .unexpected("an act got the answer to another act") }
        self = own
    }
}
