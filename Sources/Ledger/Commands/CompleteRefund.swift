public import Foundation

/// Reverses what a refund set aside of its purchase, because the gateway gave the money back.
///
/// ```
/// Dr held:<user>:paid        coins / Cr coins:issued         coins
/// Dr held:<user>:bonus       bonus / Cr coins:promotions     bonus
/// Dr coins:deferred-revenue  value / Cr gateway:receivable   amount
///                                    Cr revenue:refund-fees  fee
/// ```
/// The refund is the key: one that is decided stays as it is.
public struct CompleteRefund: Sendable, Equatable {
    /// Whose coins.
    public let user: UserID
    /// Which refund.
    public let refundID: Int64
    /// The gateway's id of the cancellation, if it told one.
    public let cancellationID: String?
    /// When the gateway cancelled, if it said so.
    public let cancelledAt: Date?

    /// A refund to complete.
    public init(user: UserID, refundID: Int64, cancellationID: String? = nil, cancelledAt: Date? = nil) {
        self.user = user
        self.refundID = refundID
        self.cancellationID = cancellationID
        self.cancelledAt = cancelledAt
    }
}
