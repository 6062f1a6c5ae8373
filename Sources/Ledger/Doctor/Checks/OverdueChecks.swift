extension Doctor.Check {
    /// Work that the background services should have done by now.
    ///
    /// A busy or restarted service is not a deviation, so each check allows some time.
    static let overdue: [Doctor.Check] = [
        Doctor.Check(
            "hold_overdue", proves: "no hold is open 15 minutes after its expiry",
            sql: """
                SELECT 'hold:' || id AS subject, 'should have expired at ' || expires_at AS detail
                FROM hold
                WHERE status = 'open' AND expires_at < now() - interval '15 minutes'
                """),
        Doctor.Check(
            "lot_overdue", proves: "no lot has coins in the wallet 15 minutes after its expiry",
            sql: """
                SELECT 'lot:' || id AS subject, 'should have expired at ' || expires_at AS detail
                FROM lot
                WHERE remaining > 0 AND expires_at < now() - interval '15 minutes'
                """),
        Doctor.Check(
            "chain_overdue", proves: "no entry has waited for the chain for 15 minutes",
            sql: """
                SELECT 'entry:' || entry.id AS subject, 'recorded at ' || entry.recorded_at AS detail
                FROM journal_entry AS entry
                WHERE \(Chain.notLinked) AND entry.recorded_at < now() - interval '15 minutes'
                """),
        Doctor.Check(
            "refund_overdue", proves: "no refund has been pending for a day",
            sql: """
                SELECT 'refund:' || id AS subject, 'requested at ' || requested_at || ', waits for ' || reason AS detail
                FROM refund
                WHERE status = 'pending' AND requested_at < now() - interval '1 day'
                """),
        findingsOverdue,
    ]
}
