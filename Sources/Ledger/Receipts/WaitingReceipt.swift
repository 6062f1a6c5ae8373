public import Foundation

/// A receipt that could not be decided yet and is asked again.
public struct WaitingReceipt: Sendable, Equatable {
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
