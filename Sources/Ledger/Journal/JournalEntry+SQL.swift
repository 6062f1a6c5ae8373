import Postgres

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
