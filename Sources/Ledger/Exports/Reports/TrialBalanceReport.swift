extension Report {
    /// The balance of every kind of account at a moment.
    package static let trialBalance = Report(
        "trial-balance", .moment,
        Words("Trial balance", "잔액시산표", about: "the balance of each account", "계정별 잔액")
    ) { $0.trialBalance }
}

extension ExportRequest {
    /// The balance of every kind of account, or of every account, at the moment.
    var trialBalance: FixedRows { isDetailed ? balanceOfAccounts : balanceOfClasses }

    /// Users' accounts are summed by kind, because there may be millions of them.
    private var balanceOfClasses: FixedRows {
        let columns = Self.columns(name: AccountSQL.classification, accounts: "count(*)", held: "sum(held.balance)")
        return FixedRows(columns: columns, [sums(of: columns)])
    }

    /// Accounts with stripes, summed, and then users' accounts by id.
    private var balanceOfAccounts: FixedRows {
        let added = Self.columns(name: AccountSQL.name, accounts: "count(*)", held: "sum(held.balance)")
        let single = Self.columns(name: "account.code", accounts: "1", held: "held.balance")
        return FixedRows(
            columns: added,
            [
                sums(of: added, where: AccountSQL.isStriped),
                "SELECT \(single.selection) \(balances) WHERE NOT \(AccountSQL.isStriped) ORDER BY account.id",
            ])
    }

    private func sums(of columns: [Column], where condition: String = "true") -> String {
        """
        SELECT \(columns.selection) \(balances) WHERE \(condition)
        GROUP BY 1, account.currency, account.normal_side ORDER BY 1, 2
        """
    }

    private var balances: String { "FROM account \(AccountSQL.balance(at: asOf, before: period.to))" }

    /// A balance is in the debit or the credit column, so that both columns have the same sum.
    private static func columns(name: String, accounts: String, held: String) -> [Column] {
        func on(_ side: String) -> String {
            """
            CASE WHEN (account.normal_side = '\(side)') = (\(held) >= 0) AND \(held) <> 0
                THEN abs(\(held))::bigint ELSE 0::bigint END
            """
        }
        return [
            Column("account", .text, name),
            Column("currency", .text, "account.currency"),
            Column("debit", .integer, on("D"), total: .column("currency")),
            Column("credit", .integer, on("C"), total: .column("currency")),
            Column("accounts", .integer, "\(accounts)::bigint"),
        ]
    }
}
