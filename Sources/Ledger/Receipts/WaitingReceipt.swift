package import Foundation

/// A receipt that could not be decided yet and is verified again later.
package struct WaitingReceipt: WorkItem, Equatable {
    /// The final decision about a stored receipt.
    package enum Decision: String, Sendable {
        /// The payment was credited.
        case credited
        /// The gateway, the shop or the ledger refused it.
        case refused
        /// The gateway did not decide in time.
        case abandoned
    }

    package let id: Int64
    /// Who presented it.
    package let user: UserID
    package let payment: PaymentIdentity
    /// How often it was verified since it was stored.
    package let attempts: Int64
    /// When it was first stored.
    package let createdAt: Date
}

/// A user's claim to a payment.
package struct Claim: Sendable, Equatable {
    /// Who presented it.
    package let user: UserID
    /// When the user first presented the payment.
    package let claimedAt: Date
}
