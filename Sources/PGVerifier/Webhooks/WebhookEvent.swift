package import FoundationEssentials

/// What a webhook says happened: a hint which payment to ask the gateway about, never evidence.
package struct WebhookEvent: Hashable, Sendable {
    /// What happened, as far as this version knows.
    package enum Kind: Hashable, Sendable {
        /// A payment window was opened, or a virtual account issued.
        case ready
        /// The money was taken.
        case paid
        /// The payment failed.
        case failed
        /// It was cancelled, whole or in part; V1 says the same for both.
        case cancelled
        /// Some of it was cancelled.
        case partiallyCancelled
        /// A cancellation was asked for and isn't carried out yet.
        case cancelPending
        /// Something else: answer that it was received, and do nothing, unless it names a payment.
        case other
    }

    /// The gateway that says it, such as `portone-v2`.
    package var gateway: String

    /// The message's id, the same on every delivery; V1 has none.
    package var eventID: String?

    /// What happened.
    package var kind: Kind

    /// What happened, in the gateway's words: V1 `status`, V2 `type`.
    package var type: String

    /// The attempt: V1 `imp_uid`, V2 `transactionId`.
    package var impUID: String?

    /// V1's `merchant_uid`.
    package var merchantUID: String?

    /// V2's `paymentId`.
    package var paymentID: String?

    /// V2's `storeId`; older messages have none.
    package var storeID: String?

    /// Which cancellation, when it is about one.
    package var cancellationID: String?

    /// When it happened, the same on every delivery; V1 doesn't say.
    package var occurredAt: Date?

    /// By which to ask the gateway; nil when the event is about no payment, or about one that no gateway could have.
    package var receipt: Receipt? {
        if let paymentID { return (try? PaymentID(paymentID)).map(Receipt.v2) }
        guard let impUID = impUID.flatMap({ try? ImpUID($0) }),
            let merchantUID = merchantUID.flatMap({ try? MerchantUID($0) })
        else { return nil }
        return .v1(impUID: impUID, merchantUID: merchantUID)
    }

    init(gateway: String, eventID: String? = nil, kind: Kind, type: String) {
        self.gateway = gateway
        self.eventID = eventID
        self.kind = kind
        self.type = String(type.prefix(100))
    }
}
