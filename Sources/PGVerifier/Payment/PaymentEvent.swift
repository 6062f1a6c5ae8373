package import FoundationEssentials

/// A payment event, from a gateway's list of events.
package struct PaymentEvent: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
        /// The money was taken.
        case paid
        /// A part was cancelled.
        case partiallyCancelled
        /// The rest was cancelled.
        case cancelled
        /// A kind that this version doesn't know.
        case unknown(String)
    }

    /// The gateway, such as `portone-v2`.
    package let gateway: String

    /// The event's own identifier.
    package let id: String

    /// What happened.
    package let kind: Kind

    /// The merchant's id of the payment.
    package let merchantPaymentID: String

    /// The gateway's id of the payment: of the attempt to pay.
    package let paymentID: String

    /// The amount, in minor units; negative for a cancellation.
    package let amount: Int64

    /// ISO 4217 code, upper case.
    package let currency: String

    /// Whether the channel was not a live channel.
    package let isTest: Bool

    /// The event's cancellation; nil: not reported.
    package let cancellation: GatewayCancellation?

    /// When it happened.
    package let createdAt: Date
}
