import Foundation
import TestSupport
import Testing

@testable import LedgerServer

/// ops/ and its runbooks name what exists.
///
/// `./dev test` also has promtool check that each alert fires.
@Suite(.timeLimit(.minutes(20))) struct MonitoringTests {
    private static let alerts = Result { try text("ops/prometheus/alerts.yml") }
    private static let alertTests = Result {
        try text("ops/prometheus/alerts.test.yml") + text("ops/prometheus/alerts-of-days.test.yml")
    }
    private static let dashboard = Result { try text("ops/grafana/ledgerd.json") }

    @Test func `alerts and dashboard name only metrics that exist, and the dashboard names all of them`() throws {
        let existing = Set(MetricDescriptions.all.keys)
        let inAlerts = Self.metrics(in: try Self.alerts.get())
        let inDashboard = Self.metrics(in: try Self.dashboard.get())
        #expect(inAlerts.count > 10)
        #expect(inAlerts.union(inDashboard).subtracting(existing).isEmpty)
        #expect(existing.subtracting(inDashboard).isEmpty)
    }

    @Test func `each alert has a test and a runbook, and each runbook an alert`() throws {
        let alerts = try Self.alerts.get().matches(of: #/- alert: (\w+)/#).map { String($0.1) }
        #expect(alerts.count > 10 && Set(alerts).count == alerts.count)
        let tests = try Self.alertTests.get()
        for alert in alerts {
            #expect(try Self.alerts.get().contains("runbook: docs/runbooks/\(alert).md"))
            // Once where it must not fire, once where it must.
            #expect(tests.matches(of: try Regex("alertname: \(alert)\\b")).count == 2, "\(alert)")
        }
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.path("docs/runbooks"))
        #expect(Set(pages) == Set(alerts.map { "\($0).md" }))
    }

    @Test func `each query of the dashboard is a panel's, and ids are its own`() throws {
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(try Self.dashboard.get().utf8))
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        #expect(dashboard.panels.filter { $0.type != "row" }.allSatisfy { !($0.targets ?? []).isEmpty })
    }

    private struct Dashboard: Decodable {
        let panels: [Panel]

        struct Panel: Decodable {
            let id: Int
            let type: String
            let targets: [Target]?
        }

        struct Target: Decodable { let expr: String }
    }

    /// The metrics' names, without what a histogram's series add.
    private static func metrics(in text: String) -> Set<String> {
        Set(
            text.matches(of: #/\b(ledgerd|process)_\w+/#).map {
                String($0.0).replacing(#/_(bucket|sum|count)$/#, with: "")
            })
    }

    private static func path(_ file: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../\(file)").path
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: path(file), encoding: .utf8)
    }
}
