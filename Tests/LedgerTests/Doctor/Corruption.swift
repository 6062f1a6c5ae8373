import LedgerTestSupport
import Postgres
import Testing

/// Something wrong with the books that nobody could write in the ordinary way: planted as superuser, triggers off.
struct Corruption: Sendable {
    /// The check that must find it.
    let code: String
    let sql: String
    /// The constraint that refuses it of new rows, as `ALTER TABLE` names it; old rows can be so.
    let lifting: (table: String, constraint: String)?

    init(_ code: String, _ sql: String, lifting: (table: String, constraint: String)? = nil) {
        self.code = code
        self.sql = sql
        self.lifting = lifting
    }

    /// Plants it in the connection's transaction.
    func plant(on connection: PostgresConnection) async throws {
        if let lifting {
            try await connection.execute("ALTER TABLE \(lifting.table) DROP CONSTRAINT \(lifting.constraint)")
        }
        try await connection.execute("SET LOCAL session_replication_role = replica")
        let rows = try await connection.run(PostgresQuery<Int>.affected(sql))
        try #require(rows > 0, "nothing was planted: \(sql)")
        try await connection.execute("SET LOCAL session_replication_role = origin")
    }

    /// Plants it to stay.
    func plant(in test: TestLedger) async throws {
        let connection = try await test.database.connect()
        try await connection.execute("BEGIN")
        try await plant(on: connection)
        try await connection.execute("COMMIT")
        await connection.close()
    }

    static let all: [Corruption] =
        journal + facts + accounts + lots + holds + purchases + settlements + vat + refunds + disputes + reversals
        + providers + providerTerms + adjustments + outcomes + records + events + endpoints + custody + rates + foreign
        + findings + others

    private static let custody = [
        Corruption("custody_finding_without_balance", "INSERT INTO finding (kinds) VALUES ('{custody_short}')"),
        Corruption(
            "custody_balance_out_of_order",
            """
            INSERT INTO custody_balance (key, custodian, method, balance, held_at, entered_by, entered_at)
            VALUES ('a', 'bank', 'trust', 1, '2026-01-01Z', 'kim', '2026-01-03Z'),
                ('b', 'bank', 'trust', 1, '2026-01-01Z', 'kim', '2026-01-02Z')
            """),
    ]

    private static let journal = [
        Corruption("trial_balance_differs", "UPDATE account SET debits = debits + 1 WHERE code = 'bank/0'"),
        Corruption(
            "entry_unbalanced",
            """
            UPDATE posting SET amount = amount + 1
            WHERE journal_entry_id = \(entry("grant")) AND side = 'D'
            """),
        Corruption(
            "entry_out_of_order",
            "UPDATE journal_entry SET transaction_id = '18446744073709551615' WHERE id = \(entry("spend"))"),
        Corruption("entry_without_postings", "DELETE FROM posting WHERE journal_entry_id = \(entry("spend"))"),
        Corruption("posting_misfits_entry", "DELETE FROM journal_entry WHERE id = \(entry("hold"))"),
        Corruption(
            "entry_in_closed_period",
            """
            UPDATE journal_entry SET effective_at = late_for, late_for = NULL WHERE late_for IS NOT NULL
            """),
        Corruption("reversal_misfits", "UPDATE journal_entry SET reverses = 5 WHERE kind = 'claw_back'"),
    ]

    private static let facts = [
        Corruption("entry_misfits_facts", "UPDATE journal_entry SET kind = 'grant' WHERE kind = 'spend'"),
        Corruption("entry_misfits_facts", "UPDATE journal_entry SET kind = 'debt_payment' WHERE kind = 'expiry'"),
        Corruption("entry_misfits_facts", "UPDATE journal_entry SET reference = 'lot:5' WHERE kind = 'grant'"),
        Corruption("entry_misfits_facts", "DELETE FROM lot WHERE kind = 'bonus' AND purchase_id IS NULL"),
        Corruption(
            "effective_time_differs", "UPDATE purchase SET paid_at = paid_at - interval '1 day' WHERE user_id = 'ann'"),
        Corruption(
            "effective_time_differs",
            """
            UPDATE journal_entry SET effective_at = effective_at - interval '1 hour' WHERE kind = 'capture'
            """),
        Corruption(
            "effective_time_differs", "UPDATE journal_entry SET effective_at = now() WHERE late_for IS NOT NULL"),
        Corruption("recorded_time_differs", "UPDATE lot SET acquired_at = acquired_at - interval '1 day'"),
        Corruption("currency_differs", "UPDATE lot SET currency = 'USD' WHERE id = \(lot("ann"))"),
    ]

