/// A point in time of the soak's own steady clock, in nanoseconds since its start.
package typealias Moment = Int64

/// What a client wants done once, however often it asks.
package struct Act: Codable, Hashable, Sendable {
    /// The kind of act.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case order, receipt, grant, grantVoid, spend, hold, capture, void, refund, gift, merge

        /// The kind of the journal entry; nil: an order makes none.
        package var entryKind: String? {
            switch self {
            case .order: nil
            case .receipt: "purchase"
            case .refund: "refund_hold"
            case .grantVoid: "grant_void"
            case .gift: "gift_sent"
            case .merge: "merge_received"
            default: rawValue
            }
        }
    }

    package let kind: Kind
    /// The user whose coins it moves, by a former id if the client knows that one; of a merge, who has the coins then.
    package let user: String
    /// The idempotency key; of a receipt, the `merchant_uid`.
    package let key: String
    /// The number of coins asked for; nil: all there are, or as many as were bought.
    package let coins: Int64?

    package init(_ kind: Kind, of user: String, key: String, coins: Int64? = nil) {
        self.kind = kind
        self.user = user
        self.key = key
        self.coins = coins
    }
}

/// One request for an act, and what was answered.
package struct Attempt: Codable, Hashable, Sendable {
    /// The client's answer.
    package enum Outcome: Codable, Hashable, Sendable {
        /// It is done.
        case done(Answer)
        /// It is refused for good, with this problem code, and nothing was done.
        case refused(String)
        /// No answer, or one that tells to try again: it may be done or not.
        case unknown(String)
    }

    /// What a success says.
    package struct Answer: Codable, Hashable, Sendable {
        /// What must be the same whenever the act is repeated: the entry, the id, the coins.
        package var record: String
        /// The journal entry, if the answer names it.
        package var entry: Int64?
        /// The balance after the act, if the answer tells that and not today's.
        package var balance: Coins?

        package init(record: String, entry: Int64? = nil, balance: Coins? = nil) {
            self.record = record
            self.entry = entry
            self.balance = balance
        }
    }

    package let act: Act
    package let begun: Moment
    package let ended: Moment
    /// The number of the service that was asked.
    package let service: Int
    package let outcome: Outcome

    package init(_ act: Act, from begun: Moment, to ended: Moment, at service: Int, _ outcome: Outcome) {
        self.act = act
        self.begun = begun
        self.ended = ended
        self.service = service
        self.outcome = outcome
    }

    /// The success, if there was one.
    package var answer: Answer? { if case .done(let answer) = outcome { answer } else { nil } }
}

/// A user's coins.
package struct Coins: Codable, Hashable, Sendable, CustomStringConvertible {
    package var paid: Int64 = 0
    package var bonus: Int64 = 0
    package var held: Int64 = 0
    package var debt: Int64 = 0

    package init(paid: Int64 = 0, bonus: Int64 = 0, held: Int64 = 0, debt: Int64 = 0) {
        self.paid = paid
        self.bonus = bonus
        self.held = held
        self.debt = debt
    }

    package var description: String { "paid \(paid), bonus \(bonus), held \(held), debt \(debt)" }
}

/// A balance that a client read.
package struct Read: Codable, Hashable, Sendable {
    package let user: String
    package let begun: Moment
    package let ended: Moment
    package let service: Int
    package let coins: Coins

    package init(of user: String, from begun: Moment, to ended: Moment, at service: Int, _ coins: Coins) {
        self.user = user
        self.begun = begun
        self.ended = ended
        self.service = service
        self.coins = coins
    }
}

/// What the clients did, and the answers.
package struct History: Codable, Sendable {
    package var attempts: [Attempt] = []
    package var reads: [Read] = []

    package init(attempts: [Attempt] = [], reads: [Read] = []) {
        self.attempts = attempts
        self.reads = reads
    }
}
