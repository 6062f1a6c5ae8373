import Postgres
import Synchronization

/// Reads what happened, in order.
package struct Events: Sendable {
    /// The most events in a page.
    package static let mostInPage = 1000

    /// Numbers what happened.
    package let publisher: EventPublisher

    let pool: PostgresPool
    private let confirmed = Confirmed()

    init(_ pools: Pools) {
        pool = pools.events
        publisher = EventPublisher(pools)
    }

    /// The events after a number, in order.
    ///
    /// - Parameter limit: the most events, 1 to ``mostInPage``.
    package func list(
        after seq: Int64, _ filter: EventFilter = .all, limit: Int
    ) async throws(LedgerError) -> EventPage {
        try await reading {
            try await pool.withConnection { connection in
                let part = try await connection.run(EventRow.after(seq, filter, limit: limit))
                let facts = try await EventFacts.load(for: part.rows, on: connection)
                if let last = part.rows.last { try await confirm(last.seq, on: connection) }
                return EventPage(events: part.rows.map(facts.event), next: part.last, hasMore: !part.isWhole)
            }
        }
    }

    /// The event with this number; nil: there is none yet.
    package func find(_ seq: Int64) async throws(LedgerError) -> Event? {
        try await find([seq]).first
    }

    /// The events with these numbers, in order.
    ///
    /// A number without an event is left out.
    package func find(_ seqs: [Int64]) async throws(LedgerError) -> [Event] {
        try await reading {
            try await pool.withConnection { connection in
                let rows = try await connection.run(EventRow.find(seqs))
                let facts = try await EventFacts.load(for: rows, on: connection)
                if let last = rows.last { try await confirm(last.seq, on: connection) }
                return rows.map(facts.event)
            }
        }
    }

    /// The latest events, newest first.
    ///
    /// - Parameter limit: the most events, 1 to ``mostInPage``.
    package func latest(
        before cursor: EventCursor? = nil, _ filter: EventFilter = .all, limit: Int
    ) async throws(LedgerError) -> Page<Event, EventCursor> {
        try await reading {
            let found = try await pool.run(EventRow.before(cursor?.seq ?? .max, filter, limit: limit))
            return Page(
                elements: Array(try await find(found.seqs).reversed()), next: found.next.map(EventCursor.init(seq:)))
        }
    }

    /// The number of the last event; 0: there is none.
    package func last() async throws(LedgerError) -> Int64 {
        try await reading { try await pool.run(Self.last) }
    }

    private static let last = PostgresQuery<Int64>.one("SELECT coalesce(max(seq), 0) FROM event") { row in try row[0] }

    /// Waits until the synchronous standbys have the events up to a number.
    ///
    /// An event that a cancelled wait made visible too early could be lost with the primary, and its number would be
    /// given to another (decision 0115).
    private func confirm(_ seq: Int64, on connection: PostgresConnection) async throws {
        guard confirmed.last.load(ordering: .relaxed) < seq else { return }
        _ = try await connection.run(Replication.mark)
        confirmed.last.max(seq, ordering: .relaxed)
    }
}

/// The number of the last event that the standbys are known to have.
private final class Confirmed: Sendable {
    let last = Atomic<Int64>(0)
}