    private static let accounts = [
        Corruption(
            "account_day_differs",
            "INSERT INTO account_day VALUES ('Asia/Seoul', 'bank', 'KRW', '2026-01-01', 1, 0)"),
        Corruption(
            "account_totals_differ",
            "UPDATE account SET debits = debits + 1, credits = credits + 1 WHERE code = 'wallet:ann:paid'"),
        Corruption("account_sequence_gap", "UPDATE account SET seq = seq + 1 WHERE code = 'wallet:ann:bonus'"),
        Corruption(
            "running_balance_differs",
            """
            UPDATE posting SET balance = balance + 1
            WHERE account_id = (SELECT id FROM account WHERE code = 'wallet:ann:paid') AND seq = 2
            """),
        Corruption(
            "recorded_time_falls",
            "UPDATE journal_entry SET recorded_at = recorded_at - interval '1 day' WHERE kind = 'void'"),
        Corruption(
            "account_time_differs",
            "UPDATE account SET posted_at = posted_at + interval '1 second' WHERE code = 'wallet:ann:paid'"),
        Corruption(
            "posting_misfits_account",
            """
            UPDATE posting SET account_id = 77777777
            WHERE account_id = (SELECT id FROM account WHERE code = 'debt:bob') AND seq = 1
            """),
        Corruption("account_misfits_code", "UPDATE account SET currency = 'USD' WHERE code = 'bank/0'"),
        Corruption("system_account_missing", "DELETE FROM account WHERE code = 'bank/2'"),
    ]

    private static let outcomes = [
        Corruption(
            "outcome_without_entry",
            "UPDATE idempotency SET journal_entry_id = 5 WHERE journal_entry_id IS NOT NULL AND key = 'spend-1'"),
        Corruption("entry_without_outcome", "DELETE FROM idempotency WHERE key = 'spend-1'"),
        Corruption("entry_without_outcome", "DELETE FROM idempotency WHERE command = 'void'"),
        Corruption("entry_without_outcome", "DELETE FROM idempotency WHERE command = 'payout'"),
        Corruption("entry_without_outcome", "DELETE FROM idempotency WHERE command = 'decideDispute'"),
        Corruption("entry_without_outcome", "DELETE FROM idempotency WHERE command = 'refund_repayment'"),
        Corruption("outcome_misfits_entry", "UPDATE idempotency SET command = 'grant' WHERE key = 'spend-1'"),
        Corruption(
            "outcome_misfits_entry",
            "UPDATE idempotency SET outcome = jsonb_set(outcome, '{spent,_0,journalEntryID}', '5') WHERE key = 'spend-1'"
        ),
        Corruption(
            "outcome_lots_differ",
            "UPDATE idempotency SET outcome = jsonb_set(outcome, '{spent,_0,lots,0,amount}', '1') WHERE key = 'spend-1'"
        ),
        Corruption("outcome_lots_differ", "UPDATE refund SET taken = '[]' WHERE taken IS NOT NULL"),
    ]

    private static let records = [
        Corruption("record_differs_from_event", "UPDATE closed_period SET until = until - interval '1 day'"),
        Corruption("record_differs_from_event", "UPDATE dispute SET opened_at = opened_at + interval '1 s'"),
        Corruption("record_differs_from_event", "UPDATE payout_decision SET paid_at = now() WHERE decision = 'paid'"),
        Corruption("record_lost", "DELETE FROM closed_period"),
        Corruption(
            "dispute_decided_otherwise",
            "UPDATE dispute SET decided_at = decided_at + interval '1 s' WHERE status = 'won'"),
        Corruption(
            "policy_starts_otherwise", "UPDATE accounting_policy SET starts_at = starts_at - interval '1 day'",
            lifting: ("accounting_policy", "accounting_policy_starts_with_month")),
        Corruption(
            "grants_counted_differ", "INSERT INTO grant_day (caller, day, coins) VALUES ('shop', '2026-01-31', 5)"),
        Corruption(
            "grant_differs_from_request", "UPDATE lot SET issuer = 'eve' WHERE kind = 'bonus' AND purchase_id IS NULL"),
        Corruption(
            "grant_differs_from_request",
            "UPDATE lot SET expires_at = now() + interval '1 day' WHERE kind = 'bonus' AND purchase_id IS NULL"),
    ]

