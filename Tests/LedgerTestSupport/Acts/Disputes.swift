import Foundation
package import Ledger
import TestSupport

extension RecordDispute {
    /// The dispute of a purchase that began so many seconds after the payment.
    package static func sample(
        of purchase: Purchase, _ number: Int = 1, isResolved: Bool = false, freezes: Bool = true
    ) -> RecordDispute {
        RecordDispute(
            user: purchase.user, payment: purchase.payment,
            dispute: ReportedDispute(
                gatewayID: "dispute-\(number)", openedAt: purchase.paidAt + Double(number), reason: "not mine",
                isResolved: isResolved),
            freezes: freezes)
    }
}

extension DecideDispute {
    /// The decision under this key.
    package static func sample(
        _ key: String = "decision-1", on dispute: Dispute?, by owner: UserID? = nil, isWon: Bool,
        usedBonus: UsedBonus = .charge, lots: [Int64] = [], grace: Int64 = 0
    ) -> DecideDispute {
        let dispute = sure(dispute)
        return DecideDispute(
            idempotencyKey: .named(key), user: owner ?? dispute.user, purchaseID: dispute.purchaseID,
            disputeID: dispute.id, isWon: isWon, explanation: "the bank says so", usedBonus: usedBonus, lots: lots,
            grace: grace)
    }

    /// The dispute that was looked up is won.
    package static func sample(_ key: String, on found: DisputedPurchase, grace: Int64 = 0) -> DecideDispute {
        DecideDispute(
            idempotencyKey: .named(key), on: found, isWon: true, explanation: "the bank changed its mind",
            usedBonus: .charge, grace: grace)
    }
}
