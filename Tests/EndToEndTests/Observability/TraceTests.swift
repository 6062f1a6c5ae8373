import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// What a collector gets of the service's traces, as OpenTelemetry's own library reads them.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct TraceTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `a purchase is one trace, from the request to the commit, in the trace that its caller began`()
        async throws
    {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Collector.with(in: house) { collector in
                let service = try await house.serveProcess(at: gateway, collector.settings)
                let payment = try await gateway.pay()
                let answer = try await Self.present(payment, to: service, Self.parent)
                #expect(answer.status == 201, "\(answer)")
                try await eventually("the request's span arrives") {
                    collector.spans.contains { $0.name == "POST /v1/receipts" }
                }
                let spans = collector.spans.filter { $0.trace == "4bf92f3577b34da6a3ce929d0e0e4736" }
                let request = sure(spans.first { $0.name == "POST /v1/receipts" })
                #expect(request.parent == "00f067aa0ba902b7" && request.line["remote_parent"] == .bool(true))
                #expect(request.line["kind"] == "server" && request["http.response.status_code"] == 201)
                #expect(request["http.route"] == "/v1/receipts" && request["ledgerd.principal"] == "user")
                let read = sure(spans.first { $0.name == "read Purchases" })
                #expect(read.parent == request.id && read["db.system.name"] == "postgresql")
                let lookUp = sure(spans.first { $0.name == "look up payment" })
                #expect(lookUp.parent == request.id)
                let call = sure(spans.first { $0["ledgerd.gateway.operation"] == "payment" })
                #expect(call.name == "gateway call" && call.parent == lookUp.id && call.links == [lookUp.id])
                #expect(call["ledgerd.gateway"] == "portone-v1")
                let exchange = sure(spans.first { $0.name == "GET" && $0.parent == call.id })
                #expect(exchange.line["kind"] == "client" && exchange["http.response.status_code"] == 200)
                let token = sure(spans.first { $0["ledgerd.gateway.operation"] == "token" })
                #expect(token.parent == lookUp.id)
                let post = sure(spans.first { $0.name == "post" })
                #expect(post.parent == request.id && post["ledgerd.act"] == "CreditPurchase")
                let batch = sure(spans.first { $0.name == "batch" })
                #expect(batch.parent == post.id && batch.links == [post.id] && post.links == [batch.id])
                #expect(batch["ledgerd.batch.acts"] == 1)
                // A batch of purchases is decided and committed in one round trip.
                let trip = spans.filter { ["load", "commit"].contains($0.name) }
                #expect(trip.map(\.name) == ["commit"] && trip.map(\.parent) == [batch.id])
                #expect(trip.first?.line["kind"] == "client")
                #expect(Set(spans.map(\.id)).count == spans.count)
                #expect(spans.allSatisfy { $0.line["error"] == .bool(false) && $0.line["scope"] == "ledgerd 0.2.0" })
                #expect(spans.allSatisfy { $0.line["resource"]["service.name"] == "ledgerd" })

                // The log names the trace, and the trace nobody.
                let log = service.log
                #expect(log.contains("trace_id=4bf92f3577b34da6a3ce929d0e0e4736"))
                for secret in ["ann", payment.impUID, payment.merchantUID, "eyJ", "sandbox-secret"] {
                    #expect(!collector.process.standardOutput.contains(secret), "\(secret)")
                }
            }
        }
    }

    @Test func `a batch is one span, with links to the spans of its acts and back`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Collector.with(in: house) { collector in
                let service = try await house.serveProcess(
                    at: gateway, collector.settings.merging(["LEDGERD_WRITERS": "1"]) { $1 })
                var payments: [Payment] = []
                for _ in 0..<60 { payments.append(try await gateway.pay()) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, payment) in payments.enumerated() {
                        group.addTask {
                            let answer = try await service.present(payment, by: "user-\(number)")
                            #expect(answer.status == 201, "\(answer)")
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually("all requests' spans arrive") {
                    collector.spans.count { $0.name == "POST /v1/receipts" } == 60
                }
                let spans = collector.spans
                let posts = spans.filter { $0.name == "post" }
                let batches = spans.filter { $0.name == "batch" }
                #expect(posts.count == 60 && Set(posts.map(\.trace)).count == 60)
                #expect(batches.count < 60 && batches.contains { $0.links.count > 1 }, "\(batches.map(\.links.count))")
                #expect(batches.flatMap(\.links).sorted() == posts.map(\.id).sorted())
                for batch in batches {
                    #expect(batch["ledgerd.batch.acts"].integer == Int64(batch.links.count))
                    #expect(batch.parent == batch.links.first)
                    for post in posts where batch.links.contains(post.id) { #expect(post.links == [batch.id]) }
                }
                #expect(spans.count { $0.name == "commit" } == batches.count)
                // Look-ups share calls in the same way.
                let lookUps = Set(spans.filter { $0.name == "look up payment" }.map(\.id))
                let calls = spans.filter { ["payment", "payments"].contains($0["ledgerd.gateway.operation"].text) }
                #expect(lookUps.count == 60 && calls.flatMap(\.links).sorted() == lookUps.sorted())
            }
        }
    }

    @Test func `a malformed traceparent begins a new trace, and the caller may ask for none`() async throws {
        try await House.with { house in
            try await Collector.with(in: house) { collector in
                let service = try await house.serveProcess(collector.settings)
                let unsampled = Self.parent.dropLast(2) + "00"
                for traceparent in ["", "00-x", String(Self.parent.dropLast()), Self.parent.uppercased()] {
                    _ = try await service.send(.get, "/v1/products", headers: [("traceparent", traceparent)])
                }
                _ = try await service.send(
                    .get, "/v1/products", headers: [("traceparent", Self.parent), ("traceparent", Self.parent)])
                _ = try await service.send(.get, "/v1/products/unsampled", headers: [("traceparent", "\(unsampled)")])
                _ = try await service.get("/health/ready")
                _ = try await service.get("/metrics")
                _ = try await service.get("/the-last-one")
                try await eventually("the last request's span arrives") {
                    collector.spans.contains { $0.name == "GET unmatched" }
                }
                let requests = collector.spans.filter { $0.line["kind"] == "server" }
                #expect(
                    requests.map(\.name).sorted() == Array(repeating: "GET /v1/products", count: 5) + ["GET unmatched"])
                #expect(requests.allSatisfy { $0.parent.isEmpty } && Set(requests.map(\.trace)).count == 6)
                #expect(!requests.contains { Self.parent.contains($0.trace) })
            }
        }
    }

    @Test func `the ratio and the collector's key are the settings'`() async throws {
        try await House.with { house in
            try await Collector.with(in: house, "--header", "api-key=a, b") { collector in
                let service = try await house.serveProcess(
                    collector.settings.merging([
                        "LEDGERD_TRACES_SAMPLE_RATIO": "0.25", "LEDGERD_TRACES_HEADERS": "X-Tenant=1,api-key=a%2C%20b",
                    ]) { $1 })
                for _ in 0..<400 { _ = try await service.get("/v1/products") }
                try await eventually("spans are counted") {
                    try await service.get("/metrics").text.contains(/\nledgerd_trace_spans_exported_total [1-9]/)
                }
                #expect(try await service.stop() == .code(0))
                let traced = collector.spans.count { $0.name == "GET /v1/products" }
                #expect((50...150).contains(traced), "a quarter of the requests, not \(traced)")
            }
        }
    }

    @Test func `what ended before the service stops reaches the collector`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Collector.with(in: house) { collector in
                let service = try await house.serveProcess(at: gateway, collector.settings)
                #expect(try await service.present(try await gateway.pay()).status == 201)
                #expect(try await service.stop() == .code(0))
                #expect(collector.spans.contains { $0.name == "commit" })
                #expect(collector.spans.contains { $0.name == "POST /v1/receipts" })
            }
        }
    }

    @Test func `work of its own is traced, too`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Collector.with(in: house) { collector in
                let service = try await house.serveProcess(at: gateway, collector.settings)
                let payment = try await gateway.pay("1000", #", "status": "ready""#)
                #expect(try await service.present(payment).status == 202)
                try await gateway.change(payment, to: "paid")
                try await house.books.makeReceiptsDue()
                try await eventually("the worker's commit arrives") {
                    let work = collector.spans.first { $0.name == "work on waiting receipts" && $0.parent.isEmpty }
                    return collector.spans.contains { $0.name == "commit" && $0.trace == work?.trace }
                }
            }
        }
    }

    /// A collector that refuses connections, one that never answers, one that always fails, one that is slow.
    @Test(arguments: Sickness.allCases)
    func `spans that a sick collector does not take are dropped and not kept`(sickness: Sickness) async throws {
        try await House.with { house in
            let (endpoint, end) = try await sickness.endpoint(in: house)
            defer { end() }
            let service = try await house.serveProcess(["LEDGERD_TRACES_ENDPOINT": endpoint])
            // More spans than may wait.
            try await Self.load(service, requests: 9600)
            let memory = try await Self.memory(of: service)
            try await Self.load(service, requests: 12_000)
            let grown = try await Self.memory(of: service) - memory
            // Kept, 12,000 spans of half a kilobyte each would be 6 MB.
            #expect(grown < 6 << 20)
            if sickness != .slow {
                let dropped = try await service.get("/metrics").text
                #expect(dropped.contains(/\nledgerd_trace_spans_dropped_total\{reason="queue_full"\} [1-9]/))
            }
            #expect(try await service.stop() == .code(0))
        }
    }

    enum Sickness: CaseIterable { case refuses, hangs, fails, slow }

    /// Sends requests over many connections.
    private static func load(_ service: Service, requests: Int) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<(requests / 16) {
                        let answer = try await service.get("/v1/products")
                        #expect(answer.status == 200)
                    }
                }
            }
        }
    }

    /// Its resident memory, in bytes.
    private static func memory(of service: Service) async throws -> Int {
        let text = try await service.get("/metrics").text
        return sure(text.firstMatch(of: /\nprocess_resident_memory_bytes (\d+)/).flatMap { Int($0.1) })
    }

    private static func present(
        _ payment: Payment, to service: Service, _ traceparent: String
    ) async throws -> Answer {
        try await service.send(
            .post, "/v1/receipts", as: Token.user("ann"),
            headers: [("Content-Type", "application/json"), ("traceparent", traceparent)], body: payment.receipt)
    }
}

extension TraceTests.Sickness {
    /// Its address, and what ends it.
    fileprivate func endpoint(in house: House) async throws -> (String, () -> Void) {
        switch self {
        case .refuses: return ("http://127.0.0.1:9", {})
        case .hangs: return try await Self.collector(in: house, "--delay", "3600")
        case .fails: return try await Self.collector(in: house, "--status", "503")
        case .slow: return try await Self.collector(in: house, "--delay", "2")
        }
    }

    private static func collector(in house: House, _ options: String...) async throws -> (String, () -> Void) {
        let collector = try await Collector.start(in: house, options)
        return ("http://127.0.0.1:\(collector.port)", { collector.process.signal(SIGKILL) })
    }
}
