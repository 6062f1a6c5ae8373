import Postgres

/// The lots that an event is about, or the first of them.
struct EventLots: Sendable {
    /// The first ``EventEntry/mostLots``.
    var first: [LotUse] = []
    /// The number of all.
    var count: Int64 = 0
}

/// Where the next page of an event's lots begins: after so many of them.
package struct EventLotCursor: Sendable, Codable, Equatable {
    package let place: Int64
}

extension EventFacts {
    /// What the outcome of a spend or capture tells of the lots that were used.
    static let lotsInOutcome = "coalesce(outcome #> '{spent,_0,lots}', outcome #> '{holdCaptured,_0,lots}', '[]')"

    /// The lots of an event after so many, in the order in which the event has them; nil: it has none.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func lots(of row: EventRow, after place: Int64, limit: Int) -> PostgresQuery<[LotUse]>? {
        switch row.kind?.row.lots {
        case .used:
            return uses(
                """
                SELECT (use ->> 'lotID')::int8, use ->> 'kind', (use ->> 'coins')::int8, (use ->> 'amount')::int8
                FROM idempotency
                CROSS JOIN LATERAL jsonb_array_elements(\(lotsInOutcome)) WITH ORDINALITY AS told (use, place)
                WHERE journal_entry_id = $1 AND command IN ('spend', 'capture')
                ORDER BY place
                """, row.id, place, limit)
        case .returned:
            // In the order of the primary key, so that no plan reads the index of lots as a whole (decision 0002).
            return uses(
                """
                SELECT lot_id, lot.kind, back.coins, back.amount
                FROM coin_return AS back
                CROSS JOIN LATERAL (SELECT kind FROM lot WHERE lot.id = back.lot_id OFFSET 0) AS lot
                WHERE back.journal_entry_id = ANY(ARRAY[$1::bigint])
                ORDER BY back.journal_entry_id, lot_id
                """, row.id, place, limit)
        case .held:
            return row.id(of: "hold").map { hold in
                uses(
                    """
                    SELECT lot_id, lot.kind, hold_lot.coins, 0::int8
                    FROM hold_lot
                    CROSS JOIN LATERAL (SELECT kind FROM lot WHERE lot.id = hold_lot.lot_id OFFSET 0) AS lot
                    WHERE hold_id = $1
                    ORDER BY place
                    """, hold, place, limit)
            }
        case nil: return nil
        }
    }

    private static func uses(_ sql: String, _ id: Int64, _ place: Int64, _ limit: Int) -> PostgresQuery<[LotUse]> {
        PostgresQuery("\(sql) OFFSET $2 LIMIT $3", [id, place, Int64(limit + 1)]) { row in
            LotUse(lotID: try row[0], kind: try row.decode(1), coins: try row[2], amount: try row[3])
        }
    }
}

extension Events {
    /// The lots that an event is about, in the order of the event; nil: there is no such event.
    package func lots(
        of seq: Int64, after cursor: EventLotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<LotUse, EventLotCursor>? {
        try await reading {
            try await pool.withConnection { connection in
                guard let row = try await connection.run(EventRow.find([seq])).first else { return nil }
                let place = max(0, cursor?.place ?? 0)
                guard let query = EventFacts.lots(of: row, after: place, limit: limit) else {
                    return Page(elements: [], next: nil)
                }
                return Page(try await connection.run(query), limit: limit) { shown in
                    EventLotCursor(place: place + Int64(shown.count))
                }
            }
        }
    }
}
