package import Foundation

/// An event that a gateway sent, as it is kept.
///
/// It only says which payment to ask the gateway about.
package struct WebhookRecord: WorkItem, Equatable {
    /// What became of an event in the end.
    package enum Decision: String, Sendable {
        /// The books are as the gateway says.
        case done
        /// It is about nothing that we keep.
        case ignored
        /// The gateway could not be asked for too long.
        case abandoned
    }

    /// Its id among the kept events.
    package let id: Int64
    /// The gateway that sent it, or says so.
    package let gateway: String
    /// What it says happened: `paid`, `Transaction.Cancelled`.
    package let type: String
    /// The gateway's id of the payment, if it names one.
    package let impUID: String?
    /// The order's id, if it names one.
    package let merchantUID: String?
    /// V2's payment id, if it names one.
    package let paymentID: String?
    /// How often it was worked on since it was stored.
    package let attempts: Int64
    /// When it came.
    package let receivedAt: Date
}

/// An event to be stored.
package struct WebhookRecordDraft: Sendable, Equatable {
    /// The gateway that sent it, or says so.
    package let gateway: String
    /// The sender's own id of a signed event.
    package let eventID: String?
    /// What it says happened.
    package let type: String
    /// The gateway's id of the payment.
    package let impUID: String?
    /// The order's id.
    package let merchantUID: String?
    /// V2's payment id.
    package let paymentID: String?
    /// The network that an unsigned event came from; nil when that is not known.
    package let source: String?

    /// An event to store.
    package init(
        gateway: String, eventID: String?, type: String, impUID: String?, merchantUID: String?, paymentID: String?,
        source: String? = nil
    ) {
        self.gateway = gateway
        self.eventID = eventID
        self.type = type
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.source = source
    }
}
