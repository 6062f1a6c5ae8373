import Foundation
import TestSupport
import Testing

/// What a collector is sent of a service's metrics, and what clients notice of the collector: nothing.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MetricExportTests {
    private func settings(_ collector: HookReceiver) -> [String: String] {
        [
            "LEDGERD_METRICS_ENDPOINT": "http://127.0.0.1:\(collector.port)", "LEDGERD_METRICS_INTERVAL": "1s",
            "LEDGERD_METRICS_HEADERS": "api-key=hush",
        ]
    }

    @Test func `a collector gets all metrics, and nobody's name`() async throws {
        try await HookReceiver.with { collector in
            try await House.openProcess(settings(collector)) { _, gateway, service in
                let payment = try await gateway.pay()
                #expect(try await service.present(payment, by: "ann-who-is-not-named").status == 201)
                let text = try await service.get("/metrics").text
                let shown = Set(text.matches(of: #/\n# TYPE (\w+)/#).map { String($0.1) })
                // The last values are sent at the end.
                #expect(try await service.stop() == .code(0))
                #expect(collector.hooks.count > 1 && collector.hooks.allSatisfy { $0.path == "/v1/metrics" })
                let last = try #require(collector.hooks.last)
                let sent = try ExportedMetrics(last.body)
                #expect(shown.count > 20 && shown.subtracting(sent.metrics.map(\.name)).isEmpty)
                #expect(sent.value("ledgerd_won_total", ["entry": "purchase"]) == 1000)
                #expect(sent.value("ledgerd_coins_total", ["entry": "purchase", "coins": "paid"]) == 100)
                #expect(sent.value("ledgerd_posting_batch_size_count") == 1)
                #expect(sent.value("ledgerd_posting_queue_depth") == 0)
                #expect(sent.value("ledgerd_metric_exports_total", ["outcome": "accepted"]) ?? 0 > 0)
                for secret in ["ann-who", payment.impUID, payment.merchantUID, "hush", "sandbox-secret"] {
                    #expect(last.body.range(of: Data(secret.utf8)) == nil, "\(secret)")
                }
            }
        }
    }

    @Test func `acts do not wait for a collector that hangs, and neither does the end`() async throws {
        try await HookReceiver.with { collector in
            collector.reply { _ in .held }
            try await House.openProcess(settings(collector)) { _, gateway, service in
                try await eventually("the collector is asked") { collector.requests > 0 }
                for _ in 0..<3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
                #expect(try await service.stop() == .code(0))
                #expect(collector.hooks.isEmpty)
            }
        }
    }

    @Test(.enabled(if: Effort.includesSlow)) func `OpenTelemetry's own library reads what is sent`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Collector.with(in: house, "--header", "api-key=a, b") { collector in
                let service = try await house.serveProcess(
                    at: gateway,
                    [
                        "LEDGERD_METRICS_ENDPOINT": "http://127.0.0.1:\(collector.port)",
                        "LEDGERD_METRICS_HEADERS": "api-key=a%2C%20b",
                    ])
                #expect(try await service.present(try await gateway.pay()).status == 201)
                #expect(try await service.stop() == .code(0))
                let kinds = Set(collector.metrics.compactMap { $0["kind"].text })
                #expect(kinds == ["gauge", "histogram", "sum"])
                let commit = sure(collector.metrics.last { $0["metric"] == "ledgerd_commit_seconds" })
                #expect(commit["unit"] == "s" && commit["description"].text?.isEmpty == false)
                #expect(commit["resource"]["service.name"] == "ledgerd" && commit["points"] == 1)
            }
        }
    }
}