    private static let others = [
        Corruption(
            "forgotten_user_unknown",
            "UPDATE lot SET user_id = 'forgotten-' || repeat('0', 32) WHERE id = (SELECT min(id) FROM lot)"),
        Corruption(
            "forgotten_id_is_left",
            """
            UPDATE account SET owner = 'forgotten-' || repeat('0', 32), code = 'wallet:forgotten-' || repeat('0', 32) || ':paid'
            WHERE code = 'wallet:ann:paid'
            """),
        Corruption(
            "erased_of_nobody",
            "INSERT INTO entry_salt (entry_id, salt, reason) SELECT -1, NULL, sha256('x')"),
        Corruption(
            "erased_of_nobody",
            """
            INSERT INTO account_salt (account_id, salt, code) SELECT id, NULL, sha256('x') FROM account
            WHERE code = 'wallet:ann:paid' ON CONFLICT (account_id) DO UPDATE SET salt = NULL, code = excluded.code
            """),
        Corruption("chain_overdue", "UPDATE journal_entry SET recorded_at = recorded_at - interval '1 day'"),
        Corruption(
            "refund_overdue", "UPDATE refund SET requested_at = now() - interval '2 days' WHERE status = 'pending'"),
        Corruption("debt_of_another_act", "UPDATE journal_entry SET kind = 'grant' WHERE kind = 'debt_payment'"),
        Corruption("debt_of_another_act", "UPDATE journal_entry SET kind = 'grant' WHERE kind = 'debt_write_off'"),
        Corruption(
            "debt_reduction_misfits_entry", "UPDATE debt_bank_payment SET amount = amount + 1"),
        Corruption("debt_reduction_misfits_entry", "DELETE FROM debt_bank_payment"),
        Corruption(
            "debt_reduction_misfits_entry",
            """
            UPDATE posting SET seq = seq + 1000,
                account_id = (SELECT id FROM account WHERE code LIKE 'coins:redeemed/%' LIMIT 1)
            WHERE journal_entry_id = \(entry("debt_write_off")) AND side = 'D'
            """),
        Corruption(
            "write_off_reversal_exceeds_write_off",
            "UPDATE journal_entry SET kind = 'debt_write_off_reversal' WHERE kind = 'debt_write_off'"),
        Corruption(
            "write_off_reversal_exceeds_debt",
            """
            UPDATE journal_entry SET kind = 'debt_write_off_reversal', reference = 'purchase:1'
            WHERE kind = 'debt_write_off'
            """),
        Corruption("campaign_grant_differs", "UPDATE campaign_grant SET user_id = 'eve' WHERE user_id = 'cam-1'"),
        Corruption("campaign_grant_differs", "UPDATE lot SET issuer = 'autumn' WHERE issuer = 'spring'"),
        Corruption("campaign_sum_differs", "UPDATE campaign_sum SET remaining = remaining - 1 WHERE remaining > 0"),
        Corruption("campaign_sum_differs", "DELETE FROM campaign_sum"),
        Corruption("campaign_users_differ", "UPDATE campaign SET reserved = reserved - 1"),
        Corruption("grant_void_differs", "UPDATE grant_void SET coins = coins + 1"),
        Corruption("grant_void_differs", "UPDATE journal_entry SET reverses = NULL WHERE kind = 'grant_void'"),
        Corruption("voided_lot_differs", "UPDATE lot SET is_voided = NOT is_voided WHERE user_id = 'max'"),
        Corruption("return_not_voided", "UPDATE grant_void SET reversal_id = NULL"),
        Corruption(
            "clearing_not_zero",
            """
            UPDATE posting SET amount = amount + 1
            WHERE journal_entry_id = \(entry("gift_sent"))
                AND account_id IN (SELECT id FROM account WHERE code LIKE 'clearing:coins/%')
            """),
        Corruption("gift_misfits_entries", "UPDATE gift SET coins = coins + 1 WHERE purchase_id IS NULL"),
        Corruption("gift_misfits_lots", "UPDATE gift_lot SET amount = amount + 1"),
        Corruption("given_lot_differs", "UPDATE lot SET origin_purchase_id = NULL WHERE origin_id IS NOT NULL"),
        Corruption("user_merge_misfits_entries", "UPDATE user_merge SET coins = coins + 1"),
        Corruption("user_merge_misfits_entries", "UPDATE user_merge SET reason = reason || '?'"),
        Corruption("user_alias_misfits_merges", "UPDATE user_alias SET user_id = 'ann'"),
        Corruption("user_alias_misfits_merges", "DELETE FROM user_alias"),
        Corruption(
            "former_user_has_something", "UPDATE hold SET user_id = 'former-1' WHERE user_id = 'renamed-2'"),
        Corruption("debt_beside_usable_coins", "UPDATE lot SET remaining = 1 WHERE user_id = 'bob' AND kind = 'paid'"),
        Corruption("hold_overdue", "UPDATE hold SET expires_at = now() - interval '1 day' WHERE status = 'open'"),
        Corruption("lot_overdue", "UPDATE lot SET expires_at = now() - interval '1 day' WHERE id = \(lot("ann"))"),
    ]

    /// The first entry of a kind.
    static func entry(_ kind: String) -> String {
        "(SELECT min(id) FROM journal_entry WHERE kind = '\(kind)')"
    }

    /// The lot of what a user bought.
    static func lot(_ user: String) -> String {
        "(SELECT min(id) FROM lot WHERE user_id = '\(user)' AND kind = 'paid' AND remaining > 0)"
    }
}
