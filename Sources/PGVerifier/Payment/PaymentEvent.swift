public import FoundationEssentials

/// An event of a payment, as V2 lists it.
public struct PaymentEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The money was taken.
        case paid
        /// A part was cancelled.
        case partiallyCancelled
        /// The rest was cancelled.
        case cancelled
        /// A kind that this version doesn't know.
        case unknown(String)
    }

    /// The event's own identifier.
    public let id: String

    /// What happened.
    public let kind: Kind

    /// The payment; the merchant's identifier.
    public let paymentID: String

    /// The attempt to pay; the gateway's id.
    public let transactionID: String

    /// The amount, in minor units; negative for a cancellation.
    public let amount: Int64

    /// ISO 4217 code, upper case.
    public let currency: String

    /// Whether it went through anything but a live channel.
    public let isTest: Bool

    /// The event's cancellation, if the gateway tells it.
    public let cancellation: GatewayCancellation?

    /// When it happened.
    public let createdAt: Date
}
