// MARK: - Purchases

extension JudgedRows {
    static let purchases: [JudgedRows] = [
        JudgedRows("purchase", before: [bought], judged: purchase),
        JudgedRows("purchase", "in dollars", before: [rate, bought], judged: purchaseInDollars),
        JudgedRows("purchase_reversal", before: [bought, purchase, clawBack], judged: reversal(6_000_000, "10")),
        JudgedRows(
            "purchase_reversal", "that goes back", before: clawedBack + [clawBackReversal],
            judged: reversal(6_100_000, "-10")),
        JudgedRows(
            "claw_back_reversal",
            before: clawedBack + [wentBack("gateway = 'app-store'"), clawBackReversal, reversal(6_100_000, "-10")]
                + busyAccounts(7_000_000, "'wallet:batch-' || n || ':paid'", "C", entries: 6_100_000),
            judged: """
                INSERT INTO claw_back_reversal (journal_entry_id, claw_back_id, purchase_id, told_at)
                SELECT 6100000 + n, 6000000 + n, 5500000 + n, now() FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "payment_name", before: [purchase],
            judged: """
                INSERT INTO payment_name (imp_uid, gateway, merchant_uid, purchase_id)
                SELECT 'other-' || n, 'h', 'batch-' || n, 5500000 + n FROM generate_series(1, :rows) AS n
                """),
    ]

    static let purchase = """
        INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
            bonus_coins, paid_at, credited_at, journal_entry_id)
        SELECT 5500000 + n, 0, 'batch-' || n, 'credited', 'g', 'batch-' || n, 'batch-' || n, 'p', 100, 'KRW', 100, 0, now(),
            now(), 5000000 + n
        FROM generate_series(1, :rows) AS n
        """

    /// At which 10,000 cents are 100 won.
    private static let rate = """
        INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, set_at, published_at)
        VALUES ('USD', '2026-01-01', 1, 1, 0, 1, 'x', 'kim', now() - interval '1 day', now() - interval '1 day')
        """

    private static let purchaseInDollars = """
        INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
            bonus_coins, paid_at, credited_at, journal_entry_id, foreign_amount, foreign_currency, rate_id, foreign_refunded)
        SELECT 5500000 + n, 0, 'batch-' || n, 'credited', 'app-store', 'batch-' || n, 'batch-' || n, 'p', 100, 'KRW', 100, 0,
            now(), now(), 5000000 + n, 10000, 'USD', rate.id, 0
        FROM generate_series(1, :rows) AS n, (SELECT max(id) AS id FROM rate) AS rate
        """

    private static let clawBack = entries(
        6_000_000, "claw_back", "'purchase:' || 5500000 + n", reversing: 5_000_000)
    static let clawBackReversal = entries(
        6_100_000, "claw_back_reversal", "'purchase:' || 5500000 + n", reversing: 6_000_000)

    /// Purchases of which ten coins went back.
    static let clawedBack = [
        bought, purchase, clawBack, reversal(6_000_000, "10"), wentBack("refunded_amount = 10, refunded_coins = 10"),
    ]

    static func wentBack(_ changes: String) -> String {
        "UPDATE purchase SET \(changes) WHERE id BETWEEN 5500001 AND 5500000 + :rows"
    }

    static func reversal(_ entries: Int, _ coins: String, isTransfer: Bool = false) -> String {
        """
        INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer)
        SELECT \(entries) + n, 5500000 + n, \(coins), \(coins), 0, 0, \(isTransfer) FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Purchases that a function credits

extension JudgedRows {
    /// No table's: what the functions look up is found by key, too.
    static let crediting: [JudgedRows] = [
        JudgedRows(
            "credit_purchases",
            judged: """
                SELECT FROM (
                    SELECT array_agg(5600000 + 6 * n) AS ids, array_agg(0::int8) AS stripes, array_agg('batch-' || n) AS texts,
                        array_agg(100::int8) AS numbers, array_agg(now()) AS times, array_agg('at_sale'::text) AS rules
                    FROM generate_series(1::int8, :rows) AS n
                ) AS asked, LATERAL credit_purchases(
                    ids, stripes, texts, texts, texts, texts, texts, texts, numbers, numbers, numbers, times, times, times,
                    rules, numbers)
                """),
        JudgedRows(
            "credit_purchase",
            judged: """
                SELECT FROM generate_series(1::int8, :rows) AS n, LATERAL credit_purchase(
                    5600000 + 6 * n, 0, 'batch-' || n, 'g', 'batch-' || n, 'batch-' || n, NULL, 'p', 100, 100, 10, now(),
                    NULL, NULL, 'at_sale', NULL)
                """),
    ]
}

