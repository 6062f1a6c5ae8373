import Foundation

/// In which order a user's lots are used up.
package struct LotOrdering: Sendable, Equatable {
    /// What decides which of two lots goes first.
    package enum Term: String, Sendable, CaseIterable {
        /// Coins that expire earlier go first; coins that never expire go last.
        case earliestExpiry = "earliest-expiry"
        /// Given coins go before bought ones.
        case bonusFirst = "bonus-first"
        /// Bought coins go before given ones.
        case paidFirst = "paid-first"
        /// Coins that came earlier go first.
        case oldestFirst = "oldest-first"
        /// Coins that came later go first.
        case newestFirst = "newest-first"
    }

    /// The terms, the first that tells two lots apart deciding.
    package let terms: [Term]

    /// Earliest expiry, bonus before paid, oldest first.
    package static let standard = LotOrdering([.earliestExpiry, .bonusFirst, .oldestFirst])

    /// An order by these terms; lots that none of them tells apart go in the order of their ids.
    package init(_ terms: [Term]) { self.terms = terms }

    func precedes(_ one: Lot, _ other: Lot) -> Bool {
        for term in terms {
            if let answer = term.precedes(one, other) { return answer }
        }
        return one.id < other.id
    }
}

extension LotOrdering.Term {
    /// Nil when the term does not tell the two apart.
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
