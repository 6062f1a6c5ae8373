package import Foundation

/// Records that the money of a refund by bank transfer came back to our bank: the payer paid it back, or the bank
/// returned the transfer.
///
/// ```
/// Dr coins:issued       coins / Cr wallet:<user>:paid      coins
/// Dr coins:promotions   bonus / Cr wallet:<user>:bonus     bonus
/// Dr bank              amount / Cr coins:deferred-revenue  value
/// Dr revenue:refund-fees  fee
/// ```
/// The refund is reversed as by ``ReverseRefund``, against the bank. If the gateway cancelled the same money, a
/// ``ClawBack`` takes the coins next: then the money went back once.
package struct RepayRefund: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let refundID: Int64
    /// When the money reached our bank.
    ///
    /// The entry is effective then, but not before the refund was paid and not after it is recorded. It can't be before
    /// the day on which the refund was paid.
    package let paidAt: Date
    /// What the bank's statement says of it.
    package let bankReference: String
    /// The seconds for which coins of expired lots can be used; 0: they expire at once.
    ///
    /// They are not part of the ``fingerprint``.
    package let grace: Int64

    package init(
        idempotencyKey: CallerKey, user: UserID, refundID: Int64, paidAt: Date, bankReference: String, grace: Int64 = 0
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.refundID = refundID
        self.paidAt = paidAt
        self.bankReference = bankReference
        self.grace = grace
    }
}

// MARK: - Planning

extension RepayRefund {
    package var touches: Touches { .reversing(refund: refundID, against: .bank) }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<RefundReversed> {
        try books.repayRefund(self)
    }
}

extension Plan {
    fileprivate mutating func repayRefund(_ act: RepayRefund) throws(LedgerError) -> Answer<RefundReversed> {
        guard var refund = refunds.refund(act.refundID, of: act.user) else { return .refused(.noSuchRefund) }
        guard refund.status == .completed, let transferredAt = refund.transfer?.paidAt else {
            return .refused(.refundNotPaid(refund.status))
        }
        // Its coins must not come back: the buyer has all of the money, and the gateway shows no cancellation of it.
        guard !disputes.isBookedAsLost(of: refund.purchaseID) else { return .refused(.disputeDecided(.lost)) }
        guard isPlausible(act.paidAt, since: transferredAt) else { return .refused(.implausiblePaymentDate) }
        if let refusal = lackOfPlace(for: refund.transfer?.taken ?? []) { return .refused(refusal) }
        refund.transfer?.repaidAt = act.paidAt
        refund.transfer?.repaymentReference = act.bankReference
        let paidAt = moment(transferredAt, notBefore: refund.requestedAt)
        return .done(
            try reverse(
                refund, against: .bank, because: nil, effectiveAt: moment(act.paidAt, notBefore: paidAt),
                grace: act.grace))
    }
}

// MARK: - How it is recorded under its key

extension RepayRefund {
    package static let name = "refund_repayment"
    package static let successName = "refundRepaid"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(refundID), String(paidAt.microsecondsSince1970), bankReference)
    }
}
