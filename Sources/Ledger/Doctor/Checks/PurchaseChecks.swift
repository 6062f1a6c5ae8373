extension Doctor.Check {
    /// Purchases agree with their entries, lots, orders and reversals.
    static let purchases: [Doctor.Check] = [
        Doctor.Check(
            "purchase_misfits_entry",
            proves: "each purchase's entry belongs to it and posts the amount paid as owed by its gateway",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    'paid ' || purchase.amount || '; its entry ' || purchase.journal_entry_id
                        || CASE WHEN entry.id IS NULL THEN ' does not exist'
                            ELSE ' is of ' || entry.reference || ' and posts ' || coalesce(paid.amount, 0) END AS detail
                FROM purchase
                LEFT JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id
                LEFT JOIN (
                    SELECT posting.journal_entry_id, split_part(account.code, '/', 1) AS account,
                        sum(posting.amount) AS amount
                    FROM posting
                    JOIN account ON account.id = posting.account_id AND account.owner IS NULL AND \(isReceivable)
                        AND split_part(account.code, '/', 2) = account.stripe::text
                    WHERE posting.side = 'D'
                    GROUP BY 1, 2
                ) AS paid ON paid.journal_entry_id = purchase.journal_entry_id
                    AND paid.account = coalesce(
                        \(ForeignAccount.carryingInSQL(of: "purchase.foreign_currency")),
                        \(SystemAccount.receivableInSQL(of: "purchase.gateway")))
                WHERE entry.id IS NULL OR entry.kind <> 'purchase'
                    OR \(UserAliases.differ("entry.stripe", from: "purchase"))
                    OR entry.reference <> 'purchase:' || purchase.id OR purchase.amount <> coalesce(paid.amount, 0)
                """),
        Doctor.Check(
            "entry_without_purchase", proves: "each entry of a purchase has its purchase",
            sql: """
                SELECT 'entry:' || entry.id AS subject, 'there is no ' || entry.reference AS detail
                FROM journal_entry AS entry
                LEFT JOIN purchase ON purchase.journal_entry_id = entry.id
                WHERE entry.kind = 'purchase' AND purchase.id IS NULL
                """),
        Doctor.Check(
            "purchase_differs_from_lots", proves: "each purchase has one lot of its paid and one of its bonus coins",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    purchase.coins || ' coins, ' || purchase.bonus_coins || ' bonus for ' || purchase.amount
                        || '; its lots began with ' || coalesce(made.paid, 0) || ', ' || coalesce(made.bonus, 0)
                        || ' for ' || coalesce(made.amount, 0) AS detail
                FROM purchase
                LEFT JOIN (
                    SELECT purchase_id, count(*) AS count, sum(coins) FILTER (WHERE kind = 'paid') AS paid,
                        sum(coins) FILTER (WHERE kind = 'bonus') AS bonus, sum(amount) AS amount
                    FROM lot
                    GROUP BY purchase_id
                ) AS made ON made.purchase_id = purchase.id
                WHERE purchase.coins <> coalesce(made.paid, 0) OR purchase.bonus_coins <> coalesce(made.bonus, 0)
                    OR purchase.amount <> coalesce(made.amount, 0)
                    OR made.count <> CASE purchase.bonus_coins WHEN 0 THEN 1 ELSE 2 END
                """),
        Doctor.Check(
            "purchase_refunds_differ", proves: "each purchase's refunded amount and coins are those of its reversals",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    purchase.status || ': ' || refunded_amount || ' won, ' || refunded_coins || ' coins, '
                        || refunded_bonus_coins || ' bonus refunded, ' || transferred_amount
                        || ' of it by bank transfer; reversals post ' || coalesce(reversed.amount, 0)
                        || ', ' || coalesce(reversed.coins, 0) || ' and ' || coalesce(reversed.bonus_coins, 0) AS detail
                FROM purchase
                LEFT JOIN (
                    SELECT reverses,
                        sum(amount) FILTER (
                            WHERE \(isReceivable) OR code LIKE '\(payable)/%' OR code LIKE '\(bank)/%') AS amount,
                        sum(amount) FILTER (WHERE code LIKE '\(payable)/%' OR code LIKE '\(bank)/%') AS transferred,
                        sum(amount) FILTER (WHERE code LIKE '\(issued)/%') AS coins,
                        sum(amount) FILTER (WHERE code LIKE '\(promotions)/%') AS bonus_coins
                    FROM (
                        -- What is reversed takes back what it reversed, a refund against the bank if it was repaid.
                        SELECT coalesce(refund.reverses, entry.reverses) AS reverses, account.code,
                            CASE WHEN refund.id IS NULL THEN posting.amount ELSE -posting.amount END AS amount
                        FROM journal_entry AS entry
                        LEFT JOIN journal_entry AS refund
                            ON refund.id = entry.reverses AND entry.kind IN ('refund_reversal', 'claw_back_reversal')
                        JOIN posting ON posting.journal_entry_id = entry.id
                            AND posting.side = CASE WHEN refund.id IS NULL THEN 'C' ELSE 'D' END
                        JOIN account ON account.id = posting.account_id AND account.owner IS NULL
                        WHERE entry.reverses IS NOT NULL
                    ) AS line
                    GROUP BY reverses
                ) AS reversed ON reversed.reverses = purchase.journal_entry_id
                WHERE purchase.refunded_amount <> coalesce(reversed.amount, 0)
                    OR purchase.transferred_amount <> coalesce(reversed.transferred, 0)
                    OR purchase.refunded_coins <> coalesce(reversed.coins, 0)
                    OR purchase.refunded_bonus_coins <> coalesce(reversed.bonus_coins, 0)
                    OR purchase.status
                        <> \(PurchaseSQL.status(refunded: "purchase.refunded_amount", coins: "purchase.refunded_coins"))
                """),
        Doctor.Check(
            "purchase_reversal_misfits_entry",
            proves:
                "what went back of each purchase is what the entry posts that reverses it, and each such entry tells of it",
            sql: """
                SELECT 'entry:' || coalesce(entry.id, told.journal_entry_id) AS subject,
                    coalesce('gives back ' || posted.won || ' won, of them ' || posted.transferred || ' by bank transfer, '
                        || posted.coins || ' paid and ' || posted.bonus_coins || ' bonus coins', 'posts nothing')
                        || coalesce('; told: ' || told.amount || ', ' || told.coins || ' and ' || told.bonus_coins
                            || ' of purchase ' || told.purchase_id, '; nothing is told') AS detail
                FROM (
                    SELECT entry.id, coalesce(reversed.reverses, entry.reverses) AS purchase_entry_id
                    FROM journal_entry AS entry
                    LEFT JOIN journal_entry AS reversed
                        ON reversed.id = entry.reverses AND entry.kind IN ('refund_reversal', 'claw_back_reversal')
                    WHERE entry.kind IN ('claw_back', 'refund', 'refund_reversal', 'claw_back_reversal')
                ) AS entry
                LEFT JOIN (
                    SELECT journal_entry_id, coalesce(sum(gain) FILTER (WHERE code NOT LIKE 'coins:%'), 0) AS won,
                        coalesce(sum(gain) FILTER (WHERE code NOT LIKE 'coins:%' AND NOT \(isReceivable)), 0)
                            AS transferred,
                        coalesce(sum(gain) FILTER (WHERE code LIKE '\(issued)/%'), 0) AS coins,
                        coalesce(sum(gain) FILTER (WHERE code LIKE '\(promotions)/%'), 0) AS bonus_coins
                    FROM (
                        SELECT posting.journal_entry_id, account.code,
                            CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END AS gain
                        FROM account
                        JOIN posting ON posting.account_id = account.id
                        WHERE account.owner IS NULL AND (\(isReceivable) OR code LIKE '\(payable)/%'
                            OR code LIKE '\(bank)/%' OR code LIKE '\(issued)/%' OR code LIKE '\(promotions)/%')
                    ) AS line
                    GROUP BY journal_entry_id
                ) AS posted ON posted.journal_entry_id = entry.id
                FULL JOIN purchase_reversal AS told ON told.journal_entry_id = entry.id
                LEFT JOIN purchase ON purchase.id = told.purchase_id
                WHERE NOT coalesce(
                    purchase.journal_entry_id = entry.purchase_entry_id AND told.amount = coalesce(posted.won, 0)
                    AND coalesce(posted.transferred, 0) = CASE WHEN told.is_transfer THEN told.amount ELSE 0 END
                    AND told.coins = coalesce(posted.coins, 0) AND told.bonus_coins = coalesce(posted.bonus_coins, 0),
                    false)
                """),
        Doctor.Check(
            "purchase_charged_differs",
            proves: "each purchase's charged coins are those of its reversals, and each refund's those of its own",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    'has ' || purchase.charged_coins || ' charged coins, its reversals ' || coalesce(told.coins, 0) AS detail
                FROM purchase
                LEFT JOIN (
                    SELECT purchase_id, sum(charged_coins) AS coins FROM purchase_reversal GROUP BY purchase_id
                ) AS told ON told.purchase_id = purchase.id
                WHERE purchase.charged_coins <> coalesce(told.coins, 0)
                UNION ALL
                SELECT 'refund:' || refund.id,
                    'took ' || refund.coins || ' paid and ' || refund.bonus_coins || ' bonus coins, ' || refund.bonus_charged
                        || ' of the paid ones charged, for ' || refund.amount || ' won; told: '
                        || coalesce(told.coins || ', ' || told.bonus_coins || ', ' || told.charged_coins || ' for '
                            || told.amount, 'nothing')
                FROM refund
                LEFT JOIN purchase_reversal AS told ON told.journal_entry_id = refund.reversal_entry_id
                WHERE refund.reversal_entry_id IS NOT NULL AND (
                    told.purchase_id, told.amount, told.coins, told.bonus_coins, told.charged_coins, told.is_transfer,
                    told.foreign_amount)
                    IS DISTINCT FROM (
                        refund.purchase_id, refund.amount, refund.coins::numeric - refund.bonus_charged,
                        refund.bonus_coins::numeric + refund.bonus_charged, refund.bonus_charged,
                        refund.method = 'bank_transfer', refund.foreign_amount)
                """),
        Doctor.Check(
            "purchase_refunded_with_coins_left",
            proves:
                "a fully refunded purchase has no coins left, except held ones, and released or returned used ones",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    'all of ' || purchase.amount || ' refunded, but ' || coins.remaining || ' coins are left' AS detail
                FROM purchase
                JOIN (
                    -- Coins past their expiry do not count: nobody can use them.
                    SELECT purchase_id, sum(held) AS held,
                        sum(remaining) FILTER (WHERE expires_at IS NULL OR expires_at > now()) AS remaining
                    FROM lot
                    WHERE purchase_id IS NOT NULL AND remaining + held > 0
                    GROUP BY purchase_id
                ) AS coins ON coins.purchase_id = purchase.id
                LEFT JOIN (
                    SELECT entry.reverses, sum(posting.amount) AS coins
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id AND posting.side = 'D'
                    JOIN account ON account.id = posting.account_id AND account.code LIKE 'debt:%'
                    WHERE entry.kind = 'claw_back'
                    GROUP BY entry.reverses
                ) AS owed ON owed.reverses = purchase.journal_entry_id
                LEFT JOIN (
                    SELECT lot.purchase_id, sum(coin_return.coins) AS coins
                    FROM coin_return JOIN lot ON lot.id = coin_return.lot_id
                    GROUP BY lot.purchase_id
                ) AS back ON back.purchase_id = purchase.id
                WHERE purchase.refunded_amount = purchase.amount AND coins.held = 0
                    AND coins.remaining > coalesce(owed.coins, 0) + coalesce(back.coins, 0)
                """),
        Doctor.Check(
            "purchase_differs_from_order", proves: "each purchase has the user, product, price and coins of its order",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject, 'differs from order ' || ordered.id AS detail
                FROM purchase
                JOIN "order" AS ordered USING (merchant_uid)
                WHERE purchase.user_id <> \(UserAliases.now("ordered.user_id"))
                    OR coalesce(purchase.foreign_amount, purchase.amount) <> ordered.amount
                    OR coalesce(purchase.foreign_currency, purchase.currency) <> ordered.currency
                    OR purchase.coins <> ordered.coins
                    OR purchase.bonus_coins <> ordered.bonus_coins OR purchase.product <> ordered.product
                """),
        Doctor.Check(
            "lot_differs_from_order",
            proves: "the coins of an order live as long as it says, and have its rule of VAT",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    lot.kind || ' coins of ' || lot.acquired_at || ', expiring ' || coalesce(first.expires_at::text, 'never')
                        || coalesce(', with VAT ' || lot.vat, '') || '; order ' || ordered.id || ' has '
                        || coalesce(life.days || ' days', 'no days') || coalesce(' and VAT ' || ordered.vat, '') AS detail
                FROM lot
                JOIN purchase ON purchase.id = lot.purchase_id
                JOIN "order" AS ordered ON ordered.merchant_uid = purchase.merchant_uid
                LEFT JOIN (
                    SELECT lot_id, min(expired_at) AS expired_at FROM coin_return
                    WHERE expired_at IS NOT NULL
                    GROUP BY lot_id
                ) AS extended ON extended.lot_id = lot.id
                CROSS JOIN LATERAL (SELECT coalesce(extended.expired_at, lot.expires_at) AS expires_at) AS first
                CROSS JOIN LATERAL (
                    SELECT days, first.expires_at - lot.acquired_at - days * interval '24 hours' AS beyond
                    FROM (VALUES (CASE lot.kind WHEN 'paid' THEN ordered.coin_days ELSE ordered.bonus_coin_days END))
                        AS sold (days)
                ) AS life
                WHERE lot.kind = 'paid' AND lot.vat <> ordered.vat
                    OR life.days = 0 AND first.expires_at IS NOT NULL
                    -- Exact days begin when the payment was looked at, by the service's clock: well within half a day of the
                    -- credit, also if the database was away between. Whole days end at the next midnight after the exact
                    -- ones, an hour earlier or later if clocks were set meanwhile; midnights of all time zones are at
                    -- quarters of an hour in UTC.
                    OR life.days > 0 AND NOT coalesce(
                        life.beyond BETWEEN interval '-12 hours' AND interval '12 hours'
                            OR life.beyond BETWEEN interval '-1 hour' AND interval '25 hours'
                                AND extract(epoch FROM first.expires_at) % 900 = 0, false)
                """),
        Doctor.Check(
            "order_differs_from_product",
            proves: "each order has the price, coins and rules of a product that was on sale",
            sql: """
                SELECT 'order:' || ordered.id AS subject,
                    ordered.coins || ' and ' || ordered.bonus_coins || ' coins for ' || ordered.amount || ' '
                        || ordered.currency || ' were not on sale as ' || ordered.product || ' at ' || ordered.created_at
                    AS detail
                FROM "order" AS ordered
                WHERE NOT EXISTS (
                    SELECT FROM product
                    WHERE product.code = ordered.product AND product.coins = ordered.coins
                        AND (product.price = ordered.amount AND product.currency = ordered.currency
                            OR EXISTS (
                                SELECT FROM product_price AS price
                                WHERE price.product = ordered.product AND price.currency = ordered.currency
                                    AND price.amount = ordered.amount
                                    -- Both were read at one moment.
                                    AND tstzrange(price.active_from, price.active_until)
                                        && tstzrange(product.active_from, product.active_until)
                                    AND price.active_from <= ordered.created_at + interval '1 hour'
                                    AND coalesce(price.active_until >= ordered.created_at - interval '1 hour', true)))
                        AND product.bonus_coins = ordered.bonus_coins
                        AND product.coin_days IS NOT DISTINCT FROM ordered.coin_days
                        AND product.bonus_coin_days IS NOT DISTINCT FROM ordered.bonus_coin_days
                        -- Orders of before there was VAT have no rule.
                        AND product.vat = coalesce(ordered.vat, product.vat)
                        -- The order is stored after it was announced to the gateway; a new primary's clock can be behind.
                        AND product.active_from <= ordered.created_at + interval '1 hour'
                        AND coalesce(product.active_until >= ordered.created_at - interval '1 hour', true))
                """),
        Doctor.Check(
            "payment_name_misfits_purchase",
            proves: "each further name of a payment has its purchase's order, and is no purchase's own name",
            sql: """
                SELECT 'purchase:' || name.purchase_id AS subject,
                    'is not of ' || name.imp_uid || ' at ' || name.gateway || ', order ' || name.merchant_uid AS detail
                FROM payment_name AS name
                LEFT JOIN purchase ON purchase.id = name.purchase_id
                LEFT JOIN purchase AS own ON own.imp_uid = name.imp_uid AND own.gateway = name.gateway
                WHERE own.id IS NOT NULL OR purchase.id IS NULL OR purchase.merchant_uid <> name.merchant_uid
                    OR purchase.gateway = name.gateway
                """),
        Doctor.Check(
            "store_purchase_without_delivery",
            proves: "each purchase in a store has the record by which the store is told that it is delivered",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject, 'nobody is to tell ' || purchase.gateway || ' of it' AS detail
                FROM purchase
                LEFT JOIN store_delivery AS delivery ON delivery.purchase_id = purchase.id
                WHERE purchase.gateway IN (\(stores)) AND delivery.id IS NULL
                """),
    ]

    /// Whether the column `code` is of an account of what gateways owe.
    static let isReceivable = SystemAccount.isReceivable("code")
    private static let stores = SystemAccount.stores.map { "'\($0)'" }.joined(separator: ", ")
    private static let payable = SystemAccount.refundsPayable.rawValue
    private static let bank = SystemAccount.bank.rawValue
    private static let issued = SystemAccount.coinsIssued.rawValue
    private static let promotions = SystemAccount.coinsPromotions.rawValue
}
