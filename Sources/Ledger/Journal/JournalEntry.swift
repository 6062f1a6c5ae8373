import Foundation
import Postgres

/// One balanced record of an act: its postings' debits equal their credits in each currency.
///
/// Never changed.
struct JournalEntry: Sendable, Equatable {
    /// Which act it records.
    enum Kind: String, Sendable, CaseIterable {
        case purchase
        case grant
        case clawBack = "claw_back"
        case debtPayment = "debt_payment"
        case spend
        case hold
        case capture
        case void
        case expiry
        case refundHold = "refund_hold"
        case refundRelease = "refund_release"
        case refund
        case settlement
    }

    let id: Int64
    let stripe: Stripe
    let kind: Kind
    /// What it is about: `purchase:17`.
    let reference: String
    /// Why, in people's words, where the act asks for it.
    let reason: String?
    /// When it happened or, if that was closed already, the first moment that is open.
    let effectiveAt: Date
    /// When it happened, if that was closed already.
    let lateFor: Date?
    /// When we wrote it.
    let recordedAt: Date
    /// The entry that it takes back, whole or in part, if it does.
    let reverses: Int64?
}

extension JournalEntry {
    static func insert(_ entries: [JournalEntry]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, reason, effective_at, recorded_at, reverses,
                late_for)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
                $8::int8[], $9::timestamptz[])
            """,
            [
                entries.map(\.id), entries.map(\.stripe.number), entries.map(\.kind.rawValue),
                entries.map(\.reference), entries.map(\.reason), entries.map(\.effectiveAt),
                entries.map(\.recordedAt), entries.map(\.reverses), entries.map(\.lateFor),
            ])
    }
}
