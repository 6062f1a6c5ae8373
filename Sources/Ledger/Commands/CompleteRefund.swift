public import Foundation

/// Reverses what a refund set aside of its purchase, because the gateway gave the money back.
///
/// ```
/// Dr held:<user>:paid        coins / Cr coins:issued         coins
/// Dr held:<user>:bonus       bonus / Cr coins:promotions     bonus
/// Dr coins:deferred-revenue  value / Cr gateway:receivable   amount
///                                    Cr revenue:refund-fees  fee
/// ```
/// One that was refused, and that the gateway carried out all the same, is completed out of the wallet (Dr `wallet:` in
/// place of `held:`) if the purchase's coins are still there. The refund is the key: one that is completed stays as it is.
public struct CompleteRefund: Sendable, Equatable {
    /// Whose coins.
    public let user: UserID
    /// Which refund.
    public let refundID: Int64
    /// The gateway's id of the cancellation, if it told one.
    public let cancellationID: String?
    /// When the gateway cancelled, if it said so.
    public let cancelledAt: Date?
    /// What of the payment is cancelled in all, for a refund that was refused; nil: only a pending one is completed.
    ///
    /// One that the books account for already stays as it is.
    public let cancelledInAll: Int64?

    /// A refund to complete.
    public init(
        user: UserID, refundID: Int64, cancellationID: String? = nil, cancelledAt: Date? = nil,
        cancelledInAll: Int64? = nil
    ) {
        self.user = user
        self.refundID = refundID
        self.cancellationID = cancellationID
        self.cancelledAt = cancelledAt
        self.cancelledInAll = cancelledInAll
    }
}
