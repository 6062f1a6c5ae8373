import Postgres

@testable import Ledger

/// Five won moved between two system accounts that no other table tells of, with nothing but SQL, and any part of it
/// wrong.
struct HandMade: Sendable {
    var id = 900_001
    var entryStripe = 0
    var effectiveAt = "now()"
    var seq = 1
    /// Both accounts' balance after it.
    var balance = 5
    var debit = "gateway:fees/0"
    var credit = "revenue:coins/0"
    var postedEntry: Int?
    var stripe = 0
    var amount = 5
    var creditAmount: Int?
    var currency = "KRW"
    var creditCurrency: String?
    var side = "D"
    var inTwoStatements = false

    var sql: String {
        let between =
            inTwoStatements
            ? "; INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side) VALUES"
            : ","
        return """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            VALUES (\(id), \(entryStripe), 'grant', 'test:1', \(effectiveAt), now());
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side) VALUES
            (coalesce((SELECT id FROM account WHERE code = '\(debit)'), 77777), \(seq), \(postedEntry ?? id), \(stripe),
                \(amount), \(balance), '\(currency)', '\(side)')\(between)
            (coalesce((SELECT id FROM account WHERE code = '\(credit)'), 77778), \(seq), \(postedEntry ?? id), \(stripe),
                \(creditAmount ?? amount), \(balance), '\(creditCurrency ?? currency)', 'C');
            """
    }

    struct Wrong: Sendable {
        let name: String
        let entry: HandMade
        let sqlState: SQLState
        let constraint: String
    }

    static let wrong: [Wrong] = [
        unbalanced("more credit than debit", HandMade(creditAmount: 6)),
        unbalanced("two credits", HandMade(side: "C")),
        // 5 won against 5 coins: balanced overall, in neither currency.
        unbalanced("two currencies that cancel out", HandMade(credit: "coins:redeemed/0", creditCurrency: "COIN")),
        unfit("another currency than the account's", HandMade(currency: "COIN")),
        unfit("another stripe than the account's", HandMade(entryStripe: 1, stripe: 1)),
        unfit("an unknown account", HandMade(debit: "coins:unknown/0")),
        unfit("a balance that is not the account's", HandMade(balance: 6)),
        unfit("a number that leaves a gap", HandMade(seq: 2)),
        disagreeing("another stripe than the entry's", HandMade(entryStripe: 1)),
        disagreeing("an unknown entry", HandMade(postedEntry: 5)),
        Wrong(
            name: "no amount", entry: HandMade(amount: 0), sqlState: .checkViolation,
            constraint: "posting_amount_positive"),
        Wrong(
            name: "a negative amount", entry: HandMade(amount: -5), sqlState: .checkViolation,
            constraint: "posting_amount_positive"),
        Wrong(
            name: "a side that is none", entry: HandMade(side: "X"), sqlState: .checkViolation,
            constraint: "posting_side_is_d_or_c"),
        Wrong(
            name: "number 0", entry: HandMade(seq: 0), sqlState: .checkViolation,
            constraint: "posting_seq_positive"),
    ]

    private static func unbalanced(_ name: String, _ entry: HandMade) -> Wrong {
        Wrong(
            name: name, entry: entry, sqlState: .checkViolation, constraint: "journal_entry_balances")
    }

    private static func disagreeing(_ name: String, _ entry: HandMade) -> Wrong {
        Wrong(
            name: name, entry: entry, sqlState: .checkViolation, constraint: "transaction_facts_agree")
    }

    private static func unfit(_ name: String, _ entry: HandMade) -> Wrong {
        Wrong(
            name: name, entry: entry, sqlState: .foreignKeyViolation,
            constraint: "posting_fits_account_and_entry")
    }
}
