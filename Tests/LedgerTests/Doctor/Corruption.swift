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
        + providers + providerTerms + adjustments + outcomes + records + events + endpoints + custody + others

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

    private static let lots = [
        Corruption("lot_misfits_entry", "UPDATE lot SET purchase_id = 5 WHERE id = \(lot("ann"))"),
        Corruption("lot_movement_gap", "DELETE FROM lot_movement WHERE lot_id = \(lot("ann")) AND seq = 1"),
        Corruption("lot_state_differs", "UPDATE lot SET remaining = remaining - 1 WHERE id = \(lot("ann"))"),
        Corruption("lot_state_differs", "UPDATE lot SET returned_at = now() WHERE returned_at IS NULL"),
        Corruption("lot_expiry_misfits_entry", "UPDATE lot_movement SET expired = expired - 1 WHERE expired > 0"),
        Corruption(
            "lot_expiry_misfits_entry",
            "UPDATE lot_movement SET breakage = breakage - 1 WHERE breakage > taxed_breakage"),
        Corruption(
            "lot_expiry_misfits_entry", "UPDATE lot_movement SET returned_at = recorded_at WHERE returned_at IS NULL"),
        Corruption(
            "lot_expiry_misfits_entry",
            """
            UPDATE posting SET side = CASE side WHEN 'D' THEN 'C' ELSE 'D' END
            WHERE journal_entry_id = \(entry("expiry"))
            """),
        Corruption(
            "lot_extension_differs",
            """
            UPDATE coin_return SET expired_at = now() - interval '2 days', expires_at = now() - interval '1 day'
            """),
        Corruption(
            "lot_movement_misfits",
            "UPDATE lot_movement SET remaining = 0 WHERE lot_id = \(lot("ann")) AND seq = 1"),
        Corruption("wallet_differs_from_lots", "UPDATE lot SET user_id = 'eve' WHERE id = \(lot("ann"))"),
        Corruption(
            "held_differs_from_lots", "UPDATE lot SET held = held + 1, coins = coins + 1 WHERE id = \(lot("ann"))"),
        Corruption("deferred_revenue_differs", "UPDATE lot SET deferred = deferred - 1 WHERE id = \(lot("ann"))"),
        Corruption("expired_coins_differ", "UPDATE lot SET expired = expired - 1 WHERE expired > 0"),
        Corruption("breakage_differs", "UPDATE lot SET breakage = breakage - 1 WHERE breakage > taxed_breakage"),
        Corruption(
            "entry_differs_from_lots",
            """
            UPDATE lot_movement SET remaining = remaining - 1, held = held + 1
            WHERE lot_id = \(lot("ann")) AND seq = 2
            """),
    ]

    private static let holds = [
        Corruption("hold_differs_from_its_lots", "UPDATE hold_lot SET held = held - 1 WHERE held > 0"),
        Corruption("lot_held_differs", "UPDATE hold_lot SET lot_id = 5 WHERE held > 0"),
        Corruption(
            "hold_differs_from_entries",
            """
            UPDATE hold SET captured = captured + 1, released = released - 1 WHERE status = 'captured' AND released > 0
            """),
        Corruption("hold_misfits_entry", "UPDATE hold SET expires_at = expires_at + interval '1 hour'"),
        Corruption("hold_misfits_entry", "UPDATE hold SET user_id = 'eve'"),
        Corruption("hold_differs_from_events", "UPDATE hold SET status = 'expired' WHERE status = 'voided'"),
        Corruption("hold_differs_from_events", "UPDATE hold SET closed_at = closed_at + interval '1 s'"),
        Corruption("hold_differs_from_events", "UPDATE hold_event SET status = 'open'"),
        Corruption("hold_event_misfits_entry", "UPDATE hold_event SET captured = captured + 1 WHERE captured > 0"),
        Corruption("hold_event_misfits_entry", "UPDATE hold_event SET released = released - 1 WHERE released > 1"),
        Corruption("hold_event_misfits_entry", "DELETE FROM hold_event WHERE status = 'voided'"),
    ]

    private static let purchases = [
        Corruption("purchase_misfits_entry", "UPDATE purchase SET amount = amount + 1 WHERE user_id = 'ann'"),
        Corruption("entry_without_purchase", "DELETE FROM purchase WHERE user_id = 'ann'"),
        Corruption("purchase_differs_from_lots", "UPDATE purchase SET coins = coins + 1 WHERE user_id = 'ann'"),
        Corruption(
            "purchase_refunds_differ",
            "UPDATE purchase SET refunded_amount = 1, status = 'partially_refunded' WHERE user_id = 'ann'"),
        Corruption(
            "purchase_refunded_with_coins_left",
            """
            UPDATE lot SET remaining = 1 WHERE purchase_id = (SELECT id FROM purchase WHERE user_id = 'fay')
            """),
        Corruption(
            "purchase_differs_from_order",
            """
            INSERT INTO "order" (
                merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
            SELECT merchant_uid, 'eve', gateway, product, amount, currency, coins, bonus_coins, now() + interval '1 day'
            FROM purchase WHERE user_id = 'ann'
            """),
        Corruption("purchase_reversal_misfits_entry", "UPDATE purchase_reversal SET amount = amount + 1"),
        Corruption(
            "purchase_reversal_misfits_entry", "UPDATE purchase_reversal SET coins = coins + 1 WHERE amount > 0"),
        Corruption(
            "purchase_reversal_misfits_entry",
            "UPDATE purchase_reversal SET bonus_coins = bonus_coins + 1 WHERE amount > 0"),
        Corruption("purchase_reversal_misfits_entry", "UPDATE purchase_reversal SET is_transfer = NOT is_transfer"),
        Corruption("purchase_reversal_misfits_entry", "DELETE FROM purchase_reversal WHERE amount < 0"),
        Corruption(
            "purchase_charged_differs", "UPDATE purchase SET charged_coins = charged_coins + 1 WHERE user_id = 'ann'"),
        Corruption(
            "purchase_charged_differs",
            "UPDATE purchase_reversal SET charged_coins = charged_coins + 1 WHERE amount > 0"),
        Corruption("lot_differs_from_order", order("coin_days", "30")),
        Corruption("order_differs_from_product", order("coin_days", "30")),
        Corruption("payment_name_misfits_purchase", "UPDATE payment_name SET merchant_uid = 'order_of_another'"),
        Corruption(
            "payment_name_misfits_purchase",
            """
            UPDATE purchase SET imp_uid = name.imp_uid, gateway = name.gateway
            FROM payment_name AS name WHERE purchase.id = (SELECT min(id) FROM purchase WHERE user_id = 'bob')
            """),
    ]

    /// Makes an order for what Ann bought.
    private static func order(_ column: String, _ value: String) -> String {
        """
        INSERT INTO "order" (
            merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at, \(column))
        SELECT merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, now() + interval '1 day', \(value)
        FROM purchase WHERE user_id = 'ann'
        """
    }

    private static let settlements = [
        Corruption("settlement_misfits_entry", "UPDATE settlement_row SET gross = gross + 1, fee = fee + 1"),
        Corruption("settlement_misfits_entry", "UPDATE settlement_row SET payment = 'imp_of_another'"),
        Corruption("purchase_settled_differs", "UPDATE purchase SET settled_amount = 1 WHERE user_id = 'ann'"),
        Corruption("entry_without_settlement", "DELETE FROM settlement_row"),
    ]

    private static let vat = [
        Corruption("vat_payable_differs", "UPDATE lot SET vat = 'exempt' WHERE vat = 'at_use'"),
        Corruption("vat_payable_differs", "UPDATE lot SET taxed_breakage = 0 WHERE taxed_breakage > 0"),
        Corruption("vat_payable_differs", "UPDATE debt_bank_payment SET vat = vat - 1 WHERE vat > 0"),
        Corruption("vat_deferred_differs", "UPDATE lot SET vat = 'exempt' WHERE vat = 'at_sale'"),
        Corruption("vat_input_differs", "UPDATE settlement_row SET input_vat = 0"),
        Corruption(
            "vat_misfits_entry",
            "UPDATE lot_movement SET taxed = taxed - 110 WHERE lot_id = \(taxedLot) AND seq = 1"),
        Corruption(
            "vat_misfits_entry",
            """
            UPDATE posting SET amount = amount + 1
            FROM account WHERE account.id = account_id AND account.code LIKE 'tax:vat-deferred/%'
            """),
        Corruption(
            "lot_supply_exceeds_payment", "UPDATE lot SET taxed = amount - deferred - breakage + 1 WHERE vat = 'at_use'"
        ),
        // Fewer than were recognised, and more went back than the books say.
        Corruption("lot_supply_exceeds_payment", "UPDATE lot SET taxed = taxed - 1 WHERE vat = 'exempt'"),
        Corruption(
            "vat_payable_differs",
            """
            UPDATE purchase SET amount = purchase.amount + 1100 FROM lot
            WHERE lot.purchase_id = purchase.id AND lot.vat = 'at_use' AND lot.taxed > 0
            """),
        Corruption("lot_taxed_differs", "UPDATE lot SET taxed = taxed + 1 WHERE vat = 'exempt'"),
        Corruption(
            "lot_supply_misfits_entry",
            "UPDATE lot_movement SET taxed = taxed + 1 WHERE lot_id = \(taxedLot) AND seq = 1"),
        Corruption("vat_payable_differs", "UPDATE refund SET fee_vat = NULL WHERE fee_vat > 0"),
        Corruption("vat_misfits_entry", "UPDATE refund SET fee_vat = 0 WHERE fee_vat > 0"),
        Corruption("refund_fee_vat_differs", "UPDATE refund SET fee_vat = 0 WHERE fee_vat > 0"),
        Corruption("bank_refund_differs_from_entries", "UPDATE refund SET fee_vat = NULL WHERE fee_vat > 0"),
        Corruption("breakage_differs", "UPDATE lot SET taxed_breakage = 0 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs", "UPDATE lot SET taxed_breakage = taxed_breakage - 1 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs",
            "UPDATE lot_movement SET taxed_breakage = taxed_breakage - 1 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs",
            """
            UPDATE journal_entry SET kind = 'spend'
            WHERE id IN (SELECT journal_entry_id FROM lot_movement WHERE taxed_breakage > 0)
            """),
        Corruption("commission_vat_differs", "UPDATE provider_share SET vat = vat + 1 WHERE vat > 0"),
    ]

    /// A lot with VAT.
    private static let taxedLot = "(SELECT min(id) FROM lot WHERE vat = 'at_use' AND seq > 0)"

    private static let refunds = [
        Corruption("refund_misfits_purchase", "UPDATE refund SET user_id = 'eve'"),
        Corruption(
            "refund_tax_free_exceeds_payment",
            """
            WITH taxable AS (UPDATE purchase SET tax_free = 0)
            UPDATE refund SET tax_free = amount WHERE status = 'completed' AND method = 'gateway'
            """),
        Corruption(
            "refund_tax_free_exceeds_payment",
            """
            WITH untaxed AS (UPDATE purchase SET tax_free = amount)
            UPDATE refund SET tax_free = 0 WHERE status = 'completed' AND method = 'gateway'
            """),
        Corruption(
            "refund_differs_from_entries",
            "UPDATE refund SET fee = fee + 1, value = value + 1 WHERE status = 'completed' AND method = 'gateway'"),
        Corruption(
            "bank_refund_differs_from_entries",
            "UPDATE refund SET fee = fee + 1, value = value + 1 WHERE status = 'reversed'"),
        Corruption(
            "bank_refund_differs_from_entries",
            """
            UPDATE refund SET status = 'completed', decided_at = now(), paid_at = now(), bank_reference = 'x'
            WHERE status = 'approved'
            """),
        Corruption("bank_refund_differs_from_entries", "DELETE FROM journal_entry WHERE kind = 'refund_payment'"),
        Corruption(
            "bank_refund_differs_from_entries",
            """
            UPDATE refund SET repaid_at = NULL, repayment_reference = NULL, paid_at = NULL, bank_reference = NULL
            WHERE repaid_at IS NOT NULL
            """),
        Corruption(
            "refunds_payable_differ",
            """
            UPDATE refund SET status = 'reversed', decided_at = now() WHERE status = 'approved'
            """),
        Corruption(
            "expired_refund_differs_from_entry",
            "UPDATE refund SET expiry_reversal_id = 5 WHERE expired_coins > 0"),
        Corruption(
            "expired_refund_differs_from_entry",
            "UPDATE refund SET coins = coins - 1, expired_coins = expired_coins - 1 WHERE expired_coins > 0"),
        Corruption(
            "expired_refund_differs_from_entry",
            """
            UPDATE refund SET expired_coins = 0, expired_value = 0, expired_fee = 0, expiry_reversal_id = NULL,
                fee_rule = 'percentage'
            WHERE expired_coins > 0
            """),
        Corruption(
            "lot_movement_misfits", "UPDATE journal_entry SET kind = 'grant' WHERE kind = 'expiry_reversal'"),
        Corruption(
            "purchase_refunds_differ", "UPDATE purchase SET transferred_amount = 1 WHERE transferred_amount > 0"),
        Corruption(
            "refund_differs_from_decision",
            "UPDATE refund_decision SET cancellation_id = 'x' WHERE status = 'completed'"),
        Corruption(
            "refund_differs_from_decision",
            "UPDATE refund SET decided_at = decided_at + interval '1 s' WHERE status = 'refused'"),
        Corruption("refund_differs_from_decision", "DELETE FROM refund_decision WHERE status = 'reversed'"),
        Corruption(
            "refund_differs_from_outcome",
            "UPDATE refund SET expired_value = expired_value - 1 WHERE expired_coins > 0"),
        Corruption(
            "refund_differs_from_outcome", "UPDATE refund SET bonus_charged = bonus_charged + 1 WHERE coins > 1"),
    ]

    private static let disputes = [
        Corruption("dispute_misfits_purchase", "UPDATE dispute SET user_id = 'eve' WHERE status = 'lost'"),
        Corruption(
            "dispute_differs_from_decisions", "UPDATE dispute SET status = 'won' WHERE status = 'lost'"),
        Corruption(
            "lost_dispute_differs_from_entry", "UPDATE dispute_decision SET amount = amount + 1 WHERE amount > 0"),
        Corruption(
            "dispute_given_back_differs",
            "UPDATE coin_return SET coins = coins - 1 WHERE journal_entry_id IN "
                + "(SELECT id FROM journal_entry WHERE kind = 'claw_back_reversal')"),
        Corruption(
            "dispute_given_back_differs",
            "DELETE FROM dispute_decision WHERE outcome = 'won' AND amount > 0"),
        Corruption(
            "dispute_win_misfits_dispute",
            "INSERT INTO dispute_win SELECT id, opened_at, now() FROM dispute WHERE status = 'open'"),
        Corruption(
            "freeze_differs_from_entry", "UPDATE coin_freeze SET bonus_coins = bonus_coins + 1 WHERE act = 'hold'"),
        Corruption(
            "freeze_differs_from_entry", "DELETE FROM coin_freeze WHERE act = 'release'"),
        Corruption(
            "coins_frozen_without_dispute",
            """
            WITH decided AS (
                INSERT INTO dispute_decision (dispute_id, outcome, decided_at, amount, recorded_at)
                SELECT id, 'won', now(), 0, now() FROM dispute WHERE status = 'open'
                RETURNING dispute_id)
            UPDATE dispute SET status = 'won', decided_at = now() FROM decided WHERE id = dispute_id
            """),
    ]

    private static let reversals = [
        Corruption("reversal_exceeds_redemption", "UPDATE coin_return SET coins = coins + 30"),
        Corruption("reversal_exceeds_redemption", "UPDATE coin_return SET amount = amount + 1 WHERE amount > 0"),
        Corruption(
            "reversal_misfits_entry",
            "DELETE FROM coin_return WHERE journal_entry_id IN (SELECT id FROM journal_entry WHERE kind = 'spend_reversal')"
        ),
        Corruption(
            "reversal_misfits_entry",
            "UPDATE journal_entry SET reverses = \(entry("spend")) WHERE kind = 'capture_reversal'"),
        Corruption(
            "reversal_misfits_entry",
            """
            UPDATE posting SET account_id = (SELECT id FROM account WHERE code LIKE 'gateway:fees/%' LIMIT 1)
            WHERE journal_entry_id = \(entry("spend_reversal")) AND side = 'D' AND currency = 'COIN'
            """),
    ]

    private static let providers = [
        Corruption("payable_unexplained", "UPDATE provider_share SET share = share + 1 WHERE payout_id IS NOT NULL"),
        Corruption("payable_unexplained", "UPDATE payout_entry SET amount = amount - 1"),
        Corruption("share_misfits_capture", "UPDATE provider_share SET amount = amount + 5000"),
        Corruption("share_misfits_capture", "UPDATE provider_terms SET share = share - 1"),
        Corruption(
            "capture_without_share", "DELETE FROM provider_share WHERE journal_entry_id <> capture_id"),
        Corruption(
            "payout_misfits_shares",
            """
            UPDATE provider_share SET payout_id = NULL
            WHERE payout_id = (SELECT id FROM payout WHERE status = 'paid')
            """),
        Corruption("payout_misfits_shares", "UPDATE payout_item SET local_tax = local_tax + 10"),
        Corruption(
            "payout_misfits_shares",
            """
            UPDATE provider_share SET payout_id = (SELECT id FROM payout WHERE status = 'withdrawn')
            WHERE payout_id = (SELECT id FROM payout WHERE status = 'proposed')
            """),
        Corruption("payout_part_misfits_shares", "UPDATE payout_part SET amount = amount + 1"),
        Corruption("payout_part_misfits_shares", "DELETE FROM payout_part"),
        Corruption(
            "share_by_other_terms",
            """
            UPDATE provider_terms SET product = 'song'
            WHERE id = (SELECT max(terms_id) FROM provider_share WHERE journal_entry_id = capture_id)
            """),
        Corruption("share_of_another_provider", "UPDATE provider_share SET provider = 'quin' WHERE provider = 'pia'"),
        Corruption("provider_repayment_misfits", "UPDATE provider_repayment SET amount = amount + 1"),
        Corruption("provider_repayment_misfits", "DELETE FROM provider_repayment"),
        Corruption("payout_status_misfits", "UPDATE payout SET status = 'paid' WHERE status = 'approved'"),
        Corruption(
            "payout_status_misfits", "UPDATE payout_decision SET decided_by = 'shop' WHERE decision = 'approved'"),
        Corruption("payout_entry_misfits", "DELETE FROM payout_entry"),
        Corruption(
            "payout_entry_misfits", "UPDATE provider_share SET stripe = stripe + 1 WHERE payout_id IS NOT NULL"),
    ]

    private static let providerTerms = [
        Corruption(
            "share_misfits_role",
            "UPDATE provider_terms SET role = CASE role WHEN 'agent' THEN 'principal' ELSE 'agent' END"),
        Corruption(
            "share_differs_from_outcome",
            "UPDATE provider_share SET product = 'song' WHERE journal_entry_id = capture_id"),
        Corruption(
            "payout_tax_misfits_terms",
            "UPDATE provider_terms SET withholding = 'none' WHERE withholding = 'business_income'"),
        Corruption("payout_tax_misfits_terms", "UPDATE payout_item SET local_tax = local_tax + 10"),
        Corruption("payout_beyond_cut_off", "UPDATE payout SET cut_off = cut_off - interval '1 day'"),
        Corruption("payout_beyond_cut_off", "UPDATE payout SET providers = '{eve}' WHERE status <> 'withdrawn'"),
        Corruption("product_terms_misfit", "UPDATE provider_terms SET product = 'song' WHERE provider = 'quin'"),
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

    private static let adjustments = [
        Corruption(
            "adjusted_balance_differs",
            """
            UPDATE account SET debits = debits + 1, credits = credits + 2 WHERE code = 'coins:expected-breakage/1'
            """),
        Corruption("adjusted_balance_differs", "UPDATE adjustment SET target = target + 1 WHERE subject = 'bonus'"),
        Corruption(
            "adjustment_misfits_entry",
            """
            UPDATE journal_entry SET effective_at = effective_at - interval '1 day' WHERE kind = 'adjustment'
            """),
        Corruption("adjustment_misfits_entry", "DELETE FROM adjustment WHERE subject = 'bonus'"),
        Corruption(
            "adjustment_misfits_entry",
            """
            UPDATE posting SET side = CASE side WHEN 'D' THEN 'C' ELSE 'D' END
            WHERE journal_entry_id = \(entry("adjustment"))
            """),
        Corruption("adjustment_out_of_order", "UPDATE adjustment SET amount = amount + 1 WHERE subject = 'breakage'"),
        Corruption(
            "adjustment_misfits_policy",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', month, starts_at, 'eve' FROM accounting_policy ORDER BY month LIMIT 1
            """),
        Corruption(
            "adjustment_misfits_cohorts",
            """
            UPDATE adjustment_cohort SET used = used + 900, deferred = deferred - 900 WHERE allocated IS NULL
            """),
        Corruption("adjustment_misfits_cohorts", "UPDATE adjustment_cohort SET allocated = allocated + 1"),
        Corruption("adjustment_misfits_cohorts", "UPDATE accounting_policy SET expected = 50 WHERE expected = 100"),
        Corruption("adjustment_misfits_cohorts", "DELETE FROM adjustment_cohort WHERE allocated IS NOT NULL"),
        Corruption(
            "adjustment_misfits_basis",
            """
            INSERT INTO adjustment_cohort
            SELECT id, '2001-01', 0, 10000000000, 0, 10000000000, 0, 0, NULL, 0 FROM adjustment WHERE subject = 'breakage'
            """),
        Corruption(
            "adjustment_misfits_basis",
            "UPDATE adjustment_cohort SET deferred = deferred - 1, used = used + 1 WHERE allocated IS NOT NULL"),
        Corruption("adjustment_misfits_basis", "UPDATE adjustment SET basis_id = 5"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET purchases = purchases + 1"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET sold = sold + 1"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET deferred = deferred + 5000000000"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET expired = expired + 1"),
        Corruption(
            "adjustment_cohort_differs", "UPDATE adjustment_cohort SET refunded = refunded + 1, used = used - 1"),
        Corruption(
            "adjustment_cohort_differs", "UPDATE adjustment_cohort SET sold = sold + 900, used = used + 900"),
        Corruption("adjustment_cohort_differs", "UPDATE adjustment_cohort SET sold_in = '2001-01'"),
        Corruption("adjustment_cohort_differs", "UPDATE adjustment_cohort SET allocated = allocated + 1"),
    ]

    private static let events = [
        Corruption("event_gap", "UPDATE event SET seq = seq + 1 WHERE seq = (SELECT max(seq) FROM event)"),
        Corruption("event_of_nothing", "UPDATE event SET id = 5 WHERE seq = 2"),
        Corruption("event_missing", "DELETE FROM event WHERE type = 'coins.granted'"),
        Corruption("event_missing", "DELETE FROM event WHERE type = 'period.closed'"),
        Corruption("event_out_of_order", "UPDATE event SET seq = 1000000 - seq"),
        Corruption("event_misfits", "UPDATE event SET user_id = 'eve' WHERE type = 'coins.spent'"),
        Corruption("event_misfits", "UPDATE event SET type = 'hold.voided' WHERE type = 'hold.placed'"),
        Corruption(
            "event_misfits_occurrence", "UPDATE event SET type = 'payout.approved' WHERE type = 'payout.proposed'"),
        Corruption("event_misfits_occurrence", "UPDATE event SET user_id = 'eve' WHERE type = 'purchase.disputed'"),
    ]

    private static let endpoints = [
        Corruption("endpoint_without_reader", endpoint()),
        Corruption(
            "endpoint_replay_unfinished",
            """
            WITH endpoint AS (\(endpoint()) RETURNING id)
            INSERT INTO endpoint_reader (endpoint_id, position, until, finished_at)
            SELECT id, 1, 2, now() FROM endpoint
            """),
        Corruption("endpoint_event_of_nothing", "INSERT INTO endpoint_failure (endpoint_id, seq) VALUES (1, 1000000)"),
        Corruption("endpoint_finding_differs", endpoint(status: "disabled", reason: "'failing'")),
    ]

    /// Creates an endpoint without a reader.
    private static func endpoint(status: String = "enabled", reason: String = "NULL") -> String {
        """
        INSERT INTO endpoint (
            url, description, types, users, status, status_reason, secret_key_id, secret_salt, created_by,
            idempotency_key, fingerprint)
        VALUES ('https://example.com/', '', '{}', '{}', '\(status)', \(reason), 'key', '', 'ann', 'key', 'body')
        """
    }

    private static let others = [
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
        Corruption("debt_beside_usable_coins", "UPDATE lot SET remaining = 1 WHERE user_id = 'bob' AND kind = 'paid'"),
        Corruption("hold_overdue", "UPDATE hold SET expires_at = now() - interval '1 day' WHERE status = 'open'"),
        Corruption("lot_overdue", "UPDATE lot SET expires_at = now() - interval '1 day' WHERE id = \(lot("ann"))"),
    ]

    /// The first entry of a kind.
    private static func entry(_ kind: String) -> String {
        "(SELECT min(id) FROM journal_entry WHERE kind = '\(kind)')"
    }

    /// The lot of what a user bought.
    private static func lot(_ user: String) -> String {
        "(SELECT min(id) FROM lot WHERE user_id = '\(user)' AND kind = 'paid' AND remaining > 0)"
    }
}
