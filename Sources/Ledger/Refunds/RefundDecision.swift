import Postgres

/// The decision on a refund: the gateway gave the money back, or refused.
///
/// A decision never changes. The database applies it to the refund, and erases the bank account.
struct RefundDecision: Sendable, Equatable {
    /// The entry that took or released the coins.
    let journalEntryID: Int64
    /// The refund after the decision.
    let refund: Refund
}

extension RefundDecision {
    static let insert = BulkInsert<RefundDecision>(
        into: "refund_decision",
        [
            .init("journal_entry_id", \.journalEntryID), .init("refund_id", \.refund.id),
            .init("status", \.refund.status), .init("refusal", \.refund.refusal?.reason),
            .init("refusal_code", \.refund.refusal?.gatewayCode), .init("cancellation_id", \.refund.cancellationID),
            .init("paid_at", \.payment?.paidAt), .init("bank_reference", \.payment?.bankReference),
            .init("repaid_at", \.refund.transfer?.repaidAt),
            .init("repayment_reference", \.refund.transfer?.repaymentReference),
        ])

    /// What finance paid by the decision; nil: nothing.
    private var payment: Refund.Transfer? { refund.status == .completed ? refund.transfer : nil }
}
