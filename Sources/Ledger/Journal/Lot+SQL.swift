import Postgres

extension Lot {
    static func insert(_ lots: [Lot]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO lot (
                id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, expires_at,
                purchase_id, journal_entry_id)
            SELECT id, stripe, user_id, kind, coins, coins, amount, amount, 'KRW', acquired_at, expires_at,
                purchase_id, journal_entry_id
            FROM unnest(
                $1::int8[], $2::int8[], $3::text[], $4::text[], $5::int8[], $6::int8[], $7::timestamptz[],
                $8::timestamptz[], $9::int8[], $10::int8[])
                AS new (
                    id, stripe, user_id, kind, coins, amount, acquired_at, expires_at, purchase_id, journal_entry_id)
            """,
            [
                lots.map(\.id), lots.map(\.stripe.number), lots.map(\.user.rawValue), lots.map(\.kind.rawValue),
                lots.map(\.coins), lots.map(\.amount), lots.map(\.acquiredAt), lots.map(\.expiresAt),
                lots.map(\.purchaseID), lots.map(\.journalEntryID),
            ])
    }
}
