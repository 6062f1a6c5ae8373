public import Foundation

/// A receipt that could not be decided when it was presented, and what became of it.
public struct StoredReceiptBody: Codable, Hashable, Sendable {
    /// The receipt's id.
    public let id: Member.ID
    /// The user who presented it; only in the list of all users' receipts.
    public let user: String?
    /// `waiting`: the gateway is asked again; `abandoned`: the gateway did not decide in time.
    ///
    /// - Values: `waiting`, `credited`, `refused`, `abandoned`
    public let status: String
    /// Why it waits, or why it was decided: a code such as `gateway_unavailable` or `payment_not_found`.
    public let reason: String
    /// The gateway that the receipt names.
    public let gateway: Member.Gateway
    /// The gateway's payment id; of a V2 receipt, V2's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// How often the gateway was asked again since the receipt began to wait.
    public let attempts: Member.Natural
    /// When the user presented the payment first.
    public let claimedAt: Date
    /// When the receipt began to wait; later than `claimed_at` if it was presented again.
    public let createdAt: Date
    /// When the gateway is asked next; nil: it is decided.
    public let nextAttemptAt: Date?
    /// When it was decided; nil: it waits.
    public let decidedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, status, reason, gateway, attempts
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case claimedAt = "claimed_at"
        case createdAt = "created_at"
        case nextAttemptAt = "next_attempt_at"
        case decidedAt = "decided_at"
    }

    /// Creates a stored receipt.
    public init(
        id: Int64, user: String? = nil, status: String, reason: String, gateway: String, impUID: String,
        merchantUID: String,
        paymentID: String?, attempts: Int64, claimedAt: Date, createdAt: Date, nextAttemptAt: Date?, decidedAt: Date?
    ) {
        self.id = id
        self.user = user
        self.status = status
        self.reason = reason
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.attempts = attempts
        self.claimedAt = claimedAt
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.decidedAt = decidedAt
    }
}

extension StoredReceiptBody: ListedBody {
    /// `receipts`.
    public static let listName = "receipts"
}
