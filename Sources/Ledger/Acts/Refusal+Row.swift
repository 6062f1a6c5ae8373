import CivilTime

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
