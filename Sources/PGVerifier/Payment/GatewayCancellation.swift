package import FoundationEssentials

/// One cancellation of a payment, whole or in part, as the gateway described it.
package struct GatewayCancellation: Hashable, Sendable {
    /// Where a cancellation stands.
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

    /// The gateway's identifier; book a cancellation once per payment and id.
    ///
    /// V1 gives one since 2024. For older cancellations it is made of what V1 tells: the payment company's id, the
    /// moment and the amount (PortOne V1 contract, reconciliation).
    package var id: String

    /// Where the cancellation stands; V1 tells only of those carried out.
    package var status: Status

    /// How much, in minor units.
    package var amount: Int64

    /// Why, in the words of who cancelled.
    package var reason: String?

    /// When it was asked for; V1 doesn't say.
    package var requestedAt: Date?

    /// When it was carried out.
    package var cancelledAt: Date?

    /// The payment company's own identifier of the cancellation.
    package var pgTransactionID: String?

    /// Describes a cancellation; what is left out is what the gateway didn't say.
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
