package import CivilTime
import Foundation
import Postgres

/// A revaluation that is not booked, although its month is over, with what would be booked now.
package struct MissingRevaluation: Sendable, Equatable {
    package let currency: ForeignCurrency
    package let month: CivilMonth
    /// As in ``RevaluationBasis``; nil: not measured.
    package let open: Int64?
    /// The same.
    package let carried: Int64?
    /// The last rate of the month's last seven days, with its day; nil: they have none.
    package var rate: Rate?

    /// What is open at the rate, in won; nil: it has none, is not measured, or its won do not fit 64 bits.
    package var worth: Int64? { open.flatMap { rate?.worth(of: $0) } }

    init(currency: ForeignCurrency, month: CivilMonth, open: Int64?, carried: Int64?) {
        self.currency = currency
        self.month = month
        self.open = open
        self.carried = carried
    }
}

// MARK: - Rows

extension MissingRevaluation {
    /// SQL for the months that end in the period from $1 to $2, in the time zone $3, before whose end somebody had paid in a
    /// currency, and that are not revalued.
    ///
    /// Its columns are `currency`, `month`, `since` for the end of the month, `open` and `carried`.
    ///
    /// - Parameter isMeasured: only those at whose end something is open or carried. One pass over the postings since the end of the
    ///   first month measures all months.
    static func rows(isMeasured: Bool) -> String { isMeasured ? measured : unmeasured }

    private static var unmeasured: String {
        """
        SELECT opened.currency, to_char(start, 'YYYY-MM') AS month, (start + interval '1 month') AT TIME ZONE $3 AS since,
            NULL::bigint AS open, NULL::bigint AS carried
        FROM (
            SELECT code AS currency, (
                SELECT min(paid_at) FROM purchase WHERE purchase.foreign_currency = code
            ) AS paid_at
            FROM foreign_currency
        ) AS opened
        CROSS JOIN \(ClosingChecklist.months) AS start
        WHERE opened.paid_at < (start + interval '1 month') AT TIME ZONE $3
            AND NOT EXISTS (
                SELECT FROM revaluation
                WHERE revaluation.currency = opened.currency AND revaluation.month = to_char(start, 'YYYY-MM'))
        """
    }

    /// What is effective later is subtracted from the present, as in the database's `open_before`.
    private static var measured: String {
        """
        WITH month_end AS MATERIALIZED (
            \(unmeasured)
        ), clearing AS MATERIALIZED (
            SELECT account.id, asked.currency, account.currency = 'KRW' AS is_won, account.normal_side, account.balance
            FROM (SELECT DISTINCT currency FROM month_end) AS asked
            CROSS JOIN generate_series(0, (SELECT stripes FROM ledger) - 1) AS number
            CROSS JOIN unnest(ARRAY['fx:clearing:' || asked.currency,
                \(ForeignAccount.carryingInSQL(of: "asked.currency"))]) AS name
            JOIN account ON account.code = name || '/' || number AND account.owner IS NULL
        ), later AS (
            SELECT month_end.currency, month_end.since,
                sum(moved.amount) FILTER (WHERE NOT moved.is_won) AS open,
                sum(moved.amount) FILTER (WHERE moved.is_won) AS carried
            FROM (
                SELECT clearing.currency, clearing.is_won, entry.effective_at,
                    CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END AS amount
                FROM journal_entry AS entry
                JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
                    SELECT min(id + 0) FROM journal_entry WHERE effective_at >= (SELECT min(since) FROM month_end))
                JOIN clearing ON clearing.id = posting.account_id
                WHERE entry.effective_at >= (SELECT min(since) FROM month_end)
            ) AS moved
            JOIN month_end ON month_end.currency = moved.currency AND month_end.since <= moved.effective_at
            GROUP BY month_end.currency, month_end.since
        )
        SELECT * FROM (
            SELECT month_end.currency, month_end.month, month_end.since,
                (present.open - coalesce(later.open, 0))::bigint AS open,
                (present.carried - coalesce(later.carried, 0))::bigint AS carried
            FROM month_end
            JOIN (
                SELECT currency, coalesce(sum(balance) FILTER (WHERE NOT is_won), 0) AS open,
                    coalesce(sum(balance) FILTER (WHERE is_won), 0) AS carried
                FROM clearing GROUP BY currency
            ) AS present ON present.currency = month_end.currency
            LEFT JOIN later ON later.currency = month_end.currency AND later.since = month_end.since
        ) AS left_open
        WHERE open <> 0 OR carried <> 0
        """
    }

    /// What is missing of the months that end in a period, oldest month first.
    static func list(
        from: Date, until: Date, in zone: TimeZone, limit: Int, isMeasured: Bool
    ) -> PostgresQuery<[MissingRevaluation]> {
        PostgresQuery(
            """
            SELECT currency, month, open, carried FROM (\(rows(isMeasured: isMeasured))) AS missing
            ORDER BY month, currency LIMIT $4
            """, [from, until, zone.identifier, Int64(limit)]
        ) { row in try row.make(MissingRevaluation.init) }
    }
}
