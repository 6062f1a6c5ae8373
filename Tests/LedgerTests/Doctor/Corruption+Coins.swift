extension Corruption {
    static let lots = [
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

    static let holds = [
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

    static let purchases = [
        Corruption("purchase_misfits_entry", "UPDATE purchase SET amount = amount + 1 WHERE user_id = 'ann'"),
        Corruption("purchase_misfits_entry", "UPDATE purchase SET gateway = 'app-store' WHERE user_id = 'ann'"),
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
        Corruption("store_purchase_without_delivery", "DELETE FROM store_delivery"),
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
}
