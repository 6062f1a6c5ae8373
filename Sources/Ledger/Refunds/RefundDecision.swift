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
    static func insert(_ decisions: [RefundDecision]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO refund_decision (
                journal_entry_id, refund_id, status, refusal, refusal_code, cancellation_id, paid_at, bank_reference,
                repaid_at, repayment_reference)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
                $9::timestamptz[], $10::text[])
            """,
            [
                decisions.map(\.journalEntryID), decisions.map(\.refund.id), decisions.map(\.refund.status.rawValue),
                decisions.map(\.refund.refusal?.reason), decisions.map(\.refund.refusal?.gatewayCode),
                decisions.map(\.refund.cancellationID), decisions.map { $0.payment?.paidAt },
                decisions.map { $0.payment?.bankReference }, decisions.map(\.refund.transfer?.repaidAt),
                decisions.map(\.refund.transfer?.repaymentReference),
            ])
    }

    /// What finance paid by the decision; nil: nothing.
    private var payment: Refund.Transfer? { refund.status == .completed ? refund.transfer : nil }
}
