/// What was left of lots at a moment, of a table named `lot`.
enum LotSQL {
    /// Joins each lot with what was left of it, as `state`: its last movement by then, or else all of it.
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
}
