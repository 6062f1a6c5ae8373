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
    static let insert = BulkInsert<JournalEntry>(
        into: "journal_entry",
        [
            .init("id", \.id), .init("stripe", \.stripe), .init("kind", \.kind.rawValue),
            .init("reference", \.reference), .init("reason", \.reason), .init("effective_at", \.effectiveAt),
            .init("recorded_at", \.recordedAt), .init("reverses", \.reverses), .init("late_for", \.lateFor),
        ])
}
