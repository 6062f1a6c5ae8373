import Postgres

/// A debit or a credit of one account, part of a journal entry.
struct Posting: Sendable, Equatable {
    let accountID: Int64
    /// Its place among the account's postings, from 1, without gaps.
    let seq: Int64
    let journalEntryID: Int64
    let stripe: Stripe
    let currency: Currency
    let side: Side
    /// Always above zero: the side carries the meaning, never a sign.
    let amount: Int64
    /// The account's balance after this posting, on its normal side.
    let balance: Int64
}

/// The side of an account that a posting is written on.
package enum Side: String, Hashable, Sendable {
    /// Dr: increases a debit-normal account.
    case debit = "D"
    /// Cr: increases a credit-normal account.
    case credit = "C"
}

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
