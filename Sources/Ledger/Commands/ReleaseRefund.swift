/// Gives what a refund set aside back to the wallet, because the gateway definitely refused.
///
/// ```
/// Dr held:<user>:paid   coins / Cr wallet:<user>:paid   coins
/// Dr held:<user>:bonus  bonus / Cr wallet:<user>:bonus  bonus
/// ```
/// The refund is the key: one that is decided stays as it is.
public struct ReleaseRefund: Sendable, Equatable {
    /// Whose coins.
    public let user: UserID
    /// Which refund.
    public let refundID: Int64
    /// Why the gateway refused.
    public let refusal: Refund.Refusal

    /// A refund to release.
    public init(user: UserID, refundID: Int64, refusal: Refund.Refusal) {
        self.user = user
        self.refundID = refundID
        self.refusal = refusal
    }
}
