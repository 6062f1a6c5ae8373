import Foundation

/// The order in which a user's lots are used.
package struct LotOrdering: Sendable, Equatable {
    /// A rule that decides which of two lots is used first.
    package enum Term: String, Sendable, CaseIterable {
        /// Coins that expire earlier go first; coins that never expire go last.
        case earliestExpiry = "earliest-expiry"
        /// Bonus coins go before paid coins.
        case bonusFirst = "bonus-first"
        /// Paid coins go before bonus coins.
        case paidFirst = "paid-first"
        /// Coins that were acquired earlier go first.
        case oldestFirst = "oldest-first"
        /// Coins that were acquired later go first.
        case newestFirst = "newest-first"
    }

    /// The terms in order.
    ///
    /// The first one that distinguishes two lots decides.
    package let terms: [Term]

    /// Earliest expiry, bonus before paid, oldest first.
    package static let standard = LotOrdering([.earliestExpiry, .bonusFirst, .oldestFirst])

    /// An order by these terms and then by id.
    package init(_ terms: [Term]) { self.terms = terms }

    func precedes(_ one: Lot, _ other: Lot) -> Bool {
        for term in terms {
            if let answer = term.precedes(one, other) { return answer }
        }
        return one.id < other.id
    }
}

extension LotOrdering.Term {
    /// Nil: the term does not distinguish the two.
    fileprivate func precedes(_ one: Lot, _ other: Lot) -> Bool? {
        switch self {
        case .earliestExpiry:
            let (first, second) = (one.expiresAt ?? .distantFuture, other.expiresAt ?? .distantFuture)
            return first == second ? nil : first < second
        case .bonusFirst: return one.kind == other.kind ? nil : one.kind == .bonus
        case .paidFirst: return one.kind == other.kind ? nil : one.kind == .paid
        case .oldestFirst: return one.acquiredAt == other.acquiredAt ? nil : one.acquiredAt < other.acquiredAt
        case .newestFirst: return one.acquiredAt == other.acquiredAt ? nil : one.acquiredAt > other.acquiredAt
        }
    }
}

/// The most lots that acts change at once, so that a batch ends long before the time limit of its writer.
///
/// A lot costs PostgreSQL some 20 µs of a spend and 50 µs of a reversal. While a batch is written, the other acts of its
/// stripes wait.
package struct LotLimits: Sendable, Equatable {
    /// The most lots of one act.
    ///
    /// A larger act is refused, and its caller does it in parts (``Refusal/tooManyLots(required:available:limit:)``).
    package var act = 5_000
    /// The most lots of a batch of several acts.
    ///
    /// A larger batch is divided.
    package var batch = 10_000
    /// The most purchases, holds and orders that a merge of users moves, at some 12 µs each.
    package var mergedRecords = 100_000

    package init() {}

    /// Why one act can't change a lot for each of these parts, which are the coins of all that it would move.
    func refusal(of parts: [Int64]) -> Refusal? {
        guard parts.count > act else { return nil }
        return .tooManyLots(
            required: parts.reduce(0, +), available: parts.prefix(act).reduce(0, +), limit: Int64(act))
    }

    /// How many lots are read of each user whose first ones did not suffice.
    ///
    /// As many as all of the user's acts may change. A batch of several acts reads no more than a batch may change; `isShort`
    /// tells that this is less.
    ///
    /// - Parameters:
    ///   - counts: the number of acts of each of these users.
    ///   - acts: the number of acts of the batch.
    func reading(of counts: [Int], outOf acts: Int) -> (lots: Int, isShort: Bool) {
        let wanted = (counts.max() ?? 1) * act
        guard acts > 1 else { return (wanted, false) }
        let most = max(batch / max(counts.count, 1), 1)
        return (min(wanted, most), most < wanted)
    }
}
