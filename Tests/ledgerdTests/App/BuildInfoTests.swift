import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct BuildInfoTests {
    private func file(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    @Test func `the version is that of the file VERSION, which is the changelog's latest release`() throws {
        let version = BuildInfo.current.version
        #expect(try file("VERSION") == version + "\n")
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        let released = try file("CHANGELOG.md").firstMatch(of: /\n## (\d+\.\d+\.\d+)/)
        #expect(released.map { String($0.1) } == version)
    }

    @Test func `the build is shown in one line, and as a metric`() {
        let release = BuildInfo(version: "1.2.3", commit: "1a2b3c", builtAt: "2026-11-22T04:38:22Z")
        #expect(release.text == "1.2.3 (commit 1a2b3c, built 2026-11-22T04:38:22Z)")
        #expect(BuildInfo(version: "1.2.3", commit: "development", builtAt: nil).text == "1.2.3 (development)")
        let metrics = PrometheusMetrics()
        release.recordMetric(factory: metrics)
        let line = #"ledgerd_build_info{built_at="2026-11-22T04:38:22Z",commit="1a2b3c",version="1.2.3"} 1"#
        #expect(metrics.render().contains("# TYPE ledgerd_build_info gauge\n\(line)\n"))
    }
}
