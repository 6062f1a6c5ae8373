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

    /// Of a month that is over, open, not revalued and has a rate.
    private static let insert = """
        INSERT INTO revaluation_basis (currency, month, zone, measured_from)
        SELECT $1, $2, $3, $4::bigint
        WHERE $5 <= clock_timestamp() AND NOT EXISTS (SELECT FROM closed_period WHERE until >= $5)
            AND NOT EXISTS (SELECT FROM revaluation WHERE currency = $1 AND month = $2)
            AND rate_of_month_end($1, $2) IS NOT NULL
        """

    private static func parameters(_ touch: RevaluationTouch) -> PostgresParameters {
        [touch.currency, touch.month.description, touch.zone.identifier, touch.measuredFrom, touch.endsAt]
    }

    /// Has the database add up what is open at the end of a month, which may take minutes.
    ///
    /// Returns the measurement's id; nil: there is nothing to be revalued.
    static func measure(_ touch: RevaluationTouch) -> PostgresQuery<Int64?> {
        .first("\(insert) RETURNING id", parameters(touch))
    }

    /// Has the database add what was booked since ``RevaluationTouch/measuredFrom``, while no rate can be published.
    static func continued(_ touch: RevaluationTouch) -> PostgresQuery<RevaluationBasis?> {
        .first(
            """
            WITH basis AS (\(insert) RETURNING *)
            SELECT \(columns) FROM basis JOIN rate ON rate.id = basis.rate_id
            """, parameters(touch))
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
    /// Whether a month has a rate at its end, or none is needed, because it is revalued already.
    ///
    /// A month that is not over or is closed counts as one that has: it has its own refusal.
    static func hasRate(_ touch: RevaluationTouch) -> PostgresQuery<Bool> {
        .one(
            """
            SELECT $3 > clock_timestamp() OR rate_of_month_end($1, $2) IS NOT NULL
                OR EXISTS (SELECT FROM closed_period WHERE until >= $3)
                OR EXISTS (SELECT FROM revaluation WHERE currency = $1 AND month = $2)
            """, [touch.currency, touch.month.description, touch.endsAt])
    }
}
