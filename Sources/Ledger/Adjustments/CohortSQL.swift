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
    ///   - bonusPrice: an SQL expression of a bonus coin's price, if that of a paid coin is 1,000; 0: bonus coins have no
    ///     part of the won.
    ///   - scaled: whether all amounts are of the won that relative prices allocate to paid coins.
    static func cohorts(
        where isKnown: (_ entry: String) -> String, in zone: String, bonusPrice: String, scaled: Bool
    ) -> String {
        func amount(_ won: String) -> String {
            "sum(\(scaled ? "div(\(won)::numeric * paid_part, sold)" : won))::bigint"
        }
        return """
            WITH later AS MATERIALIZED (\(movements(where: "NOT (\(isKnown("mover")))")))
            SELECT sold_in, purchases, sold, refunded, sold - refunded - expired - deferred AS used, expired, deferred,
                allocated
            FROM (
                SELECT to_char(effective_at AT TIME ZONE \(zone), 'YYYY-MM') AS sold_in, count(*) AS purchases,
                    \(amount("sold")) AS sold, \(amount("refunded")) AS refunded, \(amount("expired")) AS expired,
                    \(amount("deferred")) AS deferred,
                    sum(CASE WHEN bonus_coins = 0 THEN deferred ELSE least(
                        div(paid_part * left_paid, paid_coins) + div((sold - paid_part) * left_bonus, bonus_coins),
                        sold - refunded) END)::bigint AS allocated
                FROM (\(purchases(where: isKnown, bonusPrice: bonusPrice))) AS purchase
                GROUP BY 1
            ) AS cohort
            ORDER BY sold_in
            """
    }

    /// Each purchase with its lots at the moment, and the won that relative prices allocate to its paid coins.
    private static func purchases(where isKnown: (_ entry: String) -> String, bonusPrice: String) -> String {
        """
        SELECT entry.effective_at, paid.coins AS paid_coins, coalesce(bonus.coins, 0) AS bonus_coins, paid.amount AS sold,
            paid.amount - CASE WHEN bonus.coins IS NULL THEN 0 ELSE div(
                paid.amount::numeric * bonus.coins * \(bonusPrice),
                paid.coins::numeric * 1000 + bonus.coins::numeric * \(bonusPrice)) END AS paid_part,
            paid.remaining + paid.held - coalesce(paid_later.coins, 0) AS left_paid,
            bonus.remaining + bonus.held - coalesce(bonus_later.coins, 0) AS left_bonus,
            state.deferred, state.expired,
            greatest(0, least(
                coalesce(reversed.amount, 0), paid.amount - state.deferred - state.expired)) AS refunded
        FROM purchase
        JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id AND \(isKnown("entry"))
        JOIN lot AS paid ON paid.purchase_id = purchase.id AND paid.kind = 'paid'
        LEFT JOIN lot AS bonus ON bonus.purchase_id = purchase.id AND bonus.kind = 'bonus'
        LEFT JOIN later AS paid_later ON paid_later.lot_id = paid.id
        LEFT JOIN later AS bonus_later ON bonus_later.lot_id = bonus.id
        LEFT JOIN (\(reversals(where: isKnown("mover")))) AS reversed ON reversed.purchase_id = purchase.id
        CROSS JOIN LATERAL (
            SELECT paid.deferred - coalesce(paid_later.deferred, 0) AS deferred,
                paid.breakage - coalesce(paid_later.breakage, 0) AS expired
        ) AS state
        """
    }

    /// How lots moved by entries (named `mover`) that meet a condition.
    private static func movements(where condition: String) -> String {
        """
        SELECT moved.lot_id,
            sum(moved.remaining + moved.held - coalesce(before.remaining + before.held, lot.coins))::bigint AS coins,
            sum(moved.deferred - coalesce(before.deferred, lot.amount))::bigint AS deferred,
            sum(coalesce(moved.breakage, 0) - coalesce(before.breakage, 0))::bigint AS breakage
        FROM lot_movement AS moved
        JOIN journal_entry AS mover ON mover.id = moved.journal_entry_id AND \(condition)
        JOIN lot ON lot.id = moved.lot_id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
        GROUP BY moved.lot_id
        """
    }

    /// What entries (named `mover`) that meet a condition gave back of each purchase, with the fees that were kept.
    private static func reversals(where condition: String) -> String {
        """
        SELECT back.purchase_id,
            sum(back.amount + CASE mover.kind WHEN 'refund' THEN refund.fee WHEN 'refund_reversal' THEN -refund.fee
                ELSE 0 END)::bigint AS amount
        FROM purchase_reversal AS back
        JOIN journal_entry AS mover ON mover.id = back.journal_entry_id AND \(condition)
        LEFT JOIN refund ON refund.id = CASE
            WHEN mover.kind IN ('refund', 'refund_reversal') THEN substr(mover.reference, 8)::bigint END
        GROUP BY back.purchase_id
        """
    }
}

extension Cohort: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Cohort {
        try row.make(at: &column, Cohort.init)
    }
}
