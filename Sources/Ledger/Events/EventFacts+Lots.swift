import Foundation
import Postgres

/// The queries of the coins and lots that entries moved.
extension EventFacts {
    static func movedOfHolds(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, coins: Int64)]> {
        PostgresQuery(
            "SELECT journal_entry_id, captured + released FROM hold_event WHERE journal_entry_id = ANY($1)", [entries]
        ) { row in (entry: try row[0], coins: try row[1]) }
    }

    static func lotsOfHolds(_ holds: [Int64]) -> PostgresQuery<[(hold: Int64, lots: EventLots)]> {
        PostgresQuery(
            """
            SELECT asked.hold_id, lot_id, lot.kind, hold_lot.coins, whole.lots
            FROM (SELECT DISTINCT hold_id FROM unnest($1::int8[]) AS told (hold_id)) AS asked
            CROSS JOIN LATERAL (
                SELECT count(*) AS lots FROM hold_lot WHERE hold_lot.hold_id = asked.hold_id OFFSET 0
            ) AS whole
            CROSS JOIN LATERAL (
                SELECT lot_id, coins, place FROM hold_lot
                WHERE hold_lot.hold_id = asked.hold_id ORDER BY place LIMIT $2
            ) AS hold_lot
            CROSS JOIN LATERAL (SELECT kind FROM lot WHERE lot.id = hold_lot.lot_id OFFSET 0) AS lot
            ORDER BY asked.hold_id, place
            """,
            [holds, Int64(EventEntry.mostLots)]
        ) { row in
            let use = LotUse(lotID: try row[1], kind: try row.decode(2), coins: try row[3], amount: 0)
            return (hold: try row[0], lots: EventLots(first: [use], count: try row[4]))
        }
    }

    static func reversed(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, reversal: Reversal)]> {
        PostgresQuery(
            """
            SELECT asked.journal_entry_id, redemption_id, (
                    SELECT outcome #>> '{holdCaptured,_0,provider}' FROM idempotency
                    WHERE idempotency.journal_entry_id = redemption_id AND command IN ('spend', 'capture')),
                lot_id, lot.kind, back.coins, back.amount, whole.coins, whole.amount, whole.lots
            FROM (SELECT DISTINCT journal_entry_id FROM unnest($1::int8[]) AS told (journal_entry_id)) AS asked
            CROSS JOIN LATERAL (
                SELECT count(*) AS lots, sum(coins)::int8 AS coins, sum(amount)::int8 AS amount FROM coin_return
                WHERE coin_return.journal_entry_id = asked.journal_entry_id OFFSET 0
            ) AS whole
            CROSS JOIN LATERAL (
                SELECT redemption_id, lot_id, coins, amount FROM coin_return
                WHERE coin_return.journal_entry_id = ANY(ARRAY[asked.journal_entry_id])
                ORDER BY coin_return.journal_entry_id, lot_id
                LIMIT $2
            ) AS back
            CROSS JOIN LATERAL (SELECT kind FROM lot WHERE lot.id = back.lot_id OFFSET 0) AS lot
            ORDER BY asked.journal_entry_id, lot_id
            """,
            [entries, Int64(EventEntry.mostLots)]
        ) { row in
            let use = LotUse(
                lotID: try row[3], kind: try row.decode(4), coins: try row[5], amount: try row[6])
            return (
                entry: try row[0],
                reversal: Reversal(
                    redemptionID: try row[1], provider: try row[2], coins: try row[7], amount: try row[8],
                    lots: EventLots(first: [use], count: try row[9]))
            )
        }
    }

    /// When lots expired before coins came back into them and changed that.
    static func firstExpiries(of lots: [Int64]) -> PostgresQuery<[(lot: Int64, expiresAt: Date)]> {
        PostgresQuery(
            """
            SELECT lot_id, min(expired_at) FROM coin_return WHERE lot_id = ANY($1) AND expired_at IS NOT NULL GROUP BY lot_id
            """,
            [lots]
        ) { row in (lot: try row[0], expiresAt: try row[1]) }
    }

    static func outcomes(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, outcome: Outcome)]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, jsonb_path_query_array(lots, '$[0 to \(EventEntry.mostLots - 1)]'), provider,
                jsonb_array_length(lots)::int8
            FROM (
                SELECT journal_entry_id, \(lotsInOutcome) AS lots, outcome #>> '{holdCaptured,_0,provider}' AS provider
                FROM idempotency
                WHERE journal_entry_id = ANY($1) AND command IN ('spend', 'capture')
            ) AS told
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                outcome: Outcome(
                    lots: EventLots(first: try row.decodeJSON(1, as: [LotUse].self), count: try row[3]),
                    provider: try row[2])
            )
        }
    }
}
