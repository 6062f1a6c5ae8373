extension Report {
    /// The opening balance, the totals and the balance of every kind of account in a period.
    package static let trialBalanceTotals = Report(
        "trial-balance-totals", .period,
        Words(
            "Trial balance with totals", "합계잔액시산표", about: "opening balance, totals and balance of each account",
            "계정별 기초·합계·잔액")
    ) { $0.trialBalanceTotals }
}

extension ExportRequest {
    /// The trial balance of totals and balances (합계잔액시산표): of each kind of account its opening balance, its totals,
    /// which contain it, and its balance at the end of the period.
    ///
    /// The columns are in the order of the Korean form: debits to the left of the account, credits to its right.
    var trialBalanceTotals: FixedRows {
        let columns = [
            Column("debit_balance", .integer, "greatest(debits - credits, 0)", total: .column("currency")),
            Column("debit_total", .integer, "debits", total: .column("currency")),
            Column("debit_opening", .integer, "greatest(opening, 0)", total: .column("currency")),
            Column("account", .text, "name"),
            Column("currency", .text, "currency"),
            Column("credit_opening", .integer, "greatest(-opening, 0)", total: .column("currency")),
            Column("credit_total", .integer, "credits", total: .column("currency")),
            Column("credit_balance", .integer, "greatest(credits - debits, 0)", total: .column("currency")),
        ]
        let sign = "CASE account.normal_side WHEN 'D' THEN 1 ELSE -1 END"
        let statement = """
            SELECT \(columns.selection) FROM (
                SELECT name, currency, opening, greatest(opening, 0) + debits AS debits,
                    greatest(-opening, 0) + credits AS credits
                FROM (
                    SELECT \(isDetailed ? AccountSQL.name : AccountSQL.classification) AS name, account.currency,
                        coalesce(sum(\(sign) * opening.balance), 0)::bigint AS opening,
                        coalesce(sum(moved.debits), 0)::bigint AS debits,
                        coalesce(sum(moved.credits), 0)::bigint AS credits
                    FROM account
                    LEFT JOIN (\(openingBalances)) AS opening ON opening.account_id = account.id
                    LEFT JOIN (\(movements)) AS moved ON moved.account_id = account.id
                    GROUP BY 1, account.currency
                ) AS sums
            ) AS totals
            WHERE opening <> 0 OR debits <> 0 OR credits <> 0
            ORDER BY name, currency
            """
        return FixedRows(columns: columns, [statement])
    }

    /// The balance of each account at the start of the period.
    private var openingBalances: String {
        guard let from = period.from else { return "SELECT 0::bigint AS account_id, 0::bigint AS balance WHERE false" }
        return """
            SELECT account.id AS account_id, held.balance FROM account \(AccountSQL.balance(at: asOf, before: from))
            """
    }

    /// The debits and credits of each account in the period.
    private var movements: String {
        """
        SELECT posting.account_id,
            coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'D'), 0) AS debits,
            coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'C'), 0) AS credits
        FROM \(JournalSQL.postings) WHERE \(isInPeriod) GROUP BY 1
        """
    }
}
