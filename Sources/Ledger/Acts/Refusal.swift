import CivilTime
package import Foundation

/// Why the ledger refuses an act.
package enum Refusal: Sendable, Equatable, Codable {
    /// The payment was credited to another user.
    case paymentBelongsToAnotherUser
    /// Another payment with the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The payment was credited under another `merchant_uid`.
    case paymentHasAnotherMerchantUID
    /// The idempotency key was used for another act or other content.
    case idempotencyKeyReused
    /// The user has no purchase with this id or payment.
    case noSuchPurchase
    /// There is no grant with this id.
    case noSuchGrant
    /// The user's wallet has fewer coins of the grant than are to be voided; none that can be used, if their time is up.
    ///
    /// `held` more are on hold: they can be voided when their hold has ended.
    case exceedsGrant(required: Int64, available: Int64, held: Int64)
    /// The user can spend fewer coins than requested. A user in debt can spend none.
    case insufficientCoins(required: Int64, available: Int64)
    /// There is no campaign with this id.
    case noSuchCampaign
    /// The campaign has no coins for the user: none are reserved, or it was voided.
    case campaignClosed
    /// Somebody would give coins to themselves.
    case giftToOneself
    /// No user with this id ever had coins.
    case unknownReceiver
    /// The user can give away fewer coins than requested: of the kinds, and from the gateways, that the settings allow.
    case exceedsGiveable(required: Int64, available: Int64)
    /// The giver would give, or the receiver get, more coins on a day than the settings allow.
    case giftLimitExceeded(required: Int64, available: Int64)
    /// The expiry of the coins to grant is in the past.
    case alreadyExpired
    /// The user has no hold with this id.
    case noSuchHold
    /// The hold is closed.
    case holdClosed(Hold.Status)
    /// The hold has expired. Its coins will be released to the wallet.
    case holdExpired
    /// The hold has fewer coins left than requested.
    case exceedsHold(required: Int64, available: Int64)
    /// The user has no refund with this id.
    case noSuchRefund
    /// The refund is not an approved one: it is paid or reversed, or the gateway returns its money.
    case refundNotApproved(Refund.Status)
    /// The refund was not paid by bank transfer, or was repaid before.
    case refundNotPaid(Refund.Status)
    /// The user owes fewer coins than the payment or write-off has.
    case exceedsDebt(required: Int64, available: Int64)
    /// No refundable coins of the purchase are left.
    case nothingToRefund
    /// Fewer coins of the purchase can be refunded than requested.
    case exceedsRefundable(required: Int64, available: Int64)
    /// The user has no spend or capture with this id.
    case noSuchRedemption
    /// All coins of the spend or capture came back before.
    case alreadyReversed
    /// Fewer coins of the spend or capture can come back than requested.
    case exceedsRedemption(required: Int64, available: Int64)
    /// Fewer coins than are to come back have a place in their lots, which never have more than was sold or given.
    ///
    /// Used coins have lost their place to those that paid for them: a lost dispute that is won brings these back. They have
    /// one when coins of the lot are used again.
    case noPlaceForCoins(required: Int64, available: Int64)
    /// The user has no spend or capture with this id of several.
    case noSuchRedemptionOf(entry: Int64)
    /// All coins of this spend or capture of several came back before.
    case redemptionAlreadyReversed(entry: Int64)
    /// The spend or capture took no coins of the purchase, or none of them is left.
    case redemptionOfOtherPurchase(entry: Int64)
    /// The buyer disputes the purchase's payment, so the gateway may take the money back besides.
    case purchaseDisputed
    /// The purchase has no dispute with this id.
    case noSuchDispute
    /// The dispute was won or lost before.
    case disputeDecided(Dispute.Status)
    /// What the lost dispute took can't come back.
    ///
    /// The coins that paid its debt have no place in the purchase's lots, or another dispute of the purchase is booked as
    /// lost.
    case disputeNotReversible
    /// The coins lie in more lots than one act may change (``LotLimits/act``).
    ///
    /// `available` coins can be moved in one act, and then the rest in further ones.
    case tooManyLots(required: Int64, available: Int64, limit: Int64)
    /// An account's totals have reached their limit.
    case accountFull
    /// The user was forgotten.
    case userForgotten
    /// Another refund of the purchase waits for the gateway.
    case refundInProgress
    /// The purchase was paid in a foreign currency: it is refunded by its gateway and not by bank transfer, and at a store by the
    /// store alone.
    case refundInForeignCurrency
    /// What the act is about, such as the quote of a refund, is not as the person saw it who decided by it.
    case changedMeanwhile
    /// With what was done to the same object before, it is more than one person may do alone.
    case exceedsOwnLimit(required: Int64, available: Int64)
    /// The user owes this many coins. Nothing is refunded until they are paid.
    case userInDebt(Int64)

    /// The id refers to another user, into whom this one was merged.
    case userMerged(into: UserID)
    /// The id of whom a gift is for refers to another user, whom the giver may not mean.
    case receiverMerged(into: UserID)
    /// A user is to be merged into itself.
    case mergeIntoItself
    /// Nothing is known of this user.
    case unknownUser(UserID)
    /// The new id of a user belongs to somebody.
    case userExists(UserID)
    /// A charge of the user's card is under way, of which the outcome is not known.
    case topUpInProgress
    /// The user has more purchases, holds and orders than a merge moves at once (``LotLimits/mergedRecords``).
    case tooManyRecords(limit: Int64)
    /// One of the users waits to be forgotten: nobody decides for the other by a merge.
    case forgettingWaits

    /// The claim on the provider has fewer won than are paid back.
    case exceedsClaim(required: Int64, available: Int64)
    /// There is no payout with this id.
    case noSuchPayout
    /// Only an approved payout is paid.
    case payoutNotApproved(Payout.Status)
    /// The bank's payment is dated in the future, before the cut-off of the payout, or before what it pays was owed.
    case implausiblePaymentDate

    /// The month of the adjustment is not over.
    case monthNotOver
    /// The month of the adjustment is closed: the books are closed until this moment.
    case monthClosed(until: Date)
    /// This is the last month that is adjusted, such as `2026-03`; nil: of a refusal that was recorded without it.
    case monthAdjusted(last: String?)
    /// No policy asks for the adjustment.
    case noAccountingPolicy
    /// A policy was set while the adjustment was computed.
    case policyChanged

    /// Another settlement file already booked the payout of this payment on this day.
    case alreadySettled
    /// Other settlement files booked different payouts of this payment on this day.
    case settledOtherwise
    /// The payouts of the payment, or the deductions for its refunds, would exceed the amount paid.
    case exceedsPayment
    /// The payment is in a foreign currency, and the line in won.
    case settledInForeignCurrency
    /// The payout can't be true.
    case implausiblePayout(SettlementFault)

    /// Whether the same act will always be refused.
    ///
    /// A temporary refusal is not recorded under the idempotency key, so the key can be used again.
    var isDefinite: Bool { row.isDefinite }
}

