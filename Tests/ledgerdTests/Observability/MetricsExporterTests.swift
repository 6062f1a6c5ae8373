import Foundation
import HTTPTestSupport
import HTTPTypes
import Hummingbird
import Metrics
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct MetricsExporterTests {
    /// A collector of metrics: it keeps what it is sent, and answers as the test wants.
    private final class Receiver: Sendable {
        struct State {
            var bodies: [[UInt8]] = []
            var headers: HTTPFields = [:]
            var status = 200
            var answer: [UInt8] = []
        }

        let state = Mutex(State())

        var requests: Int { state.withLock { $0.bodies.count } }
        var last: ExportedMetrics { get throws { try ExportedMetrics(state.withLock { $0.bodies.last } ?? []) } }

        func answer(_ status: Int, _ body: [UInt8] = []) {
            state.withLock { state in
                state.status = status
                state.answer = body
            }
        }

        func take(_ request: Request) async throws -> Response {
            let body = Array(buffer: try await request.body.collect(upTo: 1 << 20))
            return state.withLock { state in
                state.bodies.append(body)
                state.headers = request.headers
                return Response(
                    status: .init(code: state.status), body: .init(byteBuffer: ByteBuffer(bytes: state.answer)))
            }
        }
    }

    /// An exporter that runs each minute of a time that the test moves, and where it sends.
    private struct Exporting {
        let time: ManualTime
        let metrics: PrometheusMetrics
        let receiver: Receiver
        let log: LogCapture

        /// Has the next request be sent and answered.
        func next() async throws {
            await time.advance(by: .seconds(60))
            try await time.untilAsleep(for: .seconds(60))
        }

        func exports(_ outcome: String) -> Double {
            metrics.total(of: "ledgerd_metric_exports_total", with: [("outcome", outcome)]).value
        }

        func lines(_ message: String) -> Int { log.events.count { $0["msg"] as? String == message } }
    }

    /// Runs an exporter until `body` ends, then shuts it down.
    private func withExporter(_ body: @escaping @Sendable (Exporting) async throws -> Void) async throws -> Receiver {
        let receiver = Receiver()
        let router = Router()
        router.post("v1/metrics") { request, _ in try await receiver.take(request) }
        let app = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await app.test(.live) { client in
            try await ManualTime.with { time in
                let metrics = PrometheusMetrics()
                let log = LogCapture()
                let port = try #require(client.port)
                let endpoint = try #require(CollectorEndpoint.parse("http://127.0.0.1:\(port)", for: "metrics"))
                let exporter = MetricsExporter(
                    metrics, to: Collector(endpoint: endpoint, headers: [("api-key", "hush")]), each: .seconds(60),
                    logger: log.logger())
                // The library logs what a service without a name holds.
                let service = ServiceGroupConfiguration.ServiceConfiguration(service: exporter, serviceName: "exporter")
                let running = ServiceGroup(configuration: .init(services: [service], logger: log.logger()))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await running.run() }
                    try await time.untilAsleep(for: .seconds(60))
                    try await body(Exporting(time: time, metrics: metrics, receiver: receiver, log: log))
                    await running.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
        }
        return receiver
    }

    @Test func `the first request is sent at the start, one at each interval, and the last at the end`() async throws {
        let receiver = try await withExporter { exporting in
            #expect(exporting.receiver.requests == 1)
            try await exporting.next()
            try await exporting.next()
            #expect(exporting.receiver.requests == 3 && exporting.exports("accepted") == 3)
            Counter(label: "a_total", factory: exporting.metrics).increment(by: 7)
        }
        #expect(receiver.requests == 4)
        #expect(try receiver.last.value("a_total") == 7)
        let headers = receiver.state.withLock(\.headers)
        #expect(headers[.contentType] == "application/x-protobuf")
        #expect(HTTPField.Name("api-key").map { headers[$0] } == "hush")
        #expect(try receiver.last.resource["service.name"] == "ledgerd")
        #expect(try receiver.last.resource["service.instance.id"]?.count == 36)
    }

    @Test func `a collector gets the values that a scraper gets`() async throws {
        _ = try await withExporter { exporting in
            let metrics = exporting.metrics
            Counter(label: "a_total", dimensions: [("x", "1"), ("le", "a\"b")], factory: metrics).increment(by: 3)
            Counter(label: "a_total", dimensions: [("x", "2")], factory: metrics).increment()
            FloatingPointCounter(label: "process_cpu_seconds_total", factory: metrics).increment(by: 0.5)
            Meter(label: "ledgerd_posting_queue_depth", factory: metrics).set(5)
            Recorder(label: "batch_size", factory: metrics).record(3)
            Recorder(label: "batch_size", factory: metrics).record(5000)
            Metrics.Timer(label: "ledgerd_commit_seconds", factory: metrics).recordMilliseconds(3)
            let before = try PrometheusParser(metrics.render())
            try await exporting.next()
            let sent = try exporting.receiver.last
            let samples = before.samples.map {
                ExportedMetrics.Sample(name: $0.name, labels: $0.labels, value: $0.value)
            }
            #expect(sent.samples == Set(samples) && samples.count > 30)
            #expect(Dictionary(uniqueKeysWithValues: sent.metrics.map { ($0.name, $0.kind.rawValue) }) == before.types)
            let commit = try #require(sent.metrics.first { $0.name == "ledgerd_commit_seconds" })
            #expect(commit.unit == "s" && commit.description == before.help["ledgerd_commit_seconds"])
            #expect(sent.metrics.first { $0.name == "process_cpu_seconds_total" }?.unit == "s")
            #expect(sent.metrics.first { $0.name == "batch_size" }?.unit == "")
            // It began at the start of the time, a minute ago.
            let point = try #require(commit.points.first)
            #expect(point.end - point.start == 60_000_000_000)
            #expect(Double(point.start) / 1e9 == ManualTime.noon.timeIntervalSince1970)
        }
    }

    @Test func `a collector that fails is one line of the log, and gets all when it is back`() async throws {
        _ = try await withExporter { exporting in
            let counter = Counter(label: "a_total", factory: exporting.metrics)
            exporting.receiver.answer(503)
            for _ in 0..<3 {
                counter.increment()
                try await exporting.next()
            }
            exporting.receiver.answer(400)
            try await exporting.next()
            // partial_success { rejected_data_points: 7, error_message: "no" }
            exporting.receiver.answer(200, [0x0a, 6, 0x08, 7, 0x12, 2, 0x6e, 0x6f])
            try await exporting.next()
            #expect(exporting.exports("unreachable") == 3 && exporting.exports("refused") == 2)
            #expect(exporting.lines("metrics do not reach the collector") == 1)
            #expect(exporting.lines("metrics reach the collector again") == 0)
            exporting.receiver.answer(200)
            try await exporting.next()
            #expect(exporting.lines("metrics reach the collector again") == 1)
            #expect(try exporting.receiver.last.value("a_total") == 3)
            exporting.receiver.answer(503)
            try await exporting.next()
            #expect(exporting.lines("metrics do not reach the collector") == 2)
            #expect(!exporting.log.lines.contains { $0.contains("hush") })
        }
    }
}
