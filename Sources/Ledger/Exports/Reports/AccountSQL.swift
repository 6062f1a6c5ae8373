/// How reports name accounts, of a table or alias named `account`.
enum AccountSQL {
    /// Whether every stripe has one of it.
    static let isStriped = "(account.owner IS NULL OR account.code LIKE 'earnings:%')"

    /// The account's code without its stripe: reports add the stripes up and show one account.
    static let name = """
        CASE WHEN \(isStriped) THEN left(account.code, -1 - length(account.stripe::text)) ELSE account.code END
        """

    /// What kind of account it is: `wallet:paid` for everybody's paid wallets, a system account's own name.
    ///
    /// A user's id may hold anything, so only the fixed beginning and end are looked at.
    static let classification = """
        CASE
            WHEN account.owner IS NULL THEN \(name)
            WHEN account.code LIKE 'wallet:%' OR account.code LIKE 'held:%'
                THEN split_part(account.code, ':', 1) || ':' || substring(account.code FROM '[^:]*$')
            ELSE split_part(account.code, ':', 1)
        END
        """

    /// Joins each account's balance at a moment, as `held (balance)`; nil: now.
    static func balance(at moment: Moment?) -> String {
        guard let moment else { return "CROSS JOIN LATERAL (SELECT account.balance) AS held" }
        return """
            JOIN posting AS held ON held.account_id = account.id
                AND held.seq = posting_seq_as_of(account.id, \(moment.sqlLiteral))
            """
    }
}
