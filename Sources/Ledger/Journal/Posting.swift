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
    static let insert = BulkInsert<Posting>(
        into: "posting",
        [
            .init("account_id", \.accountID), .init("seq", \.seq), .init("journal_entry_id", \.journalEntryID),
            .init("stripe", \.stripe), .init("amount", \.amount), .init("balance", \.balance),
            .init("currency", \.currency), .init("side", \.side),
        ])
}
