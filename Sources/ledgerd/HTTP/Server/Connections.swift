import Metrics
import NIOCore
import Synchronization

/// The connections that are open, and which of them makes room when there are too many.
///
/// Those on which nothing was ever asked go first, then the longest idle: it costs their clients least, and it is what
/// somebody who opens connections for their own sake has most of.
final class Connections: Sendable {
    let limit: Int
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])
    private let openGauge: Meter
    private let ended: [Connection.End: Counter]

    init(limit: Int, metrics: any MetricsFactory = MetricsSystem.factory) {
        self.limit = limit
        openGauge = Meter(label: "ledgerd_http_connections_open", factory: metrics)
        ended = Dictionary(
            uniqueKeysWithValues: Connection.End.allCases.map { end in
                let reason = [("reason", end.rawValue)]
                return (
                    end, Counter(label: "ledgerd_http_connections_ended_total", dimensions: reason, factory: metrics)
                )
            })
        Meter(label: "ledgerd_http_connections_limit", factory: metrics).set(limit)
        openGauge.set(0)
    }

    /// Takes a new connection in.
    ///
    /// When there are too many, the idlest leave; when none is idle, the new one is surplus.
    func add(_ connection: Connection) {
        let leaving = open.withLock { open in
            open[ObjectIdentifier(connection)] = connection
            let surplus = open.count - limit
            let leaving = surplus > 0 ? idlest(of: open.values, besides: connection, most: surplus + limit / 64) : nil
            // Counted no longer, or connections that come before these are closed would send none but them away.
            for idle in leaving ?? [] { open[ObjectIdentifier(idle)] = nil }
            openGauge.set(open.count)
            return leaving
        }
        guard let leaving else { return }
        if leaving.isEmpty { connection.becomeSurplus() }
        for idle in leaving { idle.makeRoom() }
    }

    /// Takes one back that was to leave, and was asked something before it did.
    func keep(_ connection: Connection) {
        open.withLock { open in
            open[ObjectIdentifier(connection)] = connection
            openGauge.set(open.count)
        }
    }

    func remove(_ connection: Connection) {
        open.withLock { open in
            open[ObjectIdentifier(connection)] = nil
            openGauge.set(open.count)
        }
    }

    func count(_ end: Connection.End) { ended[end]?.increment() }

    /// A few at once, so that a flood of new connections does not walk through all of them for each.
    private func idlest(
        of open: Dictionary<ObjectIdentifier, Connection>.Values, besides new: Connection, most: Int
    ) -> [Connection] {
        let idle = open.compactMap { other in
            other === new ? nil : other.idleSince.map { (wasUsed: other.wasUsed ? 1 : 0, since: $0, connection: other) }
        }
        return idle.sorted { ($0.wasUsed, $0.since) < ($1.wasUsed, $1.since) }.prefix(most).map(\.connection)
    }
}

/// One open connection, as its handlers and the others' register know it.
///
/// Its handlers write to it on its event loop; others only read.
final class Connection: Sendable {
    /// Why the service ended a connection that its client had not done with.
    enum End: String, CaseIterable {
        /// To make room for others, while it was idle.
        case evicted
        /// No place was left.
        case refused
        /// What came is not HTTP as the service reads it.
        case malformed
        case requestTimeout = "request_timeout"
        case writeTimeout = "write_timeout"
    }

    private let channel: any Channel
    private let connections: Connections
    /// 0 while a request is under way.
    private let idleSinceNanoseconds: Atomic<UInt64>
    private let used = Atomic(false)
    private let surplus = Atomic(false)

    init(channel: any Channel, in connections: Connections) {
        self.channel = channel
        self.connections = connections
        idleSinceNanoseconds = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    /// Since when no request has been under way; nil while one is.
    var idleSince: UInt64? {
        let since = idleSinceNanoseconds.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }

    /// Whether it came when there were too many, and none to make room.
    var isSurplus: Bool { surplus.load(ordering: .relaxed) }

    /// Serves it no further than to say that there are too many, and not for long if nothing is asked.
    func becomeSurplus() {
        surplus.store(true, ordering: .relaxed)
        channel.eventLoop.scheduleTask(in: .seconds(2)) { [self] in makeRoom() }
    }

    /// Whether a request has come on it.
    var wasUsed: Bool { used.load(ordering: .relaxed) }

    func setBusy() {
        used.store(true, ordering: .relaxed)
        idleSinceNanoseconds.store(0, ordering: .relaxed)
    }

    func setIdle() { idleSinceNanoseconds.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    func count(_ end: End) { connections.count(end) }

    /// Closes it, unless a request has come in the meantime.
    func makeRoom() {
        channel.eventLoop.execute { [self] in
            guard channel.isActive else { return }
            guard idleSince != nil else { return connections.keep(self) }
            count(.evicted)
            channel.close(promise: nil)
        }
    }
}
