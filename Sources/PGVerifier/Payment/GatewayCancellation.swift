package import FoundationEssentials

/// A cancellation of a payment, in whole or in part, as the gateway describes it.
package struct GatewayCancellation: Hashable, Sendable {
    /// The status of a cancellation.
    package enum Status: Hashable, Sendable {
        /// Carried out.
        case succeeded
        /// Accepted, and carried out later: PayPal, some virtual accounts.
        case requested
        /// Not carried out.
        case failed
        /// A status this version doesn't know.
        case unknown(String)
    }

    /// The gateway's id.
    ///
    /// Book a cancellation once per payment and id.
    ///
    /// V1 has ids since 2024. For older cancellations, the id is composed of the payment company's id, the time and the
    /// amount (PortOne V1 contract, reconciliation).
    package var id: String

    /// The status; V1 lists only completed cancellations.
    package var status: Status

    /// The amount, in minor units.
    package var amount: Int64

    /// The reason that the canceller gave.
    package var reason: String?

    /// When it was requested; nil for V1.
    package var requestedAt: Date?

    /// When it was carried out.
    package var cancelledAt: Date?

    /// The payment company's own identifier of the cancellation.
    package var pgTransactionID: String?

    /// A cancellation; nil members are unknown.
    package init(
        id: String, status: Status = .succeeded, amount: Int64, reason: String? = nil, requestedAt: Date? = nil,
        cancelledAt: Date? = nil, pgTransactionID: String? = nil
    ) {
        self.id = id
        self.status = status
        self.amount = amount
        self.reason = reason
        self.requestedAt = requestedAt
        self.cancelledAt = cancelledAt
        self.pgTransactionID = pgTransactionID
    }
}

extension GatewayCancellation {
    /// Whether it may still be carried out.
    var isPending: Bool {
        switch status {
        case .requested, .unknown: true
        case .succeeded, .failed: false
        }
    }
}
