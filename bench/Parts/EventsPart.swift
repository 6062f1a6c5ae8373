import Foundation
import Histogram
import Ledger
import LedgerTestSupport
import Logging
import Postgres
import Synchronization

/// Events: how fast a backlog is numbered, what publisher and reader cost purchases, and how late a reader learns.
struct EventsPart: MeasuredPart {
    static let name = "events"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await catchUp(scale, report)
        try await follow(scale, report)
    }

    /// Numbers the entries of a ledger that has no events.
    private func catchUp(_ scale: Scale, _ report: BenchReport) async throws {
        try await TestLedger.withDatabase { books in
            try await books.fill(entries: scale.exported / 4, users: max(scale.customers, scale.exported / 40))
            let (count, duration) = try await books.publishEvents()
            report.record(Figures.eventsPublished, Double(count) / (duration / .seconds(1)), .perSecond)
        }
    }

    /// Presents receipts while nobody publishes, and then with the publisher and one reader.
    private func follow(_ scale: Scale, _ report: BenchReport) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            // Publishers wait for this lock.
            let publisher = try await PostgresConnection.connect(PostgresConfiguration(url: service.books.ownerURL))
            _ = try await publisher.run(
                PostgresQuery<Int>.affected("SELECT pg_advisory_lock(\(EventPublisher.lockKey))"))
            let (alone, _, problems) = try await service.presentReceipts(
                clients: 128, delay: 0, named: "alone", scale)
            report.record(Figures.receiptsWithoutEvents, alone.rate, .perSecond, problems: problems, note: alone.note)
            _ = try await publisher.run(
                PostgresQuery<Int>.affected("SELECT pg_advisory_unlock(\(EventPublisher.lockKey))"))
            await publisher.close()

            let reader = try EventReader(of: service)
            try await reader.waitForEverything()
            reader.forget()
            let (followed, _, more) = try await service.presentReceipts(
                clients: 128, delay: 0, named: "followed", scale)
            report.record(
                Figures.receiptsWithEvents, followed.rate, .perSecond, problems: more, note: followed.note)
            try await reader.waitForEverything()
            let delays = reader.stop()
            report.record(
                Figures.eventDelay, Double(delays.valueAtPercentile(99)) / 1000, .milliseconds,
                note: "p50 \((Double(delays.valueAtPercentile(50)) / 1000).text) ms, \(delays.totalCount) events")
        }
    }
}

extension TestLedger {
    /// Numbers everything, and returns the number of new events and the time that it took.
    func publishEvents() async throws -> (count: Int64, duration: Duration) {
        let ledger = try await Ledger.open(
            LedgerConfiguration(database: try PostgresConfiguration(url: serviceURL)),
            logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        let start = ContinuousClock.now
        let count = try await ledger.events.publisher.publish()
        let duration = ContinuousClock.now - start
        await ledger.close()
        return (count, duration)
    }
}

/// A thread that reads events by long polls, and measures how long after its recording each event arrives.
private final class EventReader: Sendable {
    private struct State {
        var next: Int64
        var isStopped = false
        var delays = Histogram<UInt32>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
    }

    private static let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private let port: Int
    private let books: TestLedger
    private let state: Mutex<State>

    /// Starts after the last event.
    init(of service: ServiceUnderLoad) throws {
        port = service.ledgerd.port
        books = service.books
        state = Mutex(State(next: 0))
        Thread.detachNewThread { [self] in follow() }
    }

    /// Returns when every entry has been read.
    func waitForEverything() async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while try await books.number("SELECT count(*) FROM journal_entry") > state.withLock({ $0.next }) {
            guard ContinuousClock.now < deadline else {
                throw Program.Failed(description: "the reader of events did not catch up")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Measures from now on.
    func forget() { state.withLock { $0.delays.reset() } }

    func stop() -> Histogram<UInt32> {
        state.withLock { state in
            state.isStopped = true
            return state.delays
        }
    }

    private func follow() {
        let token = ServiceUnderLoad.token("reader", scope: "events")
        while !state.withLock({ $0.isStopped }) {
            let next = state.withLock { $0.next }
            let request = HTTPRequest("GET", "/v1/events?after=\(next)&wait=2&limit=1000", token: token)
            guard let answer = try? HTTPConnection(port: port).ask(request), answer.status == 200,
                let after = answer.body.lastMatch(of: "\"next\":").flatMap({ Int64($0) })
            else { continue }
            let now = Date()
            let delays = answer.body.allMatches(of: "\"recorded_at\":\"", until: "\"").compactMap { text in
                (try? Self.times.parse(text)).map { UInt64(max(0, now.timeIntervalSince($0) * 1_000_000)) }
            }
            state.withLock { state in
                state.next = after
                for delay in delays { state.delays.record(delay) }
            }
        }
    }
}

extension String {
    /// The digits after the last occurrence of a text.
    fileprivate func lastMatch(of text: String) -> Substring? {
        ranges(of: text).last.map { self[$0.upperBound...].prefix { $0.isNumber } }
    }

    /// What follows each occurrence of a text, up to another text.
    fileprivate func allMatches(of text: String, until end: Character) -> [String] {
        ranges(of: text).map { String(self[$0.upperBound...].prefix { $0 != end }) }
    }
}
