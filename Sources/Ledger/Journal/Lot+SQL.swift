import Foundation
import Postgres

extension Lot {
    /// The open lots that came of these payments.
    static func open(of payments: [PaymentIdentity]) -> PostgresQuery<[Lot]> {
        // By user, whose open lots are few and indexed; an index by purchase would be paid for by every purchase.
        PostgresQuery(
            """
            SELECT lot.id, lot.stripe, lot.user_id, lot.kind, lot.coins, lot.amount, lot.acquired_at, lot.expires_at,
                lot.purchase_id, lot.journal_entry_id, lot.remaining, lot.deferred
            FROM unnest($1::text[], $2::text[]) AS asked (gateway, imp_uid)
            JOIN purchase USING (gateway, imp_uid)
            JOIN lot ON lot.user_id = purchase.user_id AND lot.remaining > 0 AND lot.purchase_id = purchase.id
            ORDER BY lot.id
            """,
            [payments.map(\.gateway), payments.map(\.impUID)],
            row: decode)
    }

    static func insert(_ lots: [Lot]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO lot (
                id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, expires_at,
                purchase_id, journal_entry_id)
            SELECT id, stripe, user_id, kind, coins, remaining, amount, deferred, 'KRW', acquired_at, expires_at,
                purchase_id, journal_entry_id
            FROM unnest(
                $1::int8[], $2::int8[], $3::text[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::timestamptz[], $10::timestamptz[], $11::int8[], $12::int8[])
                AS new (
                    id, stripe, user_id, kind, coins, remaining, amount, deferred, acquired_at, expires_at,
                    purchase_id, journal_entry_id)
            """,
            [
                lots.map(\.id), lots.map(\.stripe.number), lots.map(\.user.rawValue), lots.map(\.kind.rawValue),
                lots.map(\.coins), lots.map(\.remaining), lots.map(\.amount), lots.map(\.deferred),
                lots.map(\.acquiredAt), lots.map(\.expiresAt), lots.map(\.purchaseID), lots.map(\.journalEntryID),
            ])
    }

    /// Writes what is left of lots.
    static func update(_ lots: [Lot]) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE lot SET remaining = new.remaining, deferred = new.deferred
            FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS new (id, remaining, deferred)
            WHERE lot.id = new.id
            """,
            [lots.map(\.id), lots.map(\.remaining), lots.map(\.deferred)])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Lot {
        Lot(
            id: try row[0], stripe: Stripe(number: try row[1]), user: try row.decode(2), kind: try row.decode(3),
            coins: try row[4], amount: try row[5], acquiredAt: try row[6], expiresAt: try row[7],
            purchaseID: try row[8], journalEntryID: try row[9], remaining: try row[10], deferred: try row[11])
    }
}
