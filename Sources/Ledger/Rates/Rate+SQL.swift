import CivilTime
import Foundation
package import Postgres

extension Rate {
    private static let columns = """
        id, currency, to_char(day, 'YYYY-MM-DD'), version, value, scale, per, source, set_by, set_at, approved_by,
        published_at
        """

    /// Has those who set or approve rates of the currency take turns, and purchases in it be credited before or after; the seed is
    /// "ledgrate" in ASCII, as in the database's `judge_purchases`.
    static func lock(_ currency: ForeignCurrency) -> PostgresQuery<Int> {
        .affected("SELECT pg_advisory_xact_lock(hashtextextended($1, 7810759524207391845))", [currency])
    }

    /// Keeps rates of the currency from being published until the transaction ends.
    ///
    /// Statements after this one see all that were published.
    static func hold(_ currency: ForeignCurrency) -> PostgresQuery<Int> {
        .affected("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 7810759524207391845))", [currency])
    }

    /// The newest version of a day.
    static func newest(of currency: ForeignCurrency, for day: CivilDate) -> PostgresQuery<Rate?> {
        .first(
            """
            SELECT \(columns) FROM rate WHERE currency = $1 AND day = $2::date ORDER BY version DESC LIMIT 1
            """, [currency, day])
    }

    static func find(
        version: Int64, of currency: ForeignCurrency, for day: CivilDate
    ) -> PostgresQuery<Rate?> {
        .first(
            "SELECT \(columns) FROM rate WHERE currency = $1 AND day = $2::date AND version = $3",
            [currency, day, version])
    }

    /// The rate that holds at a moment: of the rates published by then, the newest version of the last day.
    ///
    /// - Parameter today: the day of the moment. No rate of a later day is published by then, so the search begins there.
    static func holding(of currency: ForeignCurrency, at moment: Date, on today: CivilDate) -> PostgresQuery<Rate?> {
        .first(
            """
            SELECT \(columns) FROM rate WHERE currency = $1 AND day <= $2::date AND published_at <= $3
            ORDER BY day DESC, version DESC LIMIT 1
            """, [currency, today, moment])
    }

    /// The last rate of a currency: the newest version of the last day that has one.
    static func last(of currency: ForeignCurrency) -> PostgresQuery<Rate?> {
        .first("SELECT \(columns) FROM rate WHERE currency = $1 ORDER BY day DESC, version DESC LIMIT 1", [currency])
    }

    /// The rate of a payment that is credited now.
    ///
    /// - Parameter day: of the payment.
    static func ofPayment(in currency: ForeignCurrency, paidAt: Date, on day: CivilDate) -> PostgresQuery<Rate?> {
        .first(
            """
            SELECT \(columns) FROM rate
            WHERE id = (SELECT rate_of_payment($1, $2, clock_timestamp(), $3::date))
            """, [currency, paidAt, day])
    }

    /// The last one of the last seven days of a month.
    static func atEnd(of month: CivilMonth, in currency: ForeignCurrency) -> PostgresQuery<Rate?> {
        .first(
            "SELECT \(columns) FROM rate WHERE id = (SELECT rate_of_month_end($1, $2))", [currency, month.description])
    }

