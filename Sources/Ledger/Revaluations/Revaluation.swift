package import CivilTime
package import Foundation
package import Postgres

/// What is open in a foreign currency, brought to its worth at the last rate of a month, and back on the first of the next one.
///
/// So between two months' ends the won that are carried are those of the payments, each at its own rate.
package struct Revaluation: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let currency: ForeignCurrency
    package let month: CivilMonth
    /// What is open, its carrying amount and its worth.
    package let basis: RevaluationBasis
    /// The entry at the end of the month; nil: nothing was to be posted.
    package let journalEntryID: Int64?
    /// The opposite entry on the first of the next month.
    package let reversalEntryID: Int64?
    /// The caller.
    package let revaluedBy: String
    package let recordedAt: Date
}

/// What the database measured for a revaluation.
package struct RevaluationBasis: Sendable, Equatable {
    let id: Int64
    /// The last rate of the month.
    package let rateID: Int64
    /// Its day: one of the last seven of the month.
    package let rateDay: CivilDate
    /// The rate as it is quoted.
    package let quotation: Quotation
    /// What is open at the end of the month, in minor units of the currency.
    package let open: Int64
    /// Its carrying amount, in won: each payment at its own rate.
    package let carried: Int64
    /// What it is worth at the rate, in won.
    package let worth: Int64
    let measuredAt: Date

    /// What is posted: the worth less the carrying amount.
    package var amount: Int64 { worth - carried }
}

/// What would be booked of a month now.
package struct RevaluationPreview: Sendable, Equatable {
    /// The last rate of the month's last seven days, with its day; nil: they have none.
    package let rate: Rate?
    /// As in ``RevaluationBasis``.
    package let open: Int64
    package let carried: Int64

    /// What is open at the rate, in won; nil: it has none, or the won do not fit 64 bits.
    package var worth: Int64? { rate?.worth(of: open) }
}

/// A revaluation that is not booked, although its month is over.
package struct MissingRevaluation: Sendable, Equatable {
    package let currency: ForeignCurrency
    package let month: CivilMonth
}

// MARK: - Rows

extension RevaluationBasis: PostgresReadable {
    /// Columns of `basis`, and of its `rate`.
    fileprivate static let columns = """
        basis.id, basis.rate_id, to_char(rate.day, 'YYYY-MM-DD'), rate.value, rate.scale, rate.per, basis.open,
        basis.carried, basis.worth, basis.measured_at
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> RevaluationBasis {
        try row.make(at: &column, RevaluationBasis.init)
    }

    /// Has the database measure what is open at the end of a month; nil: it is revalued already, or has no rate.
    static func measure(_ touch: RevaluationTouch) -> PostgresQuery<RevaluationBasis?> {
        .first(
            """
            WITH basis AS (
                INSERT INTO revaluation_basis (currency, month, zone)
                SELECT $1, $2, $3
                WHERE rate_of_month_end($1, $2) IS NOT NULL
                    AND NOT EXISTS (SELECT FROM revaluation WHERE currency = $1 AND month = $2)
                RETURNING *
            )
            SELECT \(columns) FROM basis JOIN rate ON rate.id = basis.rate_id
            """,
            [touch.currency, touch.month.description, touch.zone.identifier])
    }
}

extension RevaluationPreview {
    static func measure(
        _ currency: ForeignCurrency, before end: Date
    ) -> PostgresQuery<(open: Int64, carried: Int64)> {
        .one("SELECT due, won FROM open_before($1, $2)", [currency, end]) { row in (try row[0], try row[1]) }
    }
}

extension Revaluation: PostgresReadable {
    private static let select = """
        SELECT revaluation.id, revaluation.currency, revaluation.month, \(RevaluationBasis.columns), journal_entry_id,
            reversal_entry_id, revalued_by, recorded_at
        FROM revaluation JOIN revaluation_basis AS basis ON basis.id = basis_id JOIN rate ON rate.id = basis.rate_id
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Revaluation {
        try row.make(at: &column, Revaluation.init)
    }

    static func find(_ id: Int64) -> PostgresQuery<Revaluation?> {
        .first("\(select) WHERE revaluation.id = $1", [id])
    }

    static func find(_ ids: [Int64]) -> PostgresQuery<[Revaluation]> {
        PostgresQuery("\(select) WHERE revaluation.id = ANY($1)", [ids])
    }

    static func find(_ currency: ForeignCurrency, in month: CivilMonth) -> PostgresQuery<Revaluation?> {
        .first(
            "\(select) WHERE revaluation.currency = $1 AND revaluation.month = $2", [currency, month.description])
    }

    /// Revaluations, the last one first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(before id: Int64?, limit: Int) -> PostgresQuery<[Revaluation]> {
        PostgresQuery(
            "\(select) WHERE revaluation.id < $1 ORDER BY revaluation.id DESC LIMIT $2",
            [id ?? Int64.max, Int64(limit + 1)])
    }

    static func insert(_ revaluation: Revaluation) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO revaluation (
                id, currency, month, basis_id, amount, journal_entry_id, reversal_entry_id, revalued_by, recorded_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                revaluation.id, revaluation.currency, revaluation.month.description, revaluation.basis.id,
                revaluation.basis.amount, revaluation.journalEntryID, revaluation.reversalEntryID,
                revaluation.revaluedBy, revaluation.recordedAt,
            ])
    }
}

extension Revaluation {
    /// Whether a month has a rate at its end, or is revalued already.
    ///
    /// A month that is not over counts as one that has: it has its own refusal.
    static func hasRate(_ touch: RevaluationTouch) -> PostgresQuery<Bool> {
        .one(
            """
            SELECT $3 > clock_timestamp() OR rate_of_month_end($1, $2) IS NOT NULL
                OR EXISTS (SELECT FROM revaluation WHERE currency = $1 AND month = $2)
            """, [touch.currency, touch.month.description, touch.month.next.start(in: touch.zone)])
    }
}

extension MissingRevaluation {
    /// SQL for the months that end in the period from $1 to $2, in the time zone $3, before whose end somebody had paid in a
    /// currency, and that are not revalued.
    ///
    /// Its columns are `currency`, `month` and, for the end of the month, `since`.
    static let rows = """
        SELECT opened.currency, to_char(start, 'YYYY-MM') AS month, (start + interval '1 month') AT TIME ZONE $3 AS since
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

    /// What is missing of the months that end in a period, oldest month first.
    static func list(
        from: Date, until: Date, in zone: TimeZone, limit: Int
    ) -> PostgresQuery<[MissingRevaluation]> {
        PostgresQuery(
            "SELECT currency, month FROM (\(rows)) AS missing ORDER BY month, currency LIMIT $4",
            [from, until, zone.identifier, Int64(limit)]
        ) { row in try row.make(MissingRevaluation.init) }
    }
}
