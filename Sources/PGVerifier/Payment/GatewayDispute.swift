package import FoundationEssentials

/// A buyer's dispute of a payment (PortOne V2 contract, payment: `disputes`).
package struct GatewayDispute: Hashable, Sendable {
    /// The payment company's id; nil: not reported.
    package let id: String?
    /// Whether the dispute is over.
    ///
    /// The gateway does not tell who won.
    package let isResolved: Bool
    /// The buyer's reason, as the gateway tells it.
    package let reason: String
    package let openedAt: Date
    /// When it was resolved; nil: not reported.
    package let resolvedAt: Date?

    /// Creates a dispute.
    package init(id: String? = nil, isResolved: Bool, reason: String, openedAt: Date, resolvedAt: Date? = nil) {
        self.id = id
        self.isResolved = isResolved
        self.reason = reason
        self.openedAt = openedAt
        self.resolvedAt = resolvedAt
    }
}
