package import Foundation

/// A stored event from a gateway.
///
/// It is used only to know which payment to read from the gateway.
package struct WebhookRecord: WorkItem, Equatable {
    /// The final decision about an event.
    package enum Decision: String, Sendable {
        /// The books agree with the gateway.
        case done
        /// The event has no effect on the books.
        case ignored
        /// The gateway could not be reached for too long.
        case abandoned
    }

    package let id: Int64
    /// The gateway that sent the event; for unsigned events, the claimed one.
    package let gateway: String
    /// The event type, such as `paid` or `Transaction.Cancelled`.
    package let type: String
    /// The gateway's payment id; nil: not in the event.
    package let paymentID: String?
    /// The order's id; nil: not in the event.
    package let merchantUID: String?
    /// V2's payment id; nil: not in the event.
    package let merchantPaymentID: String?
    /// How often it was processed since it was stored.
    package let attempts: Int64
    package let receivedAt: Date
    /// How often an event of the same payment had been merged with it when it was taken.
    package let repeats: Int64?
    /// Why the event waits.
    package let reason: String
    /// When it happened, as the gateway says; nil: the event does not tell.
    package var toldAt: Date?
    /// What a store calls the question that the event asks; nil: none.
    package var questionToken: String?
    /// Why a buyer asks for a refund, as the store says it; nil: not in the event.
    package var questionReason: String?
}

/// An event to store.
package struct WebhookRecordDraft: Sendable, Equatable {
    /// The gateway that sent the event; for unsigned events, the claimed one.
    package let gateway: String
    /// The gateway's id of a signed event; nil: the event is unsigned.
    package let eventID: String?
    /// The event type.
    package let type: String
    /// The gateway's payment id.
    package let paymentID: String?
    /// The order's id.
    package let merchantUID: String?
    /// V2's payment id.
    package let merchantPaymentID: String?
    /// The network that an unsigned event came from; nil: unknown.
    package let source: String?
    /// When it happened, as the gateway says.
    package var toldAt: Date?
    /// What a store calls the question that the event asks.
    package var questionToken: String?
    package var questionReason: String?

    package init(
        gateway: String, eventID: String?, type: String, paymentID: String?, merchantUID: String?,
        merchantPaymentID: String?,
        source: String? = nil
    ) {
        self.gateway = gateway
        self.eventID = eventID
        self.type = type
        self.paymentID = paymentID
        self.merchantUID = merchantUID
        self.merchantPaymentID = merchantPaymentID
        self.source = source
    }
}
