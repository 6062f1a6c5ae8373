public import Foundation

/// That a user has presented a payment.
public struct Claim: Sendable, Equatable {
    /// Who presented it.
    public let user: UserID
    /// When first.
    public let claimedAt: Date
}
