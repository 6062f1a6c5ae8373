import Postgres

/// A debit or credit of an account, as a part of a journal entry.
struct Posting: Sendable, Equatable {
    let accountID: Int64
    /// The number of the posting in its account, from 1, without gaps.
    let seq: Int64
    let journalEntryID: Int64
    let stripe: Stripe
    let currency: Currency
    let side: Side
    /// Always positive: ``side`` says debit or credit, never a sign.
    let amount: Int64
    /// The account's balance after this posting.
    let balance: Int64
}

/// The side of a posting.
package enum Side: String, Hashable, Sendable {
    /// Dr: increases an account whose normal side is debit.
    case debit = "D"
    /// Cr: increases an account whose normal side is credit.
    case credit = "C"

    var opposite: Side { self == .debit ? .credit : .debit }
}

extension Posting {
    /// Inserts postings.
    ///
    /// All postings of an entry are in one statement, because the database checks each statement as a whole.
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
