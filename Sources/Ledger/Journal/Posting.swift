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
