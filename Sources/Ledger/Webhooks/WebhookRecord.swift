public import Foundation

/// An event that a gateway sent, as it is kept.
///
/// It only says which payment to ask the gateway about.
public struct WebhookRecord: WorkItem, Equatable {
    /// What became of an event in the end.
    public enum Decision: String, Sendable {
        /// The books are as the gateway says.
        case done
        /// It is about nothing that we keep.
        case ignored
        /// The gateway could not be asked for too long.
        case abandoned
    }

    /// Its id among the kept events.
    public let id: Int64
    /// The gateway that sent it, or says so.
    public let gateway: String
    /// What it says happened: `paid`, `Transaction.Cancelled`.
    public let type: String
    /// The gateway's id of the payment, if it names one.
    public let impUID: String?
    /// The order's id, if it names one.
    public let merchantUID: String?
    /// V2's payment id, if it names one.
    public let paymentID: String?
    /// How often it was worked on since it was stored.
    public let attempts: Int64
    /// When it came.
    public let receivedAt: Date
}

/// An event to be stored.
public struct WebhookRecordDraft: Sendable, Equatable {
    /// The gateway that sent it, or says so.
    public let gateway: String
    /// The sender's own id of a signed event.
    public let eventID: String?
    /// What it says happened.
    public let type: String
    /// The gateway's id of the payment.
    public let impUID: String?
    /// The order's id.
    public let merchantUID: String?
    /// V2's payment id.
    public let paymentID: String?
    /// The network that an unsigned event came from; nil when that is not known.
    public let source: String?

    /// An event to store.
    public init(
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
