import Foundation
import TestSupport
import Testing

/// What a collector is sent of the service's traces, and what the service's clients notice of the collector: nothing.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TraceExportTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    /// The trace's and the span's id as OTLP has them.
    private static let (trace, span) = (
        Data([0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36]),
        Data([0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7])
    )

    @Test func `a purchase's spans are sent, in the trace that its caller began, and name nobody`() async throws {
        try await HookReceiver.with { collector in
            let settings = ["LEDGERD_TRACES_ENDPOINT": "http://127.0.0.1:\(collector.port)"]
            try await House.openProcess(settings) { _, gateway, service in
                let payment = try await gateway.pay()
                let answer = try await service.send(
                    .post, "/v1/receipts", as: Token.user("ann-who-is-not-named"),
                    headers: [("Content-Type", "application/json"), ("traceparent", Self.parent)],
                    body: payment.receipt)
                #expect(answer.status == 201, "\(answer)")
                // What has ended is sent before the end.
                #expect(try await service.stop() == .code(0))
                #expect(collector.hooks.allSatisfy { $0.path == "/v1/traces" })
                let sent = collector.hooks.reduce(into: Data()) { $0 += $1.body }
                for name in [
                    "ledgerd", "POST /v1/receipts", "look up payment", "gateway call", "post", "batch", "commit",
                ] {
                    #expect(sent.range(of: Data(name.utf8)) != nil, "\(name)")
                }
                #expect(sent.range(of: Self.trace) != nil && sent.range(of: Self.span) != nil)
                for secret in ["ann-who", payment.impUID, payment.merchantUID, "eyJhbGciOi", "sandbox-secret"] {
                    #expect(sent.range(of: Data(secret.utf8)) == nil, "\(secret)")
                }
                #expect(service.log.contains("trace_id=4bf92f3577b34da6a3ce929d0e0e4736"))
            }
        }
    }

    enum Sickness: CaseIterable { case refuses, hangs, fails }

    @Test(arguments: Sickness.allCases)
    func `requests do not wait for a sick collector, and neither does the end`(_ sickness: Sickness) async throws {
        try await HookReceiver.with { collector in
            collector.reply { _ in sickness == .hangs ? .held : .status(503) }
            let port = sickness == .refuses ? 9 : collector.port
            try await House.openProcess(["LEDGERD_TRACES_ENDPOINT": "http://127.0.0.1:\(port)"]) { _, _, service in
                #expect(try await service.get("/v1/products").status == 200)
                if sickness != .refuses { try await eventually("the collector is asked") { collector.requests > 0 } }
                for _ in 0..<300 { #expect(try await service.get("/v1/products").status == 200) }
                #expect(try await service.stop() == .code(0))
                let log = service.log.split(separator: "\n")
                #expect(log.count { $0.contains("spans do not reach the collector") } <= 1)
            }
        }
    }
}