    /// Rates, the last published first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(_ filter: RateFilter, before id: Int64?, limit: Int) -> PostgresQuery<[Rate]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM rate
            WHERE id < $1 AND ($2::text IS NULL OR currency = $2) AND ($3::text IS NULL OR day >= $3::date)
                AND ($4::text IS NULL OR day < $4::date)
            ORDER BY id DESC LIMIT $5
            """,
            [id ?? .max, filter.currency, filter.from, filter.to, Int64(limit + 1)])
    }

    /// Whether two people have to agree on it: the judge of `rate` asks the same.
    static func needsSecondPerson(_ draft: RateDraft) -> PostgresQuery<Bool> {
        .one(
            "SELECT rate_needs_second_person($1, $2::date, $3, $4, $5, clock_timestamp(), $6)",
            [
                draft.currency, draft.day, draft.quotation.value, draft.quotation.scale, draft.quotation.per, Int64.max,
            ])
    }

    /// Publishes the next version of a day.
    static func insert(_ draft: RateDraft, by person: String) -> PostgresQuery<Rate> {
        .one(
            """
            INSERT INTO rate (currency, day, version, value, scale, per, source, set_by)
            SELECT $1, $2::date, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7
            FROM rate WHERE currency = $1 AND day = $2::date
            RETURNING \(columns)
            """,
            [
                draft.currency, draft.day, draft.quotation.value, draft.quotation.scale, draft.quotation.per,
                draft.source, person,
            ])
    }

    /// Publishes what was proposed and is approved by now.
    static func insert(approved proposal: Int64) -> PostgresQuery<Rate> {
        .one(
            """
            INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, set_at, approved_by)
            SELECT currency, day, version, value, scale, per, source, proposed_by, proposed_at, decided_by
            FROM rate_proposal WHERE id = $1
            RETURNING \(columns)
            """, [proposal])
    }
}

extension RateProposal {
    private static let columns = """
        id, currency, to_char(day, 'YYYY-MM-DD'), value, scale, per, source, proposed_by, proposed_at, status, version,
        decided_by, decided_at
        """

    /// The last one of a day.
    static func last(of currency: ForeignCurrency, for day: CivilDate) -> PostgresQuery<RateProposal?> {
        .first(
            "SELECT \(columns) FROM rate_proposal WHERE currency = $1 AND day = $2::date ORDER BY id DESC LIMIT 1",
            [currency, day])
    }

    /// Those that wait for another person, the last proposed first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func waiting(before id: Int64?, limit: Int) -> PostgresQuery<[RateProposal]> {
        PostgresQuery(
            "SELECT \(columns) FROM rate_proposal WHERE status = 'waiting' AND id < $1 ORDER BY id DESC LIMIT $2",
            [id ?? .max, Int64(limit + 1)])
    }

    static func insert(_ draft: RateDraft, by person: String) -> PostgresQuery<RateProposal> {
        .one(
            """
            INSERT INTO rate_proposal (currency, day, value, scale, per, source, proposed_by)
            VALUES ($1, $2::date, $3, $4, $5, $6, $7) RETURNING \(columns)
            """,
            [
                draft.currency, draft.day, draft.quotation.value, draft.quotation.scale, draft.quotation.per,
                draft.source, person,
            ])
    }

    /// Approves a proposal, as the next version of its day.
    static func approve(_ id: Int64, by person: String) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE rate_proposal SET status = 'published', decided_by = $2, decided_at = clock_timestamp(), version = (
                SELECT coalesce(max(rate.version), 0) + 1 FROM rate
                WHERE rate.currency = rate_proposal.currency AND rate.day = rate_proposal.day)
            WHERE id = $1
            """, [id, person])
    }

    static func withdraw(_ id: Int64, by person: String) -> PostgresQuery<RateProposal> {
        .one(
            """
            UPDATE rate_proposal SET status = 'withdrawn', decided_by = $2, decided_at = clock_timestamp()
            WHERE id = $1 RETURNING \(columns)
            """, [id, person])
    }
}

// MARK: - Columns

extension Rate: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Rate {
        try row.make(at: &column, Rate.init)
    }
}

extension RateProposal: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> RateProposal {
        try row.make(at: &column, RateProposal.init)
    }
}

extension Quotation: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Quotation {
        let first = column
        let read = try row.make(at: &column) { (value: Int64, scale: Int64, per: Int64) in
            Quotation(value: value, scale: scale, per: per)
        }
        guard let read else { throw UnreadableColumn(column: first, type: "Quotation") }
        return read
    }
}

extension ForeignCurrency: PostgresRepresentable {
    package var representation: String { code }

    package static func represented(by text: String) -> ForeignCurrency? { try? ForeignCurrency(text) }
}

extension RateProposal.Status: PostgresRawRepresentable {}
