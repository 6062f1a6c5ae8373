extension Doctor.Check {
    /// Who was forgotten is known by the new id alone, and texts are missing of nobody else.
    static let forgotten: [Doctor.Check] = [
        Doctor.Check(
            "forgotten_user_unknown", proves: "each id of a forgotten user is one that forgetting gave",
            sql: """
                SELECT 'user:' || held.id AS subject, 'is in ' || held.place || ', and no forgetting gave it' AS detail
                FROM (\(ids)) AS held
                LEFT JOIN forgetting
                    ON forgetting.user_id = \(UserAliases.now("held.id")) AND forgetting.status = 'forgotten'
                WHERE forgetting.id IS NULL
                """),
        Doctor.Check(
            "erased_of_nobody", proves: "the chain has commitments alone only of texts of users who were forgotten",
            sql: """
                SELECT 'entry:' || salted.entry_id AS subject, 'has no salt, and nobody in it was forgotten' AS detail
                FROM entry_salt AS salted
                LEFT JOIN journal_entry AS entry ON entry.id = salted.entry_id
                LEFT JOIN (
                    SELECT DISTINCT posting.journal_entry_id AS id
                    FROM posting
                    JOIN account ON account.id = posting.account_id AND account.owner ~ \(pattern)
                    UNION ALL
                    SELECT unnest(ARRAY[sent_entry_id, received_entry_id]) FROM gift
                    WHERE from_user ~ \(pattern) OR to_user ~ \(pattern)
                ) AS own ON own.id = salted.entry_id
                WHERE salted.salt IS NULL AND own.id IS NULL
                    AND concat_ws(' ', entry.reference, entry.reason) !~ 'forgotten-[0-9a-f]{32}'
                UNION ALL
                SELECT 'account:' || salted.account_id, 'has no salt, and its owner was not forgotten'
                FROM account_salt AS salted
                LEFT JOIN account ON account.id = salted.account_id
                WHERE salted.salt IS NULL AND coalesce(account.owner !~ \(pattern), true)
                """),
        Doctor.Check(
            "forgotten_id_is_left", proves: "where a user was forgotten, all that names them has the new id",
            sql: """
                SELECT 'account:' || account.id AS subject, 'is of ' || account.owner || ', and its lots, holds or purchases of '
                    || other.id AS detail
                FROM account
                JOIN posting ON posting.account_id = account.id
                JOIN (
                    SELECT journal_entry_id, user_id AS id FROM lot
                    UNION ALL
                    SELECT journal_entry_id, user_id FROM purchase
                    UNION ALL
                    SELECT journal_entry_id, user_id FROM hold
                    UNION ALL
                    SELECT journal_entry_id, user_id FROM refund
                ) AS other ON other.journal_entry_id = posting.journal_entry_id
                    AND \(UserAliases.now("other.id")) <> \(UserAliases.now("account.owner"))
                WHERE account.owner ~ \(pattern) AND account.code !~ '^(earnings|payable):'
                """),
    ]

    private static let pattern = "'^forgotten-[0-9a-f]{32}$'"

    /// The ids of forgotten users in all columns that have ids of users.
    private static let ids = TableContent.all.filter { $0.table != "forgetting" }.flatMap { table in
        table.columns(.user).map { column in
            """
            SELECT DISTINCT "\(column)" AS id, '\(table.table).\(column)' AS place FROM "\(table.table)"
            WHERE "\(column)" ~ \(pattern)
            """
        }
    }
    .joined(separator: " UNION ALL ")
}
