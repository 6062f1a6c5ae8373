/// Events and their endpoints.
extension Corruption {
    /// An event that ann's first spend, of 30 of 115 coins, fell below 5.
    private static func crossing(before: Int64, available: Int64) -> String {
        """
        INSERT INTO occurrence (recorded_at, type, subject, user_id, detail)
        SELECT recorded_at, 'balance.fell_below', 'user:ann', 'ann', jsonb_build_object(
            'threshold', 5, 'before', \(before), 'available', \(available), 'journal_entry_id', id)
        FROM journal_entry WHERE kind = 'spend' ORDER BY id LIMIT 1
        """
    }

    /// A charge of automatic top-up, of an order of ann's that nobody has paid.
    private static func topUp(_ status: String, of user: String = "ann") -> String {
        """
        WITH consent AS (
            INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
            VALUES ('\(user)', 'portone-v1', 'card', 'coins_100', 1, 1000, 'shop') RETURNING id
        ), ordered AS (
            INSERT INTO "order" (merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
            VALUES ('order-top-up', 'ann', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 0, now() + interval '1 day')
        )
        INSERT INTO top_up_charge (top_up_id, user_id, status, journal_entry_id, name, merchant_uid, amount, decided_at)
        SELECT id, '\(user)', '\(status)', 1, 'order-top-up', 'order-top-up', 1000, now() FROM consent
        """
    }

    static let events = [
        Corruption("top_up_misfits_purchase", topUp("credited")),
        Corruption("top_up_misfits_order", topUp("failed", of: "bob")),
        Corruption("event_gap", "UPDATE event SET seq = seq + 1 WHERE seq = (SELECT max(seq) FROM event)"),
        Corruption("event_of_nothing", "UPDATE event SET id = 5 WHERE seq = 2"),
        Corruption("event_missing", "DELETE FROM event WHERE type = 'coins.granted'"),
        Corruption("event_missing", "DELETE FROM event WHERE type = 'period.closed'"),
        Corruption("event_out_of_order", "UPDATE event SET seq = 1000000 - seq"),
        Corruption("event_misfits", "UPDATE event SET user_id = 'eve' WHERE type = 'coins.spent'"),
        Corruption("event_misfits", "UPDATE event SET type = 'hold.voided' WHERE type = 'hold.placed'"),
        Corruption("crossing_untrue", crossing(before: 9, available: 3)),
        Corruption("crossing_untrue", crossing(before: 115, available: 85)),
        Corruption(
            "event_misfits_occurrence", "UPDATE event SET type = 'payout.approved' WHERE type = 'payout.proposed'"),
        Corruption("event_misfits_occurrence", "UPDATE event SET user_id = 'eve' WHERE type = 'purchase.disputed'"),
    ]

    static let endpoints = [
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
}
