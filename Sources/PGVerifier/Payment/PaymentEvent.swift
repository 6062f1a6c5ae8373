public import FoundationEssentials

/// Something that happened to a payment, as V2 tells it: an account statement's line.
public struct PaymentEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The money was taken.
        case paid
        /// Some of it was given back.
        case partiallyCancelled
        /// What was left of it was given back.
        case cancelled
        /// Something this version doesn't know.
        case unknown(String)
    }

    /// The event's own identifier.
    public let id: String

    /// What happened.
    public let kind: Kind

    /// The payment; the merchant's identifier.
    public let paymentID: String

    /// The attempt to pay it; the gateway's identifier.
    public let transactionID: String

    /// How much, in minor units; below zero for what was given back.
    public let amount: Int64

    /// ISO 4217 code, upper case.
    public let currency: String

    /// Whether it went through anything but a live channel.
    public let isTest: Bool

    /// The cancellation that it is about, when the gateway tells.
    public let cancellation: GatewayCancellation?

    /// When it happened.
    public let createdAt: Date
}
