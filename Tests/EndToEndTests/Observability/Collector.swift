import Foundation
import TestSupport
import Testing

/// A collector of traces and metrics: a Python program that reads what it gets with opentelemetry-proto.
struct Collector: Sendable {
    let process: ChildProcess
    let port: Int

    /// Lends one for as long as the body runs.
    ///
    /// - Parameter options: `--status N`, `--delay SECONDS`, `--header NAME=VALUE`.
    static func with(
        in house: House, _ options: String..., body: (Collector) async throws -> Void
    ) async throws {
        let collector = try await start(in: house, options)
        defer { collector.process.signal(SIGKILL) }
        try await body(collector)
        #expect(collector.problems.isEmpty)
    }

    /// Starts one, which ends with the test.
    static func start(in house: House, _ options: [String]) async throws -> Collector {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = try ChildProcess(
            "/bin/sh", [tests.appending(path: "Conformance/traces/collector.sh").path] + options,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], in: house.directory)
        var port: Int?
        // The first start installs its packages.
        try await eventually("the collector serves") {
            guard !process.hasEnded else { throw DidNotHappen(description: "it ended: \(process.standardError)") }
            port = process.standardError.firstMatch(of: /serving address=127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
            return port != nil
        }
        return Collector(process: process, port: sure(port))
    }

    /// The setting that has a service send its traces here.
    var settings: [String: String] { ["LEDGERD_TRACES_ENDPOINT": "http://127.0.0.1:\(port)"] }

    /// The spans that it got so far.
    var spans: [TracedSpan] { lines.filter { $0["span"] != .null }.map(TracedSpan.init) }
    /// The metrics that it got so far, each as often as it came.
    var metrics: [JSON] { lines.filter { $0["metric"] != .null } }
    /// What it could not read.
    var problems: [String] { lines.compactMap(\.["problem"].text) }

    private var lines: [JSON] {
        // The last line may not be whole yet.
        let text = process.standardOutput
        return text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").map {
            JSON(Array($0.utf8))
        }
    }
}

/// A span as the collector got it.
struct TracedSpan: Sendable {
    let line: JSON

    init(_ line: JSON) { self.line = line }

    var trace: String { line["trace"].text ?? "" }
    var id: String { line["span"].text ?? "" }
    var parent: String { line["parent"].text ?? "" }
    var name: String { line["name"].text ?? "" }
    /// The ids of the spans that it has links to.
    var links: [String] { line["links"].elements.compactMap { $0["span"].text } }

    subscript(attribute: String) -> JSON { line["attributes"][attribute] }
}
