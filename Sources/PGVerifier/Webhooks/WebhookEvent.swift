package import FoundationEssentials

/// An event from a webhook.
///
/// It is a hint to read a payment from the gateway, and never evidence.
package struct WebhookEvent: Hashable, Sendable {
    /// The kind of event.
    package enum Kind: Hashable, Sendable {
        /// A payment window was opened, or a virtual account issued.
        case ready
        /// The money was taken.
        case paid
        /// The payment failed.
        case failed
        /// The payment was cancelled, in whole or in part. V1 uses the same status for both.
        case cancelled
        /// A part of the payment was cancelled.
        case partiallyCancelled
        /// A cancellation was requested and is not carried out yet.
        case cancelPending
        /// Another event: acknowledge it, and do nothing unless it names a payment.
        case other
    }

    /// The gateway, such as `portone-v2`.
    package var gateway: String

    /// The message's id, the same for every delivery; nil for V1.
    package var eventID: String?

    /// What happened.
    package var kind: Kind

    /// The gateway's name of the event: V1 `status`, V2 `type`.
    package var type: String

    /// The gateway's id of the attempt: V1 `imp_uid`, V2 `transactionId`.
    package var paymentID: String?

    /// V1's `merchant_uid`.
    package var merchantUID: String?

    /// V2's `paymentId`.
    package var merchantPaymentID: String?

    /// V2's `storeId`; older messages have none.
    package var storeID: String?

    /// The id of the cancellation; nil: none.
    package var cancellationID: String?

    /// When it happened, the same for every delivery; nil for V1.
    package var occurredAt: Date?

    /// What a store calls the question whether to refund; nil: it asks none.
    package var questionToken: String?

    /// Why the buyer asks for a refund, as the store says it; nil: not reported.
    package var questionReason: String?

    /// The receipt to ask the gateway with; nil: the event has no payment, or its ids are invalid.
    package var receipt: Receipt? {
        guard let order = merchantPaymentID ?? merchantUID else { return nil }
        let receipt = try? Receipt(gateway: gateway, paymentID: paymentID ?? "", merchantUID: order)
        return receipt.flatMap(\.self)
    }

    init(gateway: String, eventID: String? = nil, kind: Kind, type: String) {
        self.gateway = gateway
        self.eventID = eventID
        self.kind = kind
        self.type = String(type.prefix(100))
    }
}
