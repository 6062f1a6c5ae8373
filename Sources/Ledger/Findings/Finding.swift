package import Foundation

/// What needs a person: a payment at the gateway that ledgerd can't book automatically, an endpoint that was
/// disabled, too little money in custody, or an hour in which more moved than a limit allows.
///
/// A payment has one finding, even with several kinds of problems or when several APIs of a gateway report it.
package struct Finding: Sendable, Equatable, Identifiable {
    /// The kind of problem.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The payment is paid, and no user has claimed it.
        package static let unclaimed = Kind(rawValue: "paid_unclaimed")
        /// A part of the payment was cancelled before it was credited.
        package static let partiallyCancelled = Kind(rawValue: "payment_partially_cancelled")
        /// The amount paid is not the price of a product.
        package static let amountMismatch = Kind(rawValue: "amount_mismatch")
        /// The currency is not one that the shop sells in, or a store sold it for nothing.
        package static let currencyMismatch = Kind(rawValue: "currency_mismatch")
        /// It is paid in a currency without a rate, or is worth no won or more than the books can have.
        package static let priceNotBookable = Kind(rawValue: "price_not_bookable")
        /// A store sold a product of which nobody has said what it is of ours.
        package static let unknownStoreProduct = Kind(rawValue: "unknown_store_product")
        /// A store gives the money of a credited purchase back within a day, because it could not be told that it is delivered.
        package static let storePurchaseUnconsumed = Kind(rawValue: "store_purchase_unconsumed")
        /// A store asked what the shop says to a refund, and could not be answered until its deadline.
        package static let refundQuestionUnanswered = Kind(rawValue: "refund_question_unanswered")
        /// Another payment of the same order was already credited.
        package static let merchantUIDAlreadyCredited = Kind(rawValue: "merchant_uid_already_credited")
        /// Only orders are credited, and the payment has none.
        package static let orderNotFound = Kind(rawValue: "order_not_found")
        /// A user claimed the payment of another user's order.
        package static let orderBelongsToAnotherUser = Kind(rawValue: "order_belongs_to_another_user")
        /// The payment was started and paid after its order had expired.
        package static let orderExpired = Kind(rawValue: "order_expired")
        /// The gateway has not decided a refund of the purchase for a long time.
        package static let refundUndecided = Kind(rawValue: "refund_undecided")
        /// More goes back than was paid: the gateway cancelled money that goes back by bank transfer too.
        package static let refundedTwice = Kind(rawValue: "refunded_twice")
        /// Several users presented the payment, and its owner is unknown.
        package static let claimedBySeveral = Kind(rawValue: "claimed_by_several")
        /// The time of payment is in the future.
        ///
        /// The payment is booked at the time when it was credited.
        package static let paidInFuture = Kind(rawValue: "paid_at_in_future")
        /// Every attempt to deliver events to an endpoint failed for five days, and it is disabled.
        package static let endpointFailing = Kind(rawValue: "endpoint_failing")

        /// The buyer disputes the payment; it ends with the dispute.
        package static let disputed = Kind(rawValue: "payment_disputed")
        /// The gateway decided a dispute for the shop that finance had booked as lost, and nothing was given back.
        package static let disputeWonAfterLoss = Kind(rawValue: "dispute_won_after_loss")
        /// The store took a refund back, and the lots have no place for the coins; or it said something else after a person
        /// had given them back by hand.
        package static let refundReversed = Kind(rawValue: "refund_reversed")
        /// The gateway shows a dispute of the payment that can't be read.
        package static let disputeUnreadable = Kind(rawValue: "dispute_unreadable")
        /// Custodians hold less than must be kept apart for users' prepaid coins.
        package static let custodyShort = Kind(rawValue: "custody_short")

        /// More won were added to what is owed for unused coins in an hour than ``HourlyLimits/liability``.
        package static let liabilityAboveLimit = Kind(rawValue: "liability_above_limit")
        /// More bonus coins were given in an hour than ``HourlyLimits/bonus``.
        package static let bonusAboveLimit = Kind(rawValue: "bonus_above_limit")
        /// More coins were spent in an hour than ``HourlyLimits/spends``.
        package static let spendsAboveLimit = Kind(rawValue: "spends_above_limit")

        /// The kinds that do not end when the payment is credited.
        static let lasting = [refundUndecided, refundedTwice, paidInFuture] + endedBySomebody

        /// The kinds of payments that last until an act, the gateway or a person ends them.
        static let endedBySomebody = [
            disputed, disputeWonAfterLoss, disputeUnreadable, refundReversed, storePurchaseUnconsumed,
            refundQuestionUnanswered,
        ]

        /// Whether it is noted again and again while its cause lasts, so that what a person has resolved stays so.
        var staysResolved: Bool { self == .storePurchaseUnconsumed }

        /// All kinds.
        package static let all = [
            unclaimed, partiallyCancelled, amountMismatch, currencyMismatch, priceNotBookable, unknownStoreProduct,
            storePurchaseUnconsumed, refundQuestionUnanswered, merchantUIDAlreadyCredited, orderNotFound,
            orderBelongsToAnotherUser, orderExpired,
            refundUndecided, refundedTwice, claimedBySeveral, paidInFuture, endpointFailing, disputed,
            disputeWonAfterLoss,
            disputeUnreadable, refundReversed, custodyShort, liabilityAboveLimit, bonusAboveLimit, spendsAboveLimit,
        ]
    }

    package let id: Int64
    /// The most important kind.
    package let kind: Kind
    /// All kinds, in the order in which they were found.
    package let kinds: [Kind]
    /// The payment; nil: it is about an endpoint, custody or an hour.
    package let payment: PaymentIdentity?
    /// The endpoint; nil: it is about something else.
    package let endpointID: Int64?
    /// The user that presented the receipt or, if nobody did, made the order; nil: unknown.
    package let user: UserID?
    /// The user whom the payment's own data names, as the app or the payer wrote it; nil: nobody.
    package var namedUser: UserID?
    /// The users whose receipts of the payment are stored, first claim first; at most 100.
    package let claims: [Claim]
    /// The amount paid, in minor units of ``currency``.
    package let amount: Int64?
    /// The currency's ISO 4217 code.
    package let currency: String?
    /// When it was paid, as the gateway reports it; nil: unknown.
    package let paidAt: Date?
    /// What moved in an hour, of a kind of ``HourlyLimits``; nil: it is about something else.
    package var excess: HourlyExcess?
    package let foundAt: Date
    /// Whether it needs a decision: it was not resolved, and nothing in the books has settled it.
    package let isOpen: Bool
    /// When it was resolved; nil: it is open, or ended so lately that this was not noted yet (``Findings/settle(pagesOf:)``).
    package let resolvedAt: Date?
    /// Who works on it, as the caller named them; nil: nobody.
    package let assignee: String?

    /// The users to whom the payment may belong: who presented it, whose order it is, whom it names; each once.
    package var candidates: [UserID] {
        ([user] + claims.map(\.user) + [namedUser]).compactMap(\.self).reduce(into: []) { found, user in
            if !found.contains(user) { found.append(user) }
        }
    }

    /// Of whom the audit and a proposal say that the payment is, when it goes back to the payer; nil: nobody knows.
    package var firstCandidate: UserID? { candidates.first }

    /// A list's part: the open or the resolved findings.
    package enum Status: String, Sendable, CaseIterable {
        case open
        case resolved
    }
}
