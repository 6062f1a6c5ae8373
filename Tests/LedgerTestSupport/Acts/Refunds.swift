package import Foundation
package import Ledger
import TestSupport

/// A refund, or its id and whose it is.
package protocol RefundName {
    var id: Int64 { get }
    var user: UserID { get }
}

extension Refund: RefundName {}

/// The id of a record, and whose it is.
package struct Owned: RefundName, Sendable {
    package let id: Int64
    package let user: UserID

    package init(id: Int64, user: UserID) {
        self.id = id
        self.user = user
    }
}

extension BeginRefund {
    /// The refund under this key: of all that can be given back, by default.
    ///
    /// - Parameter policy: nil: a policy of this fee, with used bonus coins so.
    package static func sample(
        _ key: String = "refund-1", of purchaseID: Int64, by owner: some UserName = "ann", coins: Int64? = nil,
        feePercent: Int64 = 0, usedBonus: UsedBonus = .charge, method: Refund.Method = .gateway,
        account: BankAccount? = nil, policy: RefundPolicy? = nil, feeWaiver: String? = nil, terms: RefundTerms = .none
    ) -> BeginRefund {
        BeginRefund(
            idempotencyKey: .named(key), user: owner.userID, purchaseID: purchaseID, coins: coins.flatMap(Coins.init),
            explanation: "changed her mind", method: method, account: account,
            policy: policy ?? RefundPolicy(feePercent: feePercent, usedBonus: usedBonus), feeWaiver: feeWaiver,
            terms: terms)
    }
}

extension PayRefund {
    /// Finance paid it.
    package static func sample(
        _ key: String = "payment-1", of refund: some RefundName, at moment: Date = Date()
    ) -> PayRefund {
        PayRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, paidAt: moment,
            bankReference: "KB 0042")
    }
}

extension ReverseRefund {
    /// Finance could not pay it.
    package static func sample(
        _ key: String = "undo-1", of refund: some RefundName, grace: Int64 = 0
    ) -> ReverseRefund {
        ReverseRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, reason: "no such account",
            grace: grace)
    }
}

extension RepayRefund {
    /// The payer paid it back.
    package static func sample(
        _ key: String = "repaid-1", of refund: some RefundName, at paidAt: Date = Date(), grace: Int64 = 0
    ) -> RepayRefund {
        RepayRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, paidAt: paidAt,
            bankReference: "KB 7", grace: grace)
    }
}

extension CompleteRefund {
    /// The gateway gave the money back.
    package static func sample(_ refund: some RefundName, at cancelledAt: Date? = nil) -> CompleteRefund {
        CompleteRefund(
            user: refund.user, refundID: refund.id, cancellationID: "cancellation-\(refund.id)",
            cancelledAt: cancelledAt)
    }
}

extension ReleaseRefund {
    /// The gateway refused.
    package static func sample(_ refund: some RefundName) -> ReleaseRefund {
        ReleaseRefund(
            user: refund.user, refundID: refund.id,
            refusal: Refund.GatewayRefusal(reason: "refused_by_gateway", gatewayCode: "-1"))
    }
}

extension TakeBackAndRefund {
    /// The spends under this key are taken back, and their purchase is refunded.
    package static func sample(
        _ key: String = "take-back-1", of redemptions: [Redemption?], and purchase: Purchase,
        policy: RefundPolicy = .free,
        grace: Int64 = 0, terms: TakeBackTerms = .none
    ) -> TakeBackAndRefund {
        TakeBackAndRefund(
            idempotencyKey: .named(key), of: redemptions.map { sure($0) }, and: purchase,
            explanation: "her son spent them", policy: policy, grace: grace, terms: terms)
    }
}
