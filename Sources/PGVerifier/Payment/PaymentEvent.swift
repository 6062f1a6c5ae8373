package import FoundationEssentials

/// Something that happened to a payment, as V2 tells it: a line of its event list.
package struct PaymentEvent: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
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
    package let id: String

    /// What happened.
    package let kind: Kind

    /// The payment; the merchant's identifier.
    package let paymentID: String

    /// The attempt to pay it; the gateway's identifier.
    package let transactionID: String

    /// How much, in minor units; below zero for what was given back.
    package let amount: Int64

    /// ISO 4217 code, upper case.
    package let currency: String

    /// Whether it went through anything but a live channel.
    package let isTest: Bool

    /// The cancellation that it is about, when the gateway tells.
    package let cancellation: GatewayCancellation?

    /// When it happened.
    package let createdAt: Date
}
