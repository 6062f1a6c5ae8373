extension VATRule {
    /// The movements of the lots with a rule (`lot`, `moved`), each with what the lot had recognised before it (`before`).
    static let movements = """
        FROM lot
        JOIN lot_movement AS moved ON moved.lot_id = lot.id
        LEFT JOIN lot_movement AS earlier ON earlier.lot_id = moved.lot_id AND earlier.seq = moved.seq - 1
        CROSS JOIN LATERAL (
            SELECT coalesce(earlier.taxed, 0) AS taxed, coalesce(earlier.deferred, lot.amount) AS deferred,
                coalesce(earlier.taxed_breakage, 0) AS taxed_breakage
        ) AS before
        WHERE lot.vat IS NOT NULL
        """
}
