import Postgres

/// Delivers events to endpoints: who does it, what is next, and what became of it.
///
/// One process at a time delivers the events of an endpoint. It holds an advisory lock of PostgreSQL, which ends with
/// its connection, so a crash delays nothing. A process that lost its connection and does not know it can't store
/// anything, because the next turn has another number.
package struct Deliveries: Sendable {
    private let pools: Pools
    private let database: PostgresConfiguration

    init(_ pools: Pools, database: PostgresConfiguration) {
        self.pools = pools
        self.database = database
    }

    /// Lends the locks of endpoints; they end with the closure.
    package func withLocks(_ body: (EndpointLocks) async throws -> Void) async throws {
        try await PostgresConnection.with(database) { connection in
            try await body(EndpointLocks(connection: connection))
        }
    }

    /// All readers of enabled endpoints.
    package func overview() async throws(LedgerError) -> [ReaderOverview] {
        try await reading { try await pools.deliveries.run(DeliveryReader.overview) }
    }

    /// The number of endpoints that were disabled because of their receivers.
    package func disabled() async throws(LedgerError) -> Int {
        try await reading {
            try await pools.deliveries.run(
                .one("SELECT count(*) FROM endpoint WHERE status = 'disabled' AND status_reason <> 'requested'"))
        }
    }

    /// The number of the latest event, 0 if there is none.
    package func lastEvent() async throws(LedgerError) -> Int64 {
        try await reading { try await pools.deliveries.run(EventHeading.last) }
    }

    /// Type and user of events after one, in order.
    package func headings(after seq: Int64, limit: Int) async throws(LedgerError) -> [EventHeading] {
        try await reading { try await pools.deliveries.run(EventHeading.list(after: seq, limit: limit)) }
    }

    /// Begins a turn; the caller has the endpoint's lock.
    ///
    /// - Returns: nil when the endpoint is not enabled.
    package func begin(_ endpoint: Int64) async throws(LedgerError) -> DeliveryTurn? {
        try await reading {
            guard let begun = try await pools.deliveries.run(DeliveryTurn.begin(endpoint)) else { return nil }
            let readers = try await pools.deliveries.run(DeliveryReader.running(of: endpoint))
            return DeliveryTurn(endpoint: begun.endpoint, number: begun.number, readers: readers)
        }
    }

    /// The next events of a reader whose lanes do not wait.
    package func window(
        of reader: DeliveryReader, after position: Int64, _ filter: EndpointFilter, limit: Int
    ) async throws(LedgerError) -> DeliveryWindow {
        try await reading {
            // The end is read first: events that are numbered later are not looked at.
            let last = min(try await pools.deliveries.run(EventHeading.last), reader.until ?? .max)
            let events = try await pools.deliveries.run(
                reader.window(after: position, through: last, filter, limit: limit))
            let through = events.count < limit ? max(last, position) : events.last?.seq ?? position
            return DeliveryWindow(events: events, through: through)
        }
    }

    /// The next events of a waiting lane.
    package func owed(
        in lane: WaitingLane, of reader: DeliveryReader, through last: Int64, _ filter: EndpointFilter, limit: Int
    ) async throws(LedgerError) -> [OwedEvent] {
        try await reading {
            try await pools.deliveries.run(
                reader.owed(in: lane.lane, from: lane.seq, through: last, filter, limit: limit))
        }
    }

    /// The due lanes of a reader.
    package func dueLanes(
        of reader: DeliveryReader, besides busy: [String], limit: Int
    ) async throws(LedgerError) -> [WaitingLane] {
        try await reading { try await pools.deliveries.run(reader.dueLanes(besides: busy, limit: limit)) }
    }

    /// Stores what a turn did, in one transaction.
    ///
    /// Nothing is stored if the turn is not the latest of its endpoint.
    ///
    /// - Returns: whether the turn goes on: nobody took it over, or changed or disabled the endpoint.
    package func store(
        _ progress: DeliveryProgress, of turn: DeliveryTurn
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.deliveries.withConnection { connection in
                try await connection.transaction { connection in
                    guard let held = try connection.run(turn.hold) else {
                        return false
                    }
                    _ = try connection.pipeline(progress.statements(of: turn))
                    return held.version == turn.endpoint.version && held.status == "enabled" && progress.disable == nil
                }
            }
        }
    }
}

/// The locks of the endpoints whose events this process delivers.
package struct EndpointLocks: Sendable {
    let connection: PostgresConnection

    /// Takes the locks that no other process has.
    ///
    /// - Returns: the endpoints that were locked.
    package func take(_ endpoints: [Int64]) async throws -> [Int64] {
        try await connection.run(
            PostgresQuery(
                "SELECT id FROM unnest($1::bigint[]) AS id WHERE pg_try_advisory_lock(\(Self.space), id::integer)",
                [endpoints]))
    }

    /// Gives locks back.
    package func giveBack(_ endpoints: [Int64]) async throws {
        _ = try await connection.run(
            .affected(
                "SELECT pg_advisory_unlock(\(Self.space), id::integer) FROM unnest($1::bigint[]) AS id", [endpoints]))
    }

    /// Checks that the connection, and with it the locks, still exist.
    package func check() async throws { try await connection.execute("SELECT") }

    /// Keeps these locks apart from others.
    private static let space = 1_701_737_572
}

/// Type and user of an event.
package struct EventHeading: Sendable {
    package let seq: Int64
    package let type: String
    package let user: String?

    package init(seq: Int64, type: String, user: String?) {
        self.seq = seq
        self.type = type
        self.user = user
    }

    static let last = PostgresQuery<Int64>.one("SELECT coalesce(max(seq), 0) FROM event")

    static func list(after seq: Int64, limit: Int) -> PostgresQuery<[EventHeading]> {
        PostgresQuery(
            "SELECT seq, type, user_id FROM event WHERE seq > $1 ORDER BY seq LIMIT $2", [seq, Int64(limit)]
        ) { row in try row.make(EventHeading.init) }
    }
}

extension DeliveryProgress {
    fileprivate func statements(of turn: DeliveryTurn) -> [PostgresQuery<Int>] {
        let id = turn.endpoint.id
        var statements: [PostgresQuery<Int>] = []
        if !positions.isEmpty { statements.append(movePositions()) }
        if !waiting.isEmpty || !caughtUp.isEmpty { statements.append(Self.store(waiting + caughtUp)) }
        if !attempts.isEmpty { statements += [storeAttempts(at: id), storeGivenUp(at: id)] }
        if health != nil || disable != nil { statements.append(storeHealth(of: id)) }
        if isBack { statements.append(Self.hurry(id)) }
        if !caughtUp.isEmpty { statements.append(endLanes(of: turn.endpoint.filter, id)) }
        if turn.readers.contains(where: { $0.until != nil }) { statements.append(DeliveryReader.finish(id)) }
        return statements
    }
}
