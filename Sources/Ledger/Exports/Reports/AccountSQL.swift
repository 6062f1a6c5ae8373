/// SQL for account names, of a table or alias named `account`.
enum AccountSQL {
    /// Whether every stripe has such an account.
    static let isStriped = "(account.owner IS NULL OR account.code LIKE 'earnings:%' OR account.code LIKE 'payable:%')"

    /// Whether it is a user's, and not the user's as a provider; with an owner, the index `account_by_owner` finds it.
    static let isOfUser = """
        (account.owner IS NOT NULL AND account.code NOT LIKE 'earnings:%' AND account.code NOT LIKE 'payable:%')
        """

    /// The account's code without its stripe: reports sum over stripes and show one account.
    static let name = """
        CASE WHEN \(isStriped) THEN left(account.code, -1 - length(account.stripe::text)) ELSE account.code END
        """

    /// The kind of account: `wallet:paid` for all paid wallets, or a system account's name.
    ///
    /// A user's id may contain any text, so only the fixed prefix and suffix are used.
    static let classification = """
        CASE
            WHEN account.owner IS NULL THEN \(name)
            WHEN account.code LIKE 'wallet:%' OR account.code LIKE 'held:%'
                THEN split_part(account.code, ':', 1) || ':' || substring(account.code FROM '[^:]*$')
            ELSE split_part(account.code, ':', 1)
        END
        """

    /// Joins each account's balance as `held (balance)`, from entries recorded by `moment` and effective before `end`;
    /// nil: no limit.
    static func balance(at moment: Moment?, before end: Moment?) -> String {
        guard let end else { return recorded(by: moment, as: "held") }
        let isRecorded = moment.map { "AND entry.recorded_at <= \($0.sqlLiteral)" } ?? ""
        // Entries after the end are subtracted, so the cost of a past month depends on what happened since. Ids
        // increase with time, so the lowest id lets the block-range index find the postings.
        return """
            \(recorded(by: moment, as: "known"))
            LEFT JOIN (
                SELECT posting.account_id, count(*) AS postings,
                    coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'D'), 0)::bigint AS debits,
                    coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'C'), 0)::bigint AS credits
                FROM journal_entry AS entry
                JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
                    SELECT min(id + 0) FROM journal_entry WHERE effective_at >= \(end.sqlLiteral))
                WHERE entry.effective_at >= \(end.sqlLiteral) \(isRecorded)
                GROUP BY 1
            ) AS later ON later.account_id = account.id
            JOIN LATERAL (
                SELECT known.balance - CASE account.normal_side
                    WHEN 'D' THEN coalesce(later.debits - later.credits, 0)
                    ELSE coalesce(later.credits - later.debits, 0) END AS balance
                WHERE known.seq > coalesce(later.postings, 0)
            ) AS held ON true
            """
    }

    /// Joins each account's balance and last posting number at a moment; nil: now.
    private static func recorded(by moment: Moment?, as name: StaticString) -> String {
        guard let moment else { return "CROSS JOIN LATERAL (SELECT account.balance, account.seq) AS \(name)" }
        return """
            JOIN posting AS \(name) ON \(name).account_id = account.id
                AND \(name).seq = posting_seq_as_of(account.id, \(moment.sqlLiteral))
            """
    }
}
