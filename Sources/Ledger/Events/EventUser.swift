/// Whose coins an entry moves, as SQL.
///
/// An entry's postings tell it too, but no index finds them. So it is found by what the entry refers to.
enum EventUser {
    /// The user of an entry; NULL: it belongs to no user.
    ///
    /// Scalar subqueries, because they are always look-ups by key: PostgreSQL can't turn them into joins that read
    /// whole tables.
    ///
    /// - Parameter entry: the table or alias with `id`, `kind` and `reference`.
    static func sql(of entry: StaticString) -> String {
        """
        CASE
        WHEN \(entry).kind = 'settlement' THEN NULL
        WHEN \(entry).kind = 'merge' THEN (
            SELECT CASE sent_entry_id WHEN \(entry).id THEN former ELSE user_id END FROM user_merge
            WHERE user_merge.former = substr(\(entry).reference, 7))
        WHEN EXISTS (SELECT FROM user_alias) THEN entry_user(\(entry).id, \(told(of: entry)))
        ELSE \(told(of: entry))
        END
        """
    }

    /// What a merge has moved is another user's now: `entry_user` tells whose it was when it was posted.
    private static func told(of entry: StaticString) -> String {
        """
        CASE
        WHEN \(entry).kind = 'spend' THEN (
            SELECT outcome #>> '{spent,_0,balance,user}' FROM idempotency
            WHERE journal_entry_id = \(entry).id AND command IN ('spend', 'capture'))
        WHEN \(entry).reference ~ '^spend:[0-9]{1,18}$' THEN (
            SELECT outcome #>> '{spent,_0,balance,user}' FROM idempotency
            WHERE journal_entry_id = substr(\(entry).reference, 7)::bigint AND command IN ('spend', 'capture'))
        WHEN \(entry).reference ~ '^purchase:[0-9]{1,18}$' THEN
            (SELECT user_id FROM purchase WHERE purchase.id = substr(\(entry).reference, 10)::bigint)
        WHEN \(entry).reference ~ '^hold:[0-9]{1,18}$' THEN
            (SELECT user_id FROM hold WHERE hold.id = substr(\(entry).reference, 6)::bigint)
        WHEN \(entry).reference ~ '^lot:[0-9]{1,18}$' THEN
            (SELECT user_id FROM lot WHERE lot.id = substr(\(entry).reference, 5)::bigint)
        WHEN \(entry).reference ~ '^refund:[0-9]{1,18}$' THEN
            (SELECT user_id FROM refund WHERE refund.id = substr(\(entry).reference, 8)::bigint)
        WHEN \(entry).reference ~ '^gift:[0-9]{1,18}$' THEN (
            SELECT CASE WHEN \(entry).kind IN ('gift_sent', 'gift_taken_back') THEN from_user ELSE to_user END
            FROM gift WHERE gift.id = substr(\(entry).reference, 6)::bigint)
        WHEN \(entry).reference LIKE 'user:%' THEN substr(\(entry).reference, 6)
        END
        """
    }
}
