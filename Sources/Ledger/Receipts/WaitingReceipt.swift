package import Foundation

/// A receipt that could not be decided yet and is asked again.
package struct WaitingReceipt: WorkItem, Equatable {
    /// What became of a kept receipt in the end.
    package enum Decision: String, Sendable {
        /// It is a purchase now.
        case credited
        /// The gateway, the shop or the ledger said no.
        case refused
        /// The gateway never decided.
        case abandoned
    }

    /// Its id among the kept receipts.
    package let id: Int64
    /// Who presented it.
    package let user: UserID
    /// The payment it names.
    package let payment: PaymentIdentity
    /// How often it was asked since it was kept.
    package let attempts: Int64
    /// When it was first kept.
    package let createdAt: Date
}

/// That a user has presented a payment.
package struct Claim: Sendable, Equatable {
    /// Who presented it.
    package let user: UserID
    /// When first.
    package let claimedAt: Date
}
