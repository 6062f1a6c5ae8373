import Metrics
import NIOCore
import Synchronization

/// The open connections.
///
/// Above the limit, idle ones are closed.
///
/// Connections without any request are closed first, then those with the longest idle time. This disturbs clients
/// least, and such connections are typical of an attacker.
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

    /// Adds a new connection.
    ///
    /// Above the limit, the connections with the longest idle time are closed; if none is idle, the new one is surplus.
    func add(_ connection: Connection) {
        let leaving = open.withLock { open in
            open[ObjectIdentifier(connection)] = connection
            let surplus = open.count - limit
            let leaving = surplus > 0 ? idlest(of: open.values, besides: connection, most: surplus + limit / 64) : nil
            // They are not counted any more, so that connections that arrive before they are closed evict other ones.
            for idle in leaving ?? [] { open[ObjectIdentifier(idle)] = nil }
            openGauge.set(open.count)
            return leaving
        }
        guard let leaving else { return }
        if leaving.isEmpty { connection.becomeSurplus() }
        for idle in leaving { idle.makeRoom() }
    }

    /// Adds a connection again that got a request before it was closed.
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

    /// Returns several connections at once, so that not every new connection needs a search through all of them.
    private func idlest(
        of open: Dictionary<ObjectIdentifier, Connection>.Values, besides new: Connection, most: Int
    ) -> [Connection] {
        let idle = open.compactMap { other in
            other === new ? nil : other.idleSince.map { (wasUsed: other.wasUsed ? 1 : 0, since: $0, connection: other) }
        }
        return idle.sorted { ($0.wasUsed, $0.since) < ($1.wasUsed, $1.since) }.prefix(most).map(\.connection)
    }
}

/// The state of one open connection.
///
/// Only its handlers change it, on its event loop; other threads read it.
final class Connection: Sendable {
    /// The reason why the service closed a connection.
    enum End: String, CaseIterable {
        /// It was idle and closed in favour of other connections.
        case evicted
        /// There were too many connections, and none was idle.
        case refused
        /// It sent bytes that are not a valid HTTP request.
        case malformed
        case requestTimeout = "request_timeout"
        case writeTimeout = "write_timeout"
    }

    private let channel: any Channel
    private let connections: Connections
    /// 0 while a request is running.
    private let idleSinceNanoseconds: Atomic<UInt64>
    private let used = Atomic(false)
    private let surplus = Atomic(false)

    init(channel: any Channel, in connections: Connections) {
        self.channel = channel
        self.connections = connections
        idleSinceNanoseconds = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    /// The end of the last request; nil while a request is running.
    var idleSince: UInt64? {
        let since = idleSinceNanoseconds.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }

    /// Whether it arrived above the limit, while no other connection was idle.
    var isSurplus: Bool { surplus.load(ordering: .relaxed) }

    /// Marks it as surplus: its requests are refused, and it is closed soon if there are none.
    func becomeSurplus() {
        surplus.store(true, ordering: .relaxed)
        channel.eventLoop.scheduleTask(in: .seconds(2)) { [self] in makeRoom() }
    }

    /// Whether it has had a request.
    var wasUsed: Bool { used.load(ordering: .relaxed) }

    func setBusy() {
        used.store(true, ordering: .relaxed)
        idleSinceNanoseconds.store(0, ordering: .relaxed)
    }

    func setIdle() { idleSinceNanoseconds.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    func count(_ end: End) { connections.count(end) }

    /// Closes it, unless it has got a request meanwhile.
    func makeRoom() {
        channel.eventLoop.execute { [self] in
            guard channel.isActive else { return }
            guard idleSince != nil else { return connections.keep(self) }
            count(.evicted)
            channel.close(promise: nil)
        }
    }
}