extension Refusal {
    /// All that follows from a refusal: what its problem says, and whether it is recorded.
    package struct Row: Sendable {
        /// The name of the problem's code; nil: it is stored with what it refuses, and no caller gets it.
        package let code: String?
        /// Whether the same act will always be refused.
        package let isDefinite: Bool
        /// What is wrong, for people; nil: the title of the code says it.
        package let detail: String?
        /// Further members of the problem, in their order.
        package let members: [(name: String, value: Value)]

        package enum Value: Sendable {
            case number(Int64)
            case text(String)
        }

        init(
            _ code: String?, isDefinite: Bool = true, _ detail: String? = nil,
            _ members: KeyValuePairs<String, Value> = [:]
        ) {
            self.code = code
            self.isDefinite = isDefinite
            self.detail = detail
            self.members = members.map { (name: $0.key, value: $0.value) }
        }

        /// A refusal of more than there is.
        init(
            _ code: String, isDefinite: Bool = true, _ detail: String? = nil, required: Int64, available: Int64
        ) {
            self.init(
                code, isDefinite: isDefinite, detail,
                ["required": .number(required), "available": .number(available)])
        }
    }

    /// What follows from this refusal.
    package var row: Row {
        switch self {
        case .paymentBelongsToAnotherUser: Row("receipt_belongs_to_another_user")
        case .merchantUIDAlreadyCredited: Row("merchant_uid_already_credited")
        case .paymentHasAnotherMerchantUID: Row("merchant_uid_mismatch")
        case .idempotencyKeyReused: Row("idempotency_key_reused")
        case .noSuchPurchase: Row("not_found", "the purchase does not exist")
        case .noSuchGrant: Row("not_found", "the grant does not exist")
        case .noSuchHold: Row("not_found", "the hold does not exist")
        case .noSuchRefund: Row("not_found", "the refund does not exist")
        case .noSuchRedemption: Row("not_found")
        case .noSuchDispute: Row("not_found", "the dispute does not exist")
        case .noSuchPayout: Row("not_found", "the payout does not exist")
        case .insufficientCoins(let required, let available):
            Row(
                "insufficient_coins", "\(required) coins are required, but \(available) are available",
                required: required, available: available)
        case .exceedsGrant(let required, let available, let held):
            Row(
                "exceeds_grant", isDefinite: false,
                "\(required) coins are to be voided, but \(available) of the grant can be voided",
                ["required": .number(required), "available": .number(available), "held": .number(held)])
        case .noSuchCampaign: Row("not_found", "the campaign does not exist")
        case .campaignClosed: Row("campaign_closed")
        case .giftToOneself: Row("gift_to_oneself")
        case .unknownReceiver: Row("unknown_receiver", isDefinite: false)
        case .exceedsGiveable(let required, let available):
            Row(
                "exceeds_giveable", isDefinite: false,
                "\(required) coins are to be given, but \(available) can be given away",
                required: required, available: available)
        case .giftLimitExceeded(let required, let available):
            Row(
                "gift_limit_exceeded", isDefinite: false,
                "\(required) coins are to be given, but the limit of the day leaves \(available)",
                required: required, available: available)
        case .alreadyExpired: Row("already_expired")
        case .holdClosed(let status): Row("hold_closed", nil, ["hold_status": .text(status.rawValue)])
        case .holdExpired: Row("hold_expired")
        case .exceedsHold(let required, let available):
            Row(
                "exceeds_hold", "the capture has \(required) coins, but the hold has \(available)",
                required: required, available: available)
        case .refundNotApproved(let status):
            Row("refund_not_approved", nil, ["refund_status": .text(status.rawValue)])
        case .refundNotPaid(let status):
            // Finance can still pay an approved one.
            Row(
                "refund_not_paid", isDefinite: status != .approved, nil,
                ["refund_status": .text(status.rawValue)])
        case .exceedsDebt(let required, let available):
            Row(
                "exceeds_debt", "the request has \(required) coins, but the user owes \(available)",
                required: required, available: available)
        case .nothingToRefund: Row("nothing_to_refund")
        case .exceedsRefundable(let required, let available):
            Row(
                "exceeds_refundable", "the refund has \(required) coins, but \(available) are refundable",
                required: required, available: available)
        case .alreadyReversed: Row("already_reversed")
        case .exceedsRedemption(let required, let available):
            Row(
                "exceeds_redemption", "the reversal has \(required) coins, but \(available) are left",
                required: required, available: available)
        case .noPlaceForCoins(let required, let available):
            Row(
                "no_place_for_coins", isDefinite: false,
                "\(required) coins are to come back, but \(available) have a place in their lots",
                ["required": .number(required), "available": .number(available)])
        case .noSuchRedemptionOf(let entry):
            Row("not_found", "the user has no spend or capture \(entry)", ["entry": .number(entry)])
        case .redemptionAlreadyReversed(let entry):
            Row("already_reversed", "all coins of \(entry) came back before", ["entry": .number(entry)])
        case .redemptionOfOtherPurchase(let entry):
            Row(
                "spend_of_other_purchase", "\(entry) took no coins of the purchase that could come back",
                ["entry": .number(entry)])
        case .purchaseDisputed: Row("purchase_disputed", isDefinite: false)
        case .disputeDecided(let status): Row("dispute_decided", nil, ["dispute_status": .text(status.rawValue)])
        case .disputeNotReversible: Row("dispute_not_reversible")
        case .tooManyLots(let required, let available, let limit):
            Row(
                "too_many_lots", isDefinite: false,
                """
                the \(required) coins lie in more than \(limit) lots: move \(available) at most, and the rest in further \
                requests
                """,
                ["required": .number(required), "available": .number(available), "limit": .number(limit)])
        case .accountFull:
            Row("invalid_request", isDefinite: false, "the totals of an account would exceed their maximum")
        case .userForgotten: Row("invalid_request", isDefinite: false, "the user was forgotten")
        case .refundInProgress: Row("refund_in_progress", isDefinite: false)
        case .refundInForeignCurrency: Row("refund_in_foreign_currency", isDefinite: false)
        // Only the console tells the ledger what a person saw and may do alone.
        case .changedMeanwhile: Row("changed_meanwhile")
        case .exceedsOwnLimit(let required, let available):
            Row("exceeds_own_limit", required: required, available: available)
        case .userInDebt(let debt): Row("user_in_debt", nil, ["debt": .number(debt)])
        case .userMerged(let user), .receiverMerged(let user):
            Row(
                "user_merged", isDefinite: false, "the user was merged into \(user.rawValue)",
                ["user": .text(user.rawValue)])
        case .mergeIntoItself: Row("invalid_request", "a user can't be merged into itself")
        case .unknownUser(let user):
            Row(
                "user_unknown", isDefinite: false, "nothing is known of \(user.rawValue)",
                ["user": .text(user.rawValue)])
        case .userExists(let user):
            Row("user_exists", isDefinite: false, "\(user.rawValue) is somebody's id", ["user": .text(user.rawValue)])
        case .topUpInProgress: Row("top_up_in_progress", isDefinite: false)
        case .tooManyRecords(let limit):
            Row(
                "too_many_records", isDefinite: false,
                "the user has more than \(limit) purchases, holds and orders; merge the other one into this user",
                ["limit": .number(limit)])
        case .forgettingWaits: Row("forgetting_waiting", isDefinite: false)
        case .exceedsClaim(let required, let available):
            Row(
                "exceeds_claim", isDefinite: false,
                "the payment has \(required) won, but the claim is \(available)",
                required: required, available: available)
        case .payoutNotApproved(let status):
            Row(
                "payout_status_conflict", isDefinite: false, "the payout is \(status.rawValue)",
                ["payout_status": .text(status.rawValue)])
        case .implausiblePaymentDate: Row("payment_date_implausible", isDefinite: false)
        case .monthNotOver: Row("period_not_over", isDefinite: false)
        case .monthClosed(let until):
            Row("period_already_closed", nil, ["closed_until": .text(RFC3339.string(from: until))])
        case .monthAdjusted(nil): Row("month_adjusted")
        case .monthAdjusted(let last?): Row("month_adjusted", "\(last) is adjusted", ["month": .text(last)])
        case .noAccountingPolicy: Row("no_accounting_policy", isDefinite: false)
        case .policyChanged: Row("policy_changed", isDefinite: false)
        case .alreadySettled, .settledOtherwise, .exceedsPayment, .settledInForeignCurrency, .implausiblePayout:
            Row(nil)
        }
    }
}

/// What is wrong with a payout.
///
/// The raw value is stored with its settlement line.
package enum SettlementFault: String, Sendable, Codable {
    /// The payout is dated more than a week in the future.
    case paidOutInFuture = "paid_out_in_future"
    /// The payout is dated before the payment.
    case paidOutBeforePayment = "paid_out_before_payment"
    /// The gateway's fee exceeds the gross amount.
    case feeExceedsGross = "fee_exceeds_gross"
    /// The won of a payment in a foreign currency are less than half or more than double of its worth at the rate of the payment.
    case rateImplausible = "rate_implausible"
}
