public import Foundation

/// A receipt that could not be decided yet and is asked again.
public struct WaitingReceipt: WorkItem, Equatable {
    /// What became of a kept receipt in the end.
    public enum Decision: String, Sendable {
        /// It is a purchase now.
        case credited
        /// The gateway, the shop or the ledger said no.
        case refused
        /// The gateway never decided.
        case abandoned
    }

    /// Its id among the kept receipts.
    public let id: Int64
    /// Who presented it.
    public let user: UserID
    /// The payment it names.
    public let payment: PaymentIdentity
    /// How often it was asked since it was kept.
    public let attempts: Int64
    /// When it was first kept.
    public let createdAt: Date
}

/// That a user has presented a payment.
public struct Claim: Sendable, Equatable {
    /// Who presented it.
    public let user: UserID
    /// When first.
    public let claimedAt: Date
}
