public import Foundation

/// A payment at the gateway that the books can't follow by themselves: something for finance to look at.
///
/// A payment is one finding, whatever is the matter with it and however many of a gateway's APIs tell of it.
public struct Finding: Sendable, Equatable {
    /// What is the matter.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Names a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is paid, and nobody we know has claimed it.
        public static let unclaimed = Kind(rawValue: "paid_unclaimed")
        /// A part of it was cancelled before it was credited.
        public static let partiallyCancelled = Kind(rawValue: "payment_partially_cancelled")
        /// What was paid is no product's price.
        public static let amountMismatch = Kind(rawValue: "amount_mismatch")
        /// It was paid in a currency in which nothing is sold.
        public static let currencyMismatch = Kind(rawValue: "currency_mismatch")
        /// It is another payment of an order that was credited already.
        public static let merchantUIDAlreadyCredited = Kind(rawValue: "merchant_uid_already_credited")
        /// Only orders are credited, and none was made for it.
        public static let orderNotFound = Kind(rawValue: "order_not_found")
        /// Another user than the order's has claimed it.
        public static let orderBelongsToAnotherUser = Kind(rawValue: "order_belongs_to_another_user")
        /// It was begun and made after its order had expired.
        public static let orderExpired = Kind(rawValue: "order_expired")
        /// It is a purchase whose refund the gateway has not decided for long.
        public static let refundUndecided = Kind(rawValue: "refund_undecided")
        /// Several users have presented it, and nothing says whose it is.
        public static let claimedBySeveral = Kind(rawValue: "claimed_by_several")
        /// It was paid at a time that is still to come, and is booked as of when it was credited.
        public static let paidInFuture = Kind(rawValue: "paid_at_in_future")

        /// Every kind.
        public static let all = [
            unclaimed, partiallyCancelled, amountMismatch, currencyMismatch, merchantUIDAlreadyCredited, orderNotFound,
            orderBelongsToAnotherUser, orderExpired, refundUndecided, paidInFuture,
        ]
    }

    /// Its id among the findings.
    public let id: Int64
    /// What is the matter: of several things the one that tells most.
    public let kind: Kind
    /// All that is the matter, as it was found.
    public let kinds: [Kind]
    /// The payment.
    public let payment: PaymentIdentity
    /// Who presented its receipt or, if nobody did, made its order; nil when neither is known.
    public let user: UserID?
    /// Who has presented its receipt and had it kept, the first one first; at most 100.
    public let claims: [Claim]
    /// What was paid, in minor units of ``currency``.
    public let amount: Int64
    /// The currency it was paid in, ISO 4217.
    public let currency: String
    /// When it was paid, as the gateway says; nil when that is not known.
    public let paidAt: Date?
    /// When it was found.
    public let foundAt: Date
    /// When it stopped being the matter; nil: it still is.
    public let resolvedAt: Date?
}
