public import Foundation

/// A pending refund, and why it waits.
public struct WaitingRefundBody: Codable, Hashable, Sendable {
    /// The refund.
    public let refund: RefundBody
    /// The user whose coins are held.
    public let user: String
    /// Why the gateway is asked again: a code such as `gateway_unavailable`.
    public let waitingFor: String
    /// How often the gateway was asked.
    public let attempts: Member.Natural
    /// When the gateway is asked next.
    public let nextAttemptAt: Date

    private enum CodingKeys: String, CodingKey {
        case refund, user, attempts
        case waitingFor = "waiting_for"
        case nextAttemptAt = "next_attempt_at"
    }

    /// Creates it from its members.
    public init(refund: RefundBody, user: String, waitingFor: String, attempts: Int64, nextAttemptAt: Date) {
        self.refund = refund
        self.user = user
        self.waitingFor = waitingFor
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
    }
}

extension WaitingRefundBody: ListedBody {
    /// `refunds`.
    public static let listName = "refunds"
}
