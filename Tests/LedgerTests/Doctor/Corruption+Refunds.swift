extension Corruption {
    static let refunds = [
        Corruption("refund_misfits_purchase", "UPDATE refund SET user_id = 'eve'"),
        Corruption(
            "refund_tax_free_exceeds_payment",
            """
            WITH taxable AS (UPDATE purchase SET tax_free = 0)
            UPDATE refund SET tax_free = amount
            WHERE status = 'completed' AND method = 'gateway' AND foreign_amount IS NULL
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

    static let disputes = [
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
        Corruption("dispute_given_back_differs", "DELETE FROM claw_back_reversal"),
        Corruption("dispute_given_back_differs", "UPDATE claw_back_reversal SET claw_back_id = claw_back_id + 1"),
        Corruption("dispute_given_back_differs", "UPDATE claw_back_reversal SET purchase_id = purchase_id + 1"),
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

    static let reversals = [
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
            UPDATE posting SET seq = seq + 1000,
                account_id = (SELECT id FROM account WHERE code LIKE 'gateway:fees/%' LIMIT 1)
            WHERE journal_entry_id = \(entry("spend_reversal")) AND side = 'D' AND currency = 'COIN'
            """),
    ]
}
