extension Doctor.Check {
    /// Campaigns give what they reserved, once, and their sums are those of their lots.
    static let campaigns: [Doctor.Check] = [
        Doctor.Check(
            "campaign_grant_differs",
            proves: "each grant of a campaign is the lot of one of its users, of the coins that were reserved",
            sql: """
                SELECT 'lot:' || given.lot_id AS subject,
                    given.coins || ' coins of campaign ' || given.campaign_id || ' for ' || given.user_id || '; the lot '
                        || CASE WHEN lot.id IS NULL THEN 'does not exist'
                            ELSE 'has ' || lot.coins || ' of entry ' || lot.journal_entry_id || ' for ' || lot.user_id END
                        || ', and the campaign reserved ' || coalesce(share.coins::text, 'none') AS detail
                FROM campaign_grant AS given
                LEFT JOIN lot ON lot.id = given.lot_id
                LEFT JOIN journal_entry AS entry ON entry.id = given.journal_entry_id
                LEFT JOIN campaign ON campaign.id = given.campaign_id
                -- Of any of the user's ids.
                LEFT JOIN LATERAL (
                    SELECT coins FROM campaign_user AS asked
                    WHERE asked.campaign_id = given.campaign_id AND asked.refusal IS NULL
                        AND asked.user_id = ANY \(UserAliases.names(of: UserAliases.now("given.user_id")))
                        AND (asked.number IS NULL OR asked.number <= campaign.taken_to)
                    ORDER BY asked.user_id <> given.user_id, asked.coins <> given.coins LIMIT 1
                ) AS share ON true
                WHERE NOT coalesce(
                    (\(UserAliases.now("lot.user_id")), lot.coins, lot.kind, lot.journal_entry_id, lot.issuer)
                        = (\(UserAliases.now("given.user_id")), given.coins, 'bonus', given.journal_entry_id, campaign.name)
                    AND share.coins = given.coins AND entry.kind = 'grant'
                    AND (entry.reason = campaign.reason OR EXISTS (
                        SELECT FROM entry_salt WHERE entry_salt.entry_id = entry.id AND entry_salt.salt IS NULL)), false)
                """),
        Doctor.Check(
            "campaign_sum_differs",
            proves: "what became of the coins of each campaign is the sum of its lots, in the stripe of each user",
            sql: """
                SELECT 'campaign:' || coalesce(kept.campaign_id, found.campaign_id) AS subject,
                    'stripe ' || coalesce(kept.stripe, found.stripe) || ' has ' || coalesce(kept.sums::text, 'no sums')
                        || ' (users, given, remaining, expired, voided); its lots have '
                        || coalesce(found.sums::text, 'none') AS detail
                FROM (
                    SELECT campaign_id, stripe, ARRAY[users, given, remaining, expired, voided]::numeric[] AS sums
                    FROM campaign_sum
                ) AS kept
                FULL JOIN (
                    SELECT given.campaign_id, coalesce(alias.stripe, entry.stripe) AS stripe,
                        ARRAY[
                            count(*), sum(given.coins), sum(lot.remaining + lot.held), sum(lot.expired),
                            sum(coalesce(void.coins, 0))]::numeric[] AS sums
                    FROM campaign_grant AS given
                    JOIN lot ON lot.id = given.lot_id
                    JOIN journal_entry AS entry ON entry.id = given.journal_entry_id
                    LEFT JOIN user_alias AS alias ON alias.former = given.user_id
                    LEFT JOIN (
                        SELECT lot_id, sum(coins) AS coins FROM grant_void GROUP BY lot_id
                    ) AS void ON void.lot_id = given.lot_id
                    GROUP BY given.campaign_id, coalesce(alias.stripe, entry.stripe)
                ) AS found ON found.campaign_id = kept.campaign_id AND found.stripe = kept.stripe
                WHERE kept.sums IS DISTINCT FROM found.sums
                """),
        Doctor.Check(
            "campaign_users_differ",
            proves: "a campaign reserves the coins of its users, and no more than its budget and what was voided",
            sql: """
                SELECT 'campaign:' || campaign.id AS subject,
                    'has ' || ARRAY[campaign.users, campaign.asked, campaign.reserved, campaign.refused]::text
                        || ' (users, asked, reserved, refused) of ' || campaign.budget || '; its users have '
                        || ARRAY[found.users, found.asked, found.reserved, found.refused]::text AS detail
                FROM campaign
                CROSS JOIN LATERAL (
                    SELECT count(number) AS users, coalesce(sum(coins) FILTER (WHERE refusal IS NULL), 0) AS asked,
                        coalesce(sum(coins) FILTER (
                            WHERE refusal IS NULL AND (number IS NULL OR number <= campaign.taken_to)), 0) AS reserved,
                        count(refusal) AS refused
                    FROM campaign_user WHERE campaign_id = campaign.id
                ) AS found
                CROSS JOIN LATERAL (
                    SELECT coalesce(sum(voided), 0) AS voided FROM campaign_sum WHERE campaign_id = campaign.id
                ) AS sums
                WHERE (campaign.users, campaign.asked, campaign.reserved, campaign.refused)
                        <> (found.users, found.asked, found.reserved, found.refused)
                    OR campaign.reserved > campaign.budget + sums.voided
                """),
    ]
}
