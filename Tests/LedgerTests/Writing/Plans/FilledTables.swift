/// Rows of every table that writers and judges look into, which fit nothing and are not asked: no trigger judges them.
enum FilledTables {
    /// The statements that write so many rows into each table, or into these.
    static func sql(rows: Int, into tables: [String]? = nil) -> String {
        let statements = all.filter { tables?.contains($0.name) ?? true }.map { table, columns, values in
            "INSERT INTO \"\(table)\" (\(columns)) OVERRIDING SYSTEM VALUE SELECT \(values) FROM generate_series(1, \(rows)) AS n"
        }
        return (["SET LOCAL session_replication_role = replica"] + statements).joined(separator: ";\n")
    }

    /// Each table's columns, and their values in the n-th row.
    static let all: [(name: String, columns: String, values: String)] = [
        (
            "account", "id, stripe, code, owner, currency, normal_side",
            "1000000 + n, 0, 'wallet:filler-' || n || ':paid', 'filler-' || n, 'COIN', 'C'"
        ),
        (
            "journal_entry", "id, stripe, kind, reference, effective_at, recorded_at",
            "1000000 + n, 0, 'purchase', 'purchase:' || n, now(), now()"
        ),
        (
            "posting", "account_id, seq, journal_entry_id, stripe, amount, balance, currency, side",
            "1000000 + n, 1, 1000000 + n, 0, 1, 1, 'COIN', 'C'"
        ),
        (
            "top_up", "user_id, gateway, billing_key, product, threshold, monthly_limit, set_by",
            "'filler-' || n, 'portone-v1', 'card', 'p', 1, 1, 'shop'"
        ),
        (
            "top_up_charge", "top_up_id, user_id, journal_entry_id, name, merchant_uid, amount",
            "1000000 + n, 'filler-' || n, 1000000 + n, 'filler-' || n, 'filler-' || n, 1"
        ),
        (
            "campaign", "id, name, status, coins, most_per_user, budget, starts_at, reason, created_by",
            "1000000 + n, 'filler-' || n, 'active', 1, 1, 1, now(), 'x', 'shop'"
        ),
        ("campaign_user", "campaign_id, user_id, number, coins", "1000001, 'filler-' || n, n, 1"),
        (
            "campaign_grant", "lot_id, campaign_id, user_id, journal_entry_id, coins",
            "1000000 + n, 1000001, 'filler-' || n, 1000000 + n, 1"
        ),
        (
            "gift", "id, from_user, to_user, coins, amount, sent_entry_id, received_entry_id, recorded_at",
            "1000000 + n, 'filler-' || n, 'filler-' || n + 1, 1, 0, 1000000 + n, 2000000 + n, now()"
        ),
        ("balance_alert", "owner, below, above, set_by", "'filler-' || n, '{1}', '{1}', 'shop'"),
        (
            "idempotency", "key, caller, command, fingerprint, outcome, journal_entry_id, recorded_at",
            "'filler-' || n, 'shop', 'spend', 'x', '{}', 1000000 + n, now()"
        ),
        (
            "purchase",
            """
            id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins, bonus_coins,
            paid_at, credited_at, journal_entry_id
            """,
            """
            1000000 + n, 0, 'filler-' || n, 'credited', 'portone-v1', 'filler-' || n, 'filler-' || n, 'p', 1, 'KRW', 1, 0,
            now(), now(), 1000000 + n
            """
        ),
        ("store_delivery", "purchase_id", "1000000 + n"),
        (
            "rate", "currency, day, version, value, scale, per, source, set_by, approved_by",
            "'USD', date '2020-01-01' - n, 1, 100, 0, 1, 'x', 'shop', 'boss'"
        ),
        ("store_consent", "user_id, consents, set_by", "'filler-' || n, true, 'shop'"),
        (
            "refund_question", "purchase_id, gateway, token, asked_at, deadline, next_attempt_at",
            "1000000 + n, 'app-store', 'filler-' || n, now(), now() + interval '12 hours', now() + interval '6 hours'"
        ),
        (
            "claw_back_reversal", "journal_entry_id, claw_back_id, purchase_id, told_at",
            "1000000 + n, 2000000 + n, 1000000 + n, now()"
        ),
        (
            "purchase_reversal", "journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins",
            "1000000 + n, 1000000 + n, 1, 1, 0, 0"
        ),
        (
            "lot",
            """
            id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, purchase_id,
            journal_entry_id
            """,
            "1000000 + n, 0, 'filler-' || n, 'paid', 1, 1, 1, 1, 'KRW', now(), 1000000 + n, 1000000 + n"
        ),
        // Given lots that were used up: no index of what may still come back has them.
        (
            "lot",
            """
            id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, journal_entry_id,
            origin_id, origin_purchase_id
            """,
            "3000000 + n, 0, 'filler-' || n, 'paid', 1, 0, 0, 0, 'KRW', now(), 2000000 + n, 1000000 + n, 1000000 + n"
        ),
        (
            "lot_movement",
            "lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, recorded_at, expired, breakage",
            "1000000 + n, 1, 0, 1000000 + n, 1, 0, 1, now(), 0, 0"
        ),
        (
            "hold", "id, stripe, user_id, status, coins, captured, released, placed_at, expires_at, journal_entry_id",
            "1000000 + n, 0, 'filler-' || n, 'open', 1, 0, 0, now(), now() + interval '1 day', 1000000 + n"
        ),
        ("hold_lot", "hold_id, place, lot_id, coins, held", "1000000 + n, 0, 1000000 + n, 1, 1"),
        (
            "hold_event", "journal_entry_id, hold_id, captured, released, status",
            "1000000 + n, 1000000 + n, 1, 0, 'captured'"
        ),
        (
            "coin_return", "journal_entry_id, lot_id, redemption_id, coins, amount",
            "1000000 + n, 1000000 + n, 1000000 + n, 1, 1"
        ),
        (
            "refund",
            """
            id, stripe, purchase_id, user_id, status, coins, bonus_coins, value, fee, amount, currency, explanation,
            believed_balance, journal_entry_id, reason, requested_at, next_attempt_at
            """,
            """
            1000000 + n, 0, 1000000 + n, 'filler-' || n, 'pending', 10, 0, 10, 0, 10, 'KRW', 'x', 100, 1000000 + n, 'x',
            now(), now()
            """
        ),
        (
            "refund_decision", "journal_entry_id, refund_id, status, refusal",
            "1000000 + n, 1000000 + n, 'refused', 'x'"
        ),
        (
            "finding", "kinds, gateway, imp_uid, merchant_uid, amount, currency",
            "ARRAY['paid_unclaimed'], 'g', 'filler-' || n, 'filler-' || n, 100, 'KRW'"
        ),
        ("finding_act", "finding_id, act, by, reason, cancelled_amount", "n, 'resolve', 'kim', 'x', 0"),
        ("notification_walk", "gateway, list, walked_until", "'app-store', 'filler-' || n, now()"),
        (
            "dispute", "id, stripe, purchase_id, user_id, opened_at, reason, recorded_at",
            "1000000 + n, 0, 1000000 + n, 'filler-' || n, now(), 'x', now()"
        ),
        (
            "coin_freeze", "journal_entry_id, purchase_id, act, coins, bonus_coins",
            "1000000 + n, 1000000 + n, 'hold', 1, 0"
        ),
        (
            "provider_terms", "id, provider, share, role, withholding, set_by, set_at",
            "1000000 + n, 'filler-' || n, 5000, 'agent', 'none', 'x', now()"
        ),
        (
            "provider_share", "journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at",
            "1000000 + n, 1000000 + n, 'filler-' || n, 0, 1000000 + n, 10, 5, now()"
        ),
        ("payout_part", "payout_id, provider, stripe, amount", "1, 'filler-' || n, 0, 10"),
        (
            "payout_entry", "journal_entry_id, payout_id, provider, stripe, amount, tax",
            "1000000 + n, 1, 'filler-' || n, 0, 10, 0"
        ),
        ("event", "seq, id, type", "n, 1000000 + n, 'x'"),
        (
            "chain_link", "id, first_position, last_position, transaction_id, entry_id, previous_hash, hash, totals",
            "n, n, n, '800000000', n, sha256('x'), sha256('x'), '{}'"
        ),
        (
            "settlement_row",
            "id, file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status",
            "1000000 + n, 1, n, 'filler-' || n, 100, 0, 0, 100, '2026-01-01', now(), 1, 'waiting'"
        ),
        (
            "dispute_decision",
            "dispute_id, outcome, decided_at, decided_by, reason, amount, journal_entry_id, recorded_at",
            "1000000 + n, 'lost', now(), 'x', 'x', 1, 1000000 + n, now()"
        ),
        ("dispute_win", "dispute_id, resolved_at, recorded_at", "1000000 + n, now(), now()"),
        (
            "order", "merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at",
            "'filler-' || n, 'filler-' || n, 'portone-v1', 'p', 1, 'KRW', 1, 0, now() + interval '1 hour'"
        ),
        (
            "receipt_retry", "user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at",
            "'filler-' || n, 'portone-v1', 'filler-' || n, 'filler-' || n, 'waiting', 'x', now()"
        ),
        (
            "adjustment_cohort",
            "adjustment_id, sold_in, purchases, sold, refunded, used, expired, deferred, target",
            "1000000 + n, '2026-01', 1, 0, 0, 0, 0, 0, 0"
        ),
    ]
}
