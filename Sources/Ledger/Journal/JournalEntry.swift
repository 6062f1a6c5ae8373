import Foundation
import Postgres

/// A balanced record of an act: in each currency, debits equal credits.
///
/// An entry never changes.
struct JournalEntry: Sendable, Equatable {
    let id: Int64
    let stripe: Stripe
    let kind: EntryKind
    /// What it records, such as `purchase:17`.
    let reference: String
    /// The reason that the caller gave, for people.
    let reason: String?
    /// When it happened or, if that period was closed, the first open moment.
    let effectiveAt: Date
    /// When it happened, if that period was closed; otherwise nil.
    let lateFor: Date?
    /// When it was written.
    let recordedAt: Date
    /// The entry that this one reverses, in whole or in part.
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
