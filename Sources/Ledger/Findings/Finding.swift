package import Foundation

/// A payment at the gateway that the books can't follow by themselves: something for finance to look at.
///
/// A payment is one finding, whatever is the matter with it and however many of a gateway's APIs tell of it.
package struct Finding: Sendable, Equatable {
    /// What is the matter.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        package let rawValue: String

        /// Names a kind.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// It is paid, and nobody we know has claimed it.
        package static let unclaimed = Kind(rawValue: "paid_unclaimed")
        /// A part of it was cancelled before it was credited.
        package static let partiallyCancelled = Kind(rawValue: "payment_partially_cancelled")
        /// What was paid is no product's price.
        package static let amountMismatch = Kind(rawValue: "amount_mismatch")
        /// It was paid in a currency in which nothing is sold.
        package static let currencyMismatch = Kind(rawValue: "currency_mismatch")
        /// It is another payment of an order that was credited already.
        package static let merchantUIDAlreadyCredited = Kind(rawValue: "merchant_uid_already_credited")
        /// Only orders are credited, and none was made for it.
        package static let orderNotFound = Kind(rawValue: "order_not_found")
        /// Another user than the order's has claimed it.
        package static let orderBelongsToAnotherUser = Kind(rawValue: "order_belongs_to_another_user")
        /// It was begun and made after its order had expired.
        package static let orderExpired = Kind(rawValue: "order_expired")
        /// It is a purchase whose refund the gateway has not decided for long.
        package static let refundUndecided = Kind(rawValue: "refund_undecided")
        /// Several users have presented it, and nothing says whose it is.
        package static let claimedBySeveral = Kind(rawValue: "claimed_by_several")
        /// It was paid at a time that is still to come, and is booked as of when it was credited.
        package static let paidInFuture = Kind(rawValue: "paid_at_in_future")

        /// Every kind.
        package static let all = [
            unclaimed, partiallyCancelled, amountMismatch, currencyMismatch, merchantUIDAlreadyCredited, orderNotFound,
            orderBelongsToAnotherUser, orderExpired, refundUndecided, paidInFuture,
        ]
    }

    /// Its id among the findings.
    package let id: Int64
    /// What is the matter: of several things the one that tells most.
    package let kind: Kind
    /// All that is the matter, as it was found.
    package let kinds: [Kind]
    /// The payment.
    package let payment: PaymentIdentity
    /// Who presented its receipt or, if nobody did, made its order; nil when neither is known.
    package let user: UserID?
    /// Who has presented its receipt and had it kept, the first one first; at most 100.
    package let claims: [Claim]
    /// What was paid, in minor units of ``currency``.
    package let amount: Int64
    /// The currency it was paid in, ISO 4217.
    package let currency: String
    /// When it was paid, as the gateway says; nil when that is not known.
    package let paidAt: Date?
    /// When it was found.
    package let foundAt: Date
    /// When it stopped being the matter; nil: it still is.
    package let resolvedAt: Date?
}
