import Foundation
import Ledger
import Logging
import OutboundHTTP
import ServiceLifecycle
import Synchronization
import Timing

/// Delivers events to endpoints.
///
/// Several processes share the endpoints: each takes those that have work and that no other process works on.
struct DeliveryService: Service {
    private let ledger: Ledger
    private let keys: EndpointKeys
    private let transport: any HTTPTransport
    private let logger: Logger
    private let wakeup = Wakeup()

    /// The most endpoints that this process works on at the same time.
    private static let mostTurns = 512
    /// The time between two looks at all endpoints.
    private static let lookInterval: TimeInterval = 1
    /// The time between two records of metrics.
    private static let metricsInterval: TimeInterval = 5
    /// How long an endpoint whose turn failed is left alone.
    private static let cooling: TimeInterval = 2
    private static let pageSize = 10_000

    init(_ sender: EndpointSender, logger: Logger) {
        ledger = sender.ledger
        keys = sender.keys
        transport = sender.transport
        self.logger = logger
    }

    /// Makes the service look at once, by the tables that have news.
    var wakeups: [(list: String, Wakeup)] { ["event", "endpoint", "endpoint_reader"].map { ($0, wakeup) } }

    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(30), failure: "can't deliver events to endpoints now",
            recovery: "delivering events to endpoints again", logger: logger)
        await repetition.run {
            try await ledger.deliveries.withLocks { locks in
                let floor = Floor()
                try await withThrowingDiscardingTaskGroup { group in
                    do {
                        try await direct(on: floor, with: locks) { endpoint in
                            group.addTask { await work(on: endpoint, on: floor, with: locks) }
                        }
                    } catch {
                        // Without the locks, other processes may work on the same endpoints.
                        group.cancelAll()
                        throw error
                    }
                }
            }
            return .afterPause
        }
    }

    /// Begins turns until the service shuts down.
    private func direct(on floor: Floor, with locks: EndpointLocks, begin: (Int64) -> Void) async throws {
        var progress = ReaderProgress(head: try await ledger.deliveries.lastEvent())
        var (nextLook, nextMetrics) = (Time.current.now, Time.current.now)
        while !Repetition.isOver {
            let now = Time.current.now
            if nextLook <= now {
                try await locks.check()
                for gone in progress.update(try await ledger.deliveries.overview()) {
                    EndpointMetrics.setLag(0, of: gone)
                }
                nextLook = now + Self.lookInterval
            }
            try await readNews(into: &progress)
            for ending in floor.takeEndings() { progress.finish(ending) }
            if nextMetrics <= now {
                for (endpoint, lag) in progress.lags(at: now) { EndpointMetrics.setLag(lag, of: endpoint) }
                EndpointMetrics.setDisabled(try await ledger.deliveries.disabled())
                nextMetrics = now + Self.metricsInterval
            }
            let wanted = floor.free(of: progress.endpointsWithWork(at: now), most: Self.mostTurns, at: now)
            for endpoint in wanted.isEmpty ? [] : try await locks.take(wanted) {
                floor.begin(endpoint)
                begin(endpoint)
            }
            await cancelWhenGracefulShutdown { await wakeup.wait(atMost: .seconds(Self.lookInterval)) }
        }
    }

    private func readNews(into progress: inout ReaderProgress) async throws {
        while !Repetition.isOver {
            let news = try await ledger.deliveries.headings(after: progress.head, limit: Self.pageSize)
            progress.advance(over: news)
            if news.count < Self.pageSize { return }
        }
    }

    /// Delivers the events of one endpoint, and gives its lock back.
    private func work(on endpoint: Int64, on floor: Floor, with locks: EndpointLocks) async {
        var ending: EndpointTurn.Ending?
        do {
            ending = try await deliver(to: endpoint)
        } catch is CancellationError {
        } catch {
            logger.warning(
                "can't deliver to an endpoint now", metadata: ["endpoint": "\(endpoint)", "error": "\(error)"])
        }
        // A lock that is not given back ends with the connection.
        try? await locks.giveBack([endpoint])
        floor.end(endpoint, ending, coolUntil: ending == nil ? Time.current.now + Self.cooling : nil)
        wakeup.ring()
    }

    private func deliver(to endpoint: Int64) async throws -> EndpointTurn.Ending? {
        guard let begun = try await ledger.deliveries.begin(endpoint) else { return nil }
        guard let signer = keys.signer(of: begun.endpoint) else {
            throw LedgerError.unexpected("endpoint_key does not have the key that the endpoint's secret is made of")
        }
        let sender = WebhookSender(
            transport: transport, url: try HTTPURL(begun.endpoint.url, isBase: false), signer: signer)
        let turn = EndpointTurn(
            begun, sender: sender, ledger: ledger, logger: logger)
        return try await turn.run()
    }
}

/// The turns that run in this process.
private final class Floor: Sendable {
    private struct State {
        var running: Set<Int64> = []
        var coolUntil: [Int64: Date] = [:]
        var endings: [EndpointTurn.Ending] = []
    }

    private let state = Mutex(State())

    /// The endpoints among these that may begin a turn.
    func free(of endpoints: Set<Int64>, most: Int, at now: Date) -> [Int64] {
        state.withLock { state in
            state.coolUntil = state.coolUntil.filter { now < $0.value }
            let free = endpoints.filter { !state.running.contains($0) && state.coolUntil[$0] == nil }
            return Array(free.shuffled().prefix(max(0, most - state.running.count)))
        }
    }

    func begin(_ endpoint: Int64) { state.withLock { _ = $0.running.insert(endpoint) } }

    func end(_ endpoint: Int64, _ ending: EndpointTurn.Ending?, coolUntil: Date?) {
        state.withLock { state in
            state.running.remove(endpoint)
            state.coolUntil[endpoint] = coolUntil
            if let ending { state.endings.append(ending) }
        }
    }

    /// How far the turns got that ended since the last call.
    func takeEndings() -> [EndpointTurn.Ending] {
        state.withLock { state in
            defer { state.endings = [] }
            return state.endings
        }
    }
}
