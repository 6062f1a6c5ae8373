package import Postgres

/// SQL for the purchases of each month at a moment.
///
/// An entry counts by its effective time, as in the reports of a month.
enum CohortSQL {
    /// Selects `sold_in`, `purchases`, `sold`, `refunded`, `used`, `expired`, `deferred` and `allocated` by month.
    ///
    /// The state at the moment is the present one, less what moved later: so only the month's successors are read from
    /// the history of lots.
    ///
    /// - Parameters:
    ///   - isKnown: the SQL condition that an entry, whose alias it gets, is effective before the moment.
    ///   - zone: an SQL expression of the time zone's name.
    ///   - bonusPrice: a bonus coin's price, if that of a paid coin is 1,000; nil: bonus coins have no part of the won,
    ///     and are not read.
    ///   - scaled: whether all amounts are of the won that relative prices allocate to paid coins.
    static func cohorts(
        where isKnown: (_ entry: String) -> String, in zone: String, bonusPrice: Int64?, scaled: Bool
    ) -> String {
        func amount(_ won: String) -> String {
            let isScaled = scaled && bonusPrice != nil
            return "sum(\(isScaled ? "div(\(won)::numeric * paid_part, sold)" : won))::bigint AS \(won)"
        }
        // A month is written in letters once, not for each purchase.
        return """
            WITH later AS MATERIALIZED (\(movements(where: "NOT (\(isKnown("mover")))")))
            SELECT to_char(month, 'YYYY-MM') AS sold_in, purchases, sold, refunded,
                sold - refunded - expired - deferred AS used, expired, deferred, allocated
            FROM (
                SELECT date_trunc('month', effective_at AT TIME ZONE \(zone)) AS month, count(*) AS purchases,
                    \(amount("sold")), \(amount("refunded")), \(amount("expired")), \(amount("deferred")),
                    sum(allocated)::bigint AS allocated
                FROM (\(purchases(where: isKnown, bonusPrice: bonusPrice))) AS purchase
                GROUP BY 1
            ) AS cohort
            ORDER BY month
            """
    }

    /// Each purchase at the moment, by its lot of paid coins.
    ///
    /// With a price of bonus coins, it has the won that relative prices allocate to its paid coins (`paid_part`).
    private static func purchases(where isKnown: (_ entry: String) -> String, bonusPrice: Int64?) -> String {
        let sales = """
            SELECT entry.effective_at, paid.purchase_id, paid.coins AS paid_coins,
                paid.remaining + paid.held + coalesce(given.coins, 0) - coalesce(later.coins, 0) AS left_paid,
                paid.amount AS sold, state.deferred,
                state.expired,
                greatest(0, least(
                    coalesce(reversed.amount, 0), paid.amount - state.deferred - state.expired)) AS refunded
            FROM lot AS paid
            JOIN journal_entry AS entry ON entry.id = paid.journal_entry_id AND entry.kind = 'purchase'
                AND \(isKnown("entry"))
            LEFT JOIN later ON later.lot_id = paid.id
            LEFT JOIN (\(given)) AS given ON given.origin_id = paid.id
            LEFT JOIN (\(reversals(where: isKnown("mover")))) AS reversed ON reversed.purchase_id = paid.purchase_id
            CROSS JOIN LATERAL (
                SELECT paid.deferred + coalesce(given.deferred, 0) - coalesce(later.deferred, 0) AS deferred,
                    paid.breakage + coalesce(given.breakage, 0) - coalesce(later.breakage, 0) AS expired
            ) AS state
            WHERE paid.kind = 'paid' AND paid.purchase_id IS NOT NULL
            """
        guard let bonusPrice else { return "SELECT *, deferred AS allocated FROM (\(sales)) AS sale" }
        return """
            SELECT sale.*, part.paid_part, CASE WHEN bonus.coins IS NULL THEN sale.deferred ELSE least(
                div(paid_part * left_paid, paid_coins)
                    + div((sold - paid_part) * (
                        bonus.remaining + bonus.held + coalesce(given.coins, 0) - coalesce(later.coins, 0)), bonus.coins),
                sold - refunded) END AS allocated
            FROM (\(sales)) AS sale
            LEFT JOIN lot AS bonus ON bonus.purchase_id = sale.purchase_id AND bonus.kind = 'bonus'
            LEFT JOIN later ON later.lot_id = bonus.id
            LEFT JOIN (\(given)) AS given ON given.origin_id = bonus.id
            CROSS JOIN LATERAL (
                SELECT sold - CASE WHEN bonus.coins IS NULL THEN 0 ELSE div(
                    sold::numeric * bonus.coins * \(bonusPrice),
                    paid_coins::numeric * 1000 + bonus.coins::numeric * \(bonusPrice)) END AS paid_part
            ) AS part
            """
    }

    /// What lots with given coins have, by the lot that was bought: it is of the same sale.
    private static let given = """
        SELECT origin_id, sum(remaining + held)::bigint AS coins, sum(deferred)::bigint AS deferred,
            sum(breakage)::bigint AS breakage
        FROM lot WHERE origin_id IS NOT NULL GROUP BY origin_id
        """

    /// How lots moved by entries (named `mover`) that meet a condition, with the coins of them that were given away.
    ///
    /// Movements have no index by entry. All are read, but only those are joined that can be of such an entry.
    private static func movements(where condition: String) -> String {
        """
        SELECT lot_id, sum(coins)::bigint AS coins, sum(deferred)::bigint AS deferred, sum(breakage)::bigint AS breakage
        FROM (
            SELECT coalesce(lot.origin_id, lot.id) AS lot_id,
                moved.remaining + moved.held - coalesce(before.remaining + before.held, lot.coins) AS coins,
                moved.deferred - coalesce(before.deferred, lot.amount) AS deferred,
                coalesce(moved.breakage, 0) - coalesce(before.breakage, 0) AS breakage
            FROM lot_movement AS moved
            JOIN journal_entry AS mover ON mover.id = moved.journal_entry_id AND \(condition)
            JOIN lot ON lot.id = moved.lot_id
            LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
            WHERE moved.journal_entry_id >= (SELECT min(id + 0) FROM journal_entry AS mover WHERE \(condition))
            UNION ALL
            SELECT lot.origin_id, lot.coins, lot.amount, 0
            FROM lot
            JOIN journal_entry AS mover ON mover.id = lot.journal_entry_id AND \(condition)
            WHERE lot.origin_id IS NOT NULL
        ) AS change
        GROUP BY lot_id
        """
    }

    /// What entries (named `mover`) that meet a condition gave back of each purchase, with the fees that were kept.
    ///
    /// They are looked up by key: of all entries few give back.
    private static func reversals(where condition: String) -> String {
        """
        SELECT back.purchase_id,
            sum(back.amount + CASE mover.kind WHEN 'refund' THEN refund.fee WHEN 'refund_reversal' THEN -refund.fee
                ELSE 0 END)::bigint AS amount
        FROM purchase_reversal AS back
        CROSS JOIN LATERAL (SELECT * FROM journal_entry WHERE id = back.journal_entry_id OFFSET 0) AS mover
        LEFT JOIN refund ON refund.id = CASE
            WHEN mover.kind IN ('refund', 'refund_reversal') THEN substr(mover.reference, 8)::bigint END
        WHERE \(condition)
        GROUP BY back.purchase_id
        """
    }
}

extension Cohort: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Cohort {
        try row.make(at: &column, Cohort.init)
    }
}
