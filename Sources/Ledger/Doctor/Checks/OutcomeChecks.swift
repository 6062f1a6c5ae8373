extension Doctor.Check {
    /// The outcomes that repeated requests get are in the books, and the books have no act without its outcome.
    static let outcomes: [Doctor.Check] = [
        Doctor.Check(
            "outcome_without_entry", proves: "each recorded outcome's journal entry exists",
            sql: """
                SELECT 'entry:' || recorded.journal_entry_id AS subject,
                    'does not exist; a recorded ' || recorded.command || ' of ' || recorded.recorded_at || ' names it'
                    AS detail
                FROM idempotency AS recorded
                LEFT JOIN journal_entry AS entry ON entry.id = recorded.journal_entry_id
                WHERE recorded.journal_entry_id IS NOT NULL AND entry.id IS NULL
                """),
        Doctor.Check(
            "entry_without_outcome",
            proves:
                "each entry of an act with an idempotency key has its recorded outcome, so that a retry is not done again",
            sql: """
                SELECT 'entry:' || done.entry_id AS subject,
                    'is of a ' || done.command || ' without a recorded outcome: its retry would be done again' AS detail
                FROM (\(done)) AS done
                LEFT JOIN (\(remembered)) AS remembered
                    ON remembered.command = done.command AND remembered.id = done.id
                WHERE remembered.id IS NULL
                """),
        Doctor.Check(
            "outcome_misfits_entry",
            proves: "each recorded outcome of an entry is of its act, and names the entry itself",
            sql: """
                SELECT 'entry:' || entry.id AS subject,
                    'is a ' || entry.kind || '; its recorded outcome is of a ' || recorded.command || ' and names entry '
                        || coalesce(named.entry_id, 'none') AS detail
                FROM idempotency AS recorded
                JOIN journal_entry AS entry ON entry.id = recorded.journal_entry_id
                CROSS JOIN LATERAL (
                    SELECT coalesce(
                        jsonb_path_query_first(recorded.outcome, '$.*._0.journalEntryID'),
                        jsonb_path_query_first(recorded.outcome, '$.*._0.hold.journalEntryID'),
                        jsonb_path_query_first(recorded.outcome, '$.*._0.refund.journalEntryID'))::text AS entry_id
                ) AS named
                WHERE named.entry_id IS DISTINCT FROM entry.id::text OR NOT CASE recorded.command
                    WHEN 'reversal' THEN entry.kind IN ('spend_reversal', 'capture_reversal')
                    WHEN 'refund' THEN entry.kind IN ('refund_hold', 'refund')
                    WHEN 'revaluation' THEN entry.kind = 'adjustment'
                    WHEN 'gift' THEN entry.kind = 'gift_sent'
                    WHEN 'refund_repayment' THEN entry.kind = 'refund_reversal'
                    WHEN 'decideDispute' THEN entry.kind = CASE recorded.outcome #>> '{disputeDecided,_0,dispute,status}'
                        WHEN 'won' THEN 'claw_back_reversal' ELSE 'claw_back' END
                    ELSE entry.kind = recorded.command END
                """),
        Doctor.Check(
            "outcome_lots_differ",
            proves:
                "what an outcome or a refund by bank transfer tells of the lots that it used is what it took of them",
            sql: """
                SELECT 'entry:' || told.entry_id AS subject,
                    'tells of ' || coalesce(told.coins || ' coins for ' || told.won || ' won of lot ' || told.lot_id,
                        'no lots') || '; took '
                        || coalesce(moved.coins, 0) || ' for ' || coalesce(moved.won, 0) AS detail
                FROM (
                    SELECT *, sum(coins) OVER (PARTITION BY entry_id) AS all_coins
                    FROM (
                        SELECT source.entry_id, \(number("lotID", in: "use")) AS lot_id,
                            sum(\(number("coins", in: "use"))) AS coins, sum(\(number("amount", in: "use"))) AS won
                        FROM (
                            SELECT journal_entry_id AS entry_id,
                                coalesce(outcome #> '{spent,_0,lots}', outcome #> '{holdCaptured,_0,lots}') AS lots
                            FROM idempotency
                            WHERE command IN ('spend', 'capture') AND journal_entry_id IS NOT NULL
                            UNION ALL
                            SELECT journal_entry_id, taken FROM refund
                        ) AS source
                        LEFT JOIN LATERAL jsonb_array_elements(
                            CASE jsonb_typeof(source.lots) WHEN 'array' THEN source.lots END) AS use ON true
                        WHERE source.lots IS NOT NULL
                        GROUP BY source.entry_id, lot_id
                    ) AS one
                ) AS told
                LEFT JOIN (
                    SELECT *, sum(coins) OVER (PARTITION BY entry_id) AS all_coins
                    FROM (
                        SELECT moved.journal_entry_id AS entry_id, moved.lot_id,
                            lag(moved.remaining::numeric + moved.held, 1, lot.coins) OVER earlier
                                - moved.remaining - moved.held AS coins,
                            lag(moved.deferred::numeric, 1, lot.amount) OVER earlier - moved.deferred AS won
                        FROM lot_movement AS moved
                        JOIN lot ON lot.id = moved.lot_id
                        WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
                    ) AS line
                ) AS moved ON moved.entry_id = told.entry_id AND moved.lot_id = told.lot_id
                WHERE told.lot_id IS NULL
                    OR (told.coins, told.won, told.all_coins) IS DISTINCT FROM (moved.coins, moved.won, moved.all_coins)
                """),
    ]

    /// What was done under a key: the command, its id in the outcome, and an entry of it.
    ///
    /// Outcomes are never deleted, so each must be there. A claw-back, an expiry, or the end of a refund at the gateway has
    /// no key, and so has a purchase: what they are of, such as a payment, is done once.
    private static let done = """
        SELECT CASE
                WHEN entry.kind IN ('spend_reversal', 'capture_reversal') THEN 'reversal'
                WHEN entry.kind IN ('refund_hold', 'refund') THEN 'refund'
                WHEN entry.kind = 'gift_sent' THEN 'gift'
                WHEN entry.reference LIKE 'revaluation:%' THEN 'revaluation'
                WHEN entry.kind = 'refund_reversal' AND decision.repaid_at IS NOT NULL THEN 'refund_repayment'
                ELSE entry.kind END AS command,
            entry.id, entry.id AS entry_id
        FROM journal_entry AS entry
        LEFT JOIN refund_decision AS decision ON decision.journal_entry_id = entry.id
        WHERE entry.kind IN (
                'spend', 'spend_reversal', 'capture_reversal', 'hold', 'capture', 'refund_hold', 'refund_payment',
                'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'provider_repayment', 'gift_sent')
            -- A revaluation has two entries, of which its outcome names the first.
            OR entry.kind = 'adjustment'
                AND NOT EXISTS (SELECT FROM revaluation WHERE reversal_entry_id = entry.id)
            -- A campaign gives once to a user, without a key.
            OR entry.kind = 'grant' AND entry.id NOT IN (SELECT journal_entry_id FROM campaign_grant)
            OR entry.kind = 'refund' AND entry.id IN (SELECT journal_entry_id FROM refund)
            OR entry.kind = 'merge' AND entry.id IN (SELECT received_entry_id FROM user_merge)
            -- What comes back into a voided lot is voided by the act that returns it.
            OR entry.kind = 'grant_void'
                AND entry.id IN (SELECT journal_entry_id FROM grant_void WHERE reversal_id IS NULL)
        UNION ALL
        SELECT 'decideDispute', dispute_id, coalesce(journal_entry_id, dispute_id) FROM dispute_decision
        WHERE decided_by IS NOT NULL
        UNION ALL
        SELECT 'void', hold_id, journal_entry_id FROM hold_event WHERE status = 'voided'
        UNION ALL
        SELECT 'payout', payout_id, journal_entry_id FROM payout_entry
        """

    /// What the recorded outcomes are of: the entry, or what the outcome names.
    private static let remembered = """
        SELECT DISTINCT command, CASE command
            WHEN 'decideDispute' THEN \(number("disputeDecided._0.dispute.id", in: "outcome"))
            WHEN 'void' THEN \(number("holdVoided._0.hold.id", in: "outcome"))
            WHEN 'payout' THEN \(number("payoutPaid._0.payoutID", in: "outcome"))
            ELSE journal_entry_id END AS id
        FROM idempotency
        """

    /// A number in JSON, as SQL; NULL: it is not there, or no number, which must not stop the examination.
    static func number(_ path: StaticString, in json: StaticString) -> String {
        "jsonb_path_query_first(\(json), '$.\(path) ? (@.type() == \"number\")')::numeric"
    }
}