// MARK: - Lots and coins that come back

extension JudgedRows {
    static let coins: [JudgedRows] = [
        JudgedRows("lot", before: [bought], judged: lot(5_700_000)),
        JudgedRows("campaign_grant", before: toCampaign(5_700_000), judged: campaignGrants),
        JudgedRows(
            "finish_campaign_users", before: toCampaign(5_700_000) + [campaignGrants],
            judged: "SELECT FROM finish_campaign_users(7, :rows, '{}', '{}')"),
        JudgedRows("grant_void", before: granted(5_700_000, movements: 1), judged: void(5_700_000)),
        JudgedRows(
            "grant_void", "of lots that moved often", before: granted(5_750_000, movements: 40), judged: void(5_750_000)
        ),
        JudgedRows("gift", before: giftEntries, judged: gift),
        JudgedRows("gift_lot", before: given(5_700_000, movements: 1), judged: givenLot(5_700_000)),
        JudgedRows(
            "gift_lot", "of lots that moved often", before: given(5_750_000, movements: 40), judged: givenLot(5_750_000)
        ),
        JudgedRows(
            "lot_movement",
            before: [lot(5_700_000), entries(6_000_000, "hold", "'hold:' || 5800000 + n")],
            judged: """
                INSERT INTO lot_movement (
                    lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, recorded_at, expired, breakage)
                SELECT 5700000 + n, 1, 0, 6000000 + n, 90, 10, 100, now(), 0, 0 FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "coin_return", before: usedLots(5_700_000, movements: 1) + [spend, spendReversal], judged: back(5_700_000)),
        JudgedRows(
            "coin_return", "into lots that moved often",
            before: usedLots(5_750_000, movements: 40) + [spend, spendReversal], judged: back(5_750_000)),
        JudgedRows(
            "coin_return", "of claw-backs, into lots that moved often",
            before: usedLots(5_760_000, movements: 40) + clawedBack + [clawBackReversal], judged: back(5_760_000)),
    ]

    private static func lot(_ first: Int, movements: Int = 0) -> String {
        """
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, purchase_id,
            journal_entry_id, seq)
        SELECT \(first) + n, 0, 'batch-' || n, 'paid', 100, 100 - \(movements), 100, 100 - \(movements), 'KRW', now(),
            5500000 + n, 5000000 + n, \(movements)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static let spend = entries(6_000_000, "spend", "'spend:' || 6000000 + n")
    private static let spendReversal = entries(
        6_100_000, "spend_reversal", "'spend:' || 6000000 + n", reversing: 6_000_000)

    /// Lots of which each movement took a coin, the one in the middle by the entry that is reversed.
    private static func usedLots(_ first: Int, movements: Int) -> [String] {
        let middle = (movements + 1) / 2
        return [
            lot(first, movements: movements),
            """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, recorded_at, expired, breakage)
            SELECT \(first) + n, seq, 0, CASE seq WHEN \(middle) THEN 6000000 + n ELSE 1 END, 100 - seq, 0, 100 - seq,
                now() + (seq - \(middle)) * interval '1 s', 0, 0
            FROM generate_series(1, :rows) AS n, generate_series(1, \(movements)) AS seq
            """,
        ]
    }

    /// Such lots of grants, and the entries that void a coin of each.
    private static func granted(_ first: Int, movements: Int) -> [String] {
        usedLots(first, movements: movements) + [
            """
            UPDATE lot SET kind = 'bonus', amount = 0, deferred = 0, purchase_id = NULL
            WHERE id BETWEEN \(first) + 1 AND \(first) + :rows
            """,
            entries(6_000_000, "grant_void", "'lot:' || \(first) + n", reversing: 5_000_000),
        ]
    }

    /// Lots of grants, and a campaign that has reserved them for its users.
    private static func toCampaign(_ first: Int) -> [String] {
        [
            lot(first),
            """
            UPDATE lot SET kind = 'bonus', amount = 0, deferred = 0, purchase_id = NULL
            WHERE id BETWEEN \(first) + 1 AND \(first) + :rows
            """,
            entries(5_000_000, "grant", "'lot:' || \(first) + n"),
            """
            INSERT INTO campaign (
                id, name, status, coins, most_per_user, budget, starts_at, reason, created_by, users, taken_to)
            OVERRIDING SYSTEM VALUE
            VALUES (7, 'batch', 'active', 100, 100, 1000000, now(), 'x', 'shop', :rows, :rows)
            """,
            """
            INSERT INTO campaign_user (campaign_id, user_id, number, coins)
            SELECT 7, 'batch-' || n, n, 100 FROM generate_series(1, :rows) AS n
            """,
        ]
    }

    private static let campaignGrants = """
        INSERT INTO campaign_grant (lot_id, campaign_id, user_id, journal_entry_id, coins)
        SELECT 5700000 + n, 7, 'batch-' || n, 5000000 + n, 100 FROM generate_series(1, :rows) AS n
        """

    private static func void(_ lots: Int) -> String {
        """
        INSERT INTO grant_void (journal_entry_id, lot_id, coins, is_whole)
        SELECT 6000000 + n, \(lots) + n, 1, false FROM generate_series(1, :rows) AS n
        """
    }

    private static let giftEntries = [
        entries(6_000_000, "gift_sent", "'gift:' || 5900000 + n"),
        entries(6_100_000, "gift_received", "'gift:' || 5900000 + n"),
    ]

    private static let gift = """
        INSERT INTO gift (id, from_user, to_user, coins, amount, sent_entry_id, received_entry_id, recorded_at)
        SELECT 5900000 + n, 'batch-' || n, 'receiver-' || n, 1, 1, 6000000 + n, 6100000 + n, now()
        FROM generate_series(1, :rows) AS n
        """

    /// Such lots, of each of which a coin was given, and the lots that it came to.
    private static func given(_ first: Int, movements: Int) -> [String] {
        usedLots(first, movements: movements) + giftEntries + [
            gift,
            """
            INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
                journal_entry_id, origin_id, origin_purchase_id)
            SELECT 5800000 + n, 0, 'receiver-' || n, 'paid', 1, 1, 1, 1, 'KRW', now(), 6100000 + n, \(first) + n,
                5500000 + n
            FROM generate_series(1, :rows) AS n
            """,
        ]
    }

    private static func givenLot(_ lots: Int) -> String {
        """
        INSERT INTO gift_lot (gift_id, from_lot_id, to_lot_id, coins, amount)
        SELECT 5900000 + n, \(lots) + n, 5800000 + n, 1, 1 FROM generate_series(1, :rows) AS n
        """
    }

    static func back(_ lots: Int) -> String {
        """
        INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount)
        SELECT 6100000 + n, \(lots) + n, 6000000 + n, 1, 1 FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Holds

extension JudgedRows {
    static let holds: [JudgedRows] = [
        JudgedRows("hold", before: [placed], judged: hold),
        JudgedRows("hold_lot", before: [placed, hold], judged: holdLot),
        JudgedRows(
            "hold_event", before: [hold, holdLot, entries(6_000_000, "capture", "'hold:' || 5800000 + n")],
            judged: """
                INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
                SELECT 6000000 + n, 5800000 + n, 3, 0, 'captured' FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let placed = entries(6_000_000, "hold", "'hold:' || 5800000 + n")

    private static let hold = """
        INSERT INTO hold (id, stripe, user_id, status, coins, captured, released, placed_at, expires_at, journal_entry_id)
        SELECT 5800000 + n, 0, 'batch-' || n, 'open', 3, 0, 0, now(), now() + interval '1 day', 6000000 + n
        FROM generate_series(1, :rows) AS n
        """

    private static let holdLot = """
        INSERT INTO hold_lot (hold_id, place, lot_id, coins, held)
        SELECT 5800000 + n, 0, 5700000 + n, 3, 3 FROM generate_series(1, :rows) AS n
        """
}
