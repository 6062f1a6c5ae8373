/// SQL for the state of lots at a moment, of a table named `lot`.
enum LotSQL {
    /// Joins each lot's state at a moment as `state`: its last movement by then, or its first state.
    static func state(at moment: Moment?) -> String {
        guard let moment else {
            return "CROSS JOIN LATERAL (SELECT lot.remaining, lot.held, lot.deferred) AS state"
        }
        return """
            LEFT JOIN LATERAL (
                SELECT remaining, held, deferred FROM lot_movement
                WHERE lot_id = lot.id AND recorded_at <= \(moment.sqlLiteral)
                ORDER BY seq DESC LIMIT 1
            ) AS moved ON true
            CROSS JOIN LATERAL (
                SELECT coalesce(moved.remaining, lot.coins) AS remaining, coalesce(moved.held, 0) AS held,
                    coalesce(moved.deferred, lot.amount) AS deferred
            ) AS state
            """
    }

    /// When each lot expires, without extensions by reversals whose entries (named `mover`) do not meet a condition.
    static func expiry(by condition: String?) -> String {
        guard let condition else { return "lot.expires_at" }
        return """
            coalesce((
                SELECT min(back.expired_at)
                FROM coin_return AS back JOIN journal_entry AS mover ON mover.id = back.journal_entry_id
                WHERE back.lot_id = lot.id AND NOT (\(condition))
            ), lot.expires_at)
            """
    }

    /// Joins each lot's state as `state`, from the movements whose entries (named `mover`) meet a condition.
    ///
    /// Entries are not effective in the order in which they are recorded, so the state is the sum of these movements'
    /// changes.
    static func state(by condition: String) -> String {
        """
        CROSS JOIN LATERAL (
            SELECT lot.coins + coalesce(sum(change.remaining), 0)::bigint AS remaining,
                coalesce(sum(change.held), 0)::bigint AS held,
                lot.amount + coalesce(sum(change.deferred), 0)::bigint AS deferred
            FROM (
                SELECT journal_entry_id, remaining - lag(remaining, 1, lot.coins) OVER by_seq AS remaining,
                    held - lag(held, 1, 0::bigint) OVER by_seq AS held,
                    deferred - lag(deferred, 1, lot.amount) OVER by_seq AS deferred
                FROM lot_movement
                WHERE lot_id = lot.id
                WINDOW by_seq AS (ORDER BY seq)
            ) AS change
            JOIN journal_entry AS mover ON mover.id = change.journal_entry_id
            WHERE \(condition)
        ) AS state
        """
    }
}
