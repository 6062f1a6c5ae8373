package import Foundation

/// Records that finance paid an approved refund by bank transfer.
///
/// ```
/// Dr refunds:payable  amount / Cr bank  amount
/// ```
package struct PayRefund: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let refundID: Int64
    /// When the bank paid it.
    ///
    /// The entry is effective then, but not before the approval and not after it is recorded.
    package let paidAt: Date
    /// What the bank's statement says of the payment.
    package let bankReference: String

    package init(
        idempotencyKey: CallerKey, user: UserID, refundID: Int64, paidAt: Date, bankReference: String
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.refundID = refundID
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// The result of paying a refund.
package struct RefundPaid: Sendable, Equatable, Codable, PostedSuccess {
    package let refund: Refund
    /// The journal entry of the payment.
    package let journalEntryID: Int64
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension PayRefund {
    package var touches: Touches { Touches(systemAccounts: [.refundsPayable, .bank], refund: refundID) }

    package func plan(on books: inout Plan) -> Answer<RefundPaid> { books.payRefund(self) }
}

extension Plan {
    fileprivate mutating func payRefund(_ act: PayRefund) -> Answer<RefundPaid> {
        guard var refund = refunds.refund(act.refundID, of: act.user) else { return .refused(.noSuchRefund) }
        guard refund.status == .approved else { return .refused(.refundNotApproved(refund.status)) }
        let stripe = stripe(of: act.user)
        let entryID = post(
            .refundPayment, reference: refund.reference,
            effectiveAt: moment(act.paidAt, notBefore: refund.requestedAt), in: stripe,
            [
                Line(account: .system(.refundsPayable, stripe), side: .debit, amount: refund.amount),
                Line(account: .system(.bank, stripe), side: .credit, amount: refund.amount),
            ])
        refund.status = .completed
        refund.decidedAt = recordedAt
        refund.transfer?.paidAt = act.paidAt
        refund.transfer?.bankReference = act.bankReference
        refunds.decide(refund, by: entryID)
        return .done(RefundPaid(refund: refund, journalEntryID: entryID, balance: balance(of: act.user)))
    }
}

// MARK: - How it is recorded under its key

extension PayRefund {
    package static let name = "refund_payment"
    package static let successName = "refundPaid"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(refundID), String(paidAt.microsecondsSince1970), bankReference)
    }
}
