import Postgres

/// A plan's journal entries, their postings and the accounts that they change.
struct PlannedJournal: Sendable {
    /// The accounts after the entries.
    var accounts: PlannedAccounts
    /// Journal entries to insert.
    private(set) var entries: [JournalEntry] = []
    /// Postings to insert, grouped by entry.
    private(set) var postings: [Posting] = []
    /// The coins and won that the entries move.
    private(set) var turnover = Turnover()

    init(_ accounts: [Account], acts: Int) {
        self.accounts = PlannedAccounts(accounts)
        entries.reserveCapacity(acts)
        postings.reserveCapacity(acts * 6)
    }

    /// Writes a balanced entry with postings in the given order.
    ///
    /// Lines with an amount of zero are left out.
    mutating func post(_ entry: JournalEntry, _ lines: [Plan.Line]) {
        entries.append(entry)
        turnover.add(entry.kind, lines, userAccount: accounts.userAccount, isCarrying: accounts.isCarrying)
        for line in lines where line.amount != 0 { post(line, to: entry) }
    }

    private mutating func post(_ line: Plan.Line, to entry: JournalEntry) {
        precondition(line.amount > 0, "a posting's amount is positive; the side says debit or credit")
        let account = accounts.update(line.account) { account in
            precondition(account.stripe == entry.stripe, "a journal entry belongs to one stripe")
            switch line.side {
            case .debit: account.debits += line.amount
            case .credit: account.credits += line.amount
            }
            account.seq += 1
            account.postedAt = entry.recordedAt
        }
        postings.append(
            Posting(
                accountID: account.id, seq: account.seq, journalEntryID: entry.id, stripe: entry.stripe,
                currency: account.currency, side: line.side, amount: line.amount, balance: account.balance))
    }
}

extension PlannedJournal {
    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(Array(accounts.opened), Account.insert) + PostgresQuery.facts(entries, JournalEntry.insert)
            + PostgresQuery.facts(postings, Posting.insert)
    }
}
