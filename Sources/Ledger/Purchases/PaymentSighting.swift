package import Foundation

/// What a gateway tells of a payment that shows which payment it is.
package struct PaymentSighting: Hashable, Sendable {
    package let payment: PaymentIdentity
    /// The requested amount, in minor units of ``currency``.
    package let amount: Int64
    /// ISO 4217 code.
    package let currency: String
    /// When it was paid; nil: the gateway does not tell.
    package let paidAt: Date?

    package init(of payment: PaymentIdentity, amount: Int64, currency: String, paidAt: Date?) {
        self.payment = payment
        self.amount = amount
        self.currency = currency
        self.paidAt = paidAt
    }

    /// The seconds by which two APIs of a gateway tell the time of one payment differently, at most.
    ///
    /// V1 tells whole seconds, V2 milliseconds.
    static let tolerance: TimeInterval = 2
}

extension Purchase {
    /// Whether this is the purchase of the payment, under whatever name a gateway's API shows it.
    ///
    /// Under another API's name it is the same payment if order, amount, currency and time of payment are the same
    /// (docs/decisions/0080-one-payment-in-two-apis.md). A payment that was booked as of now, because its time was not
    /// told or too far in the future, is not recognised.
    package func isOf(_ sighting: PaymentSighting) -> Bool {
        let (known, seen) = (payment, sighting.payment)
        guard ExactText(known.gateway) != ExactText(seen.gateway) else { return known.key == seen.key }
        return ExactText(known.merchantUID) == ExactText(seen.merchantUID) && agrees(with: sighting)
    }

    /// Whether a payment of the same order that another gateway shows is the purchase's.
    func agrees(with sighting: PaymentSighting) -> Bool {
        guard paidAmount == sighting.amount, paidCurrency.code == sighting.currency, let seenAt = sighting.paidAt else {
            return false
        }
        return abs(paidAt.timeIntervalSince(seenAt)) < PaymentSighting.tolerance
    }
}
