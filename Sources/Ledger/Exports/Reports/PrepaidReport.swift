/// What an entry does to the coins that users have.
enum PrepaidFlow: String, CaseIterable {
    case issued, used, refunded, expired
}

extension Report {
    /// What was issued, used, refunded and expired on each day of a period, and what is outstanding at its end.
    package static let prepaid = Report(
        "prepaid", .days,
        Words(
            "Prepaid coins", "선불 코인 현황", about: "coins issued, used, refunded and expired each day",
            "일별 발행·사용·환불·만료"),
        korean: ["day": "날짜", "kind": "코인 종류", "outstanding": "미사용 코인"]
    ) { $0.prepaid }
}

extension ExportRequest {
    /// What was issued, used, refunded and expired on each day of the period, and what is outstanding at its end, in
    /// coins and won, paid apart from bonus.
    ///
    /// All figures are sums of postings, so they equal the journal and, at the end of each day, the trial balance.
    var prepaid: FixedRows {
        let coins = PrepaidFlow.allCases.map { flow in
            Column(flow.rawValue, .integer, Self.sum("coins", of: flow), total: .currency(.coin))
        }
        let won = PrepaidFlow.allCases.map { flow in
            Column(flow.rawValue + "_won", .integer, Self.sum("won", of: flow), total: .currency(.won))
        }
        let columns =
            [Column("day", .text, "day.name"), Column("kind", .text, "purse.kind")] + coins
            + [Column("outstanding", .integer, Self.outstanding("coins"))] + won
            + [Column("outstanding_won", .integer, Self.outstanding("won"))]
        let names = days.map { "'\($0.date)'" }.joined(separator: ", ")
        let statement = """
            WITH opening AS (
                SELECT \(Self.kind) AS kind, \(Self.amounts("held.balance"))
                FROM account \(AccountSQL.balance(at: asOf, before: period.from))
                WHERE \(Self.isPrepaid) GROUP BY 1
            ), flow AS (
                SELECT width_bucket(entry.effective_at, \(startsOfDays)) AS place, \(Self.kind) AS kind,
                    entry.kind AS act,
                    \(Self.amounts("CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END"))
                FROM \(JournalSQL.postings) JOIN account ON account.id = posting.account_id
                WHERE \(isInPeriod) AND \(Self.isPrepaid)
                GROUP BY 1, 2, 3
            )
            SELECT \(columns.selection)
            FROM unnest(ARRAY[\(names)]) WITH ORDINALITY AS day (name, place)
            CROSS JOIN (VALUES ('paid'), ('bonus')) AS purse (kind)
            LEFT JOIN opening ON opening.kind = purse.kind
            LEFT JOIN flow ON flow.place = day.place AND flow.kind = purse.kind
            GROUP BY day.place, day.name, purse.kind, opening.coins, opening.won
            ORDER BY day.place, purse.kind DESC
            """
        return FixedRows(columns: columns, [statement])
    }

    /// Users' coins in wallets and on hold, and the won that were paid for them.
    private static let isPrepaid = """
        (account.code LIKE 'wallet:%' OR account.code LIKE 'held:%'
            OR account.owner IS NULL AND account.code LIKE '\(SystemAccount.deferredRevenue.rawValue)/%')
        """

    /// All deferred won are of paid coins.
    private static let kind = """
        CASE WHEN account.owner IS NULL THEN 'paid' ELSE substring(account.code FROM '[^:]*$') END
        """

    private static func amounts(_ amount: String) -> String {
        [("coins", "IS NOT NULL"), ("won", "IS NULL")].map { name, owner in
            "coalesce(sum(\(amount)) FILTER (WHERE account.owner \(owner)), 0)::bigint AS \(name)"
        }.joined(separator: ", ")
    }

    /// The part of the day's change that entries with this flow made; positive if coins were issued or left.
    private static func sum(_ unit: String, of flow: PrepaidFlow) -> String {
        let kinds = EntryKind.allCases.filter { $0.row.prepaid == flow }.map { "'\($0.rawValue)'" }
        let isOfFlow = "flow.act IN (\(kinds.joined(separator: ", ")))"
        return "\(flow == .issued ? "" : "-")coalesce(sum(flow.\(unit)) FILTER (WHERE \(isOfFlow)), 0)::bigint"
    }

    /// What was there before the period, and all changes since.
    private static func outstanding(_ unit: String) -> String {
        """
        (coalesce(opening.\(unit), 0) + sum(coalesce(sum(flow.\(unit)), 0)) OVER (
            PARTITION BY purse.kind ORDER BY day.place))::bigint
        """
    }
}
