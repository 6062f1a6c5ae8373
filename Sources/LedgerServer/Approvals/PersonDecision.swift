import Ledger
import WireFormats

/// Who decided about an act, and by which facts: the act itself checks that they still hold, in its own transaction.
///
/// A check before the act is not enough: of forty forms that are sent at once, each would see what was so before all
/// others.
enum PersonDecision: Sendable {
    /// One person, within the limits.
    case alone([String: JSON])
    /// Two people, by what the first one saw.
    case approved([String: JSON])

    /// The decision about a proposal.
    ///
    /// - Throws: ``Problem`` for what was stored by hand.
    init(approved approval: Approval) throws(Problem) {
        guard let seen = approval.storedSeen else { throw Problem(.notFound) }
        self = .approved(seen)
    }

    var seen: [String: JSON] {
        switch self {
        case .alone(let seen), .approved(let seen): seen
        }
    }

    /// What was seen when it was proposed; nil for what one person decides, who may come after others.
    private func proposed(_ name: String) -> Int64? {
        if case .approved(let seen) = self { seen[name]?.integer } else { nil }
    }

    /// The most that one person can do alone; nil for what two people decided.
    func own(_ limit: Int64) -> Int64? {
        if case .alone = self { limit } else { nil }
    }

    /// What must hold of a refund.
    func refundTerms(_ limit: Int64) -> RefundTerms {
        RefundTerms(
            amount: seen["amount"]?.integer, paidBack: seen["foreign_amount"]?.integer,
            refundedBefore: proposed("refunded_before"), unusedBefore: proposed("unused"), mostInAll: own(limit))
    }

    /// What must hold of a reversal.
    func reversalTerms(_ limit: Int64) -> ReversalTerms {
        ReversalTerms(left: proposed("left"), mostInAll: own(limit))
    }

    /// What must hold when spends are taken back and their purchase is refunded.
    ///
    /// - Parameters:
    ///   - refund: what one person can refund of the purchase alone.
    ///   - coins: what one person can return alone.
    func takeBackTerms(refund: Int64, coins: Int64) -> TakeBackTerms {
        TakeBackTerms(returning: proposed("left"), mostReturned: own(coins), refund: refundTerms(refund))
    }

    /// The debt of which a part is written off; nil: whatever it is.
    var owedBefore: Int64? { proposed("debt") }

    /// The payment of a finding; nil: it had no amount.
    var payment: FindingActs.SeenPayment? {
        guard let amount = seen["amount"]?.integer else { return nil }
        if case .approved = self {
            // What was proposed before this was kept was about an open one.
            return FindingActs.SeenPayment(amount: amount, wasOpen: seen["open"] != .bool(false))
        }
        return FindingActs.SeenPayment(amount: amount, wasOpen: false)
    }
}
