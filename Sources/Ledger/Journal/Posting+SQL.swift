import Postgres

extension Posting {
    /// Inserts postings, each entry's together: the database judges every statement as a whole.
    static func insert(_ postings: [Posting]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::text[], $8::text[])
            """,
            [
                postings.map(\.accountID), postings.map(\.seq), postings.map(\.journalEntryID),
                postings.map(\.stripe.number), postings.map(\.amount), postings.map(\.balance),
                postings.map(\.currency.code), postings.map(\.side.rawValue),
            ])
    }
}
