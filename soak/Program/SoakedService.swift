import Foundation
import Glibc
import OutboundHTTP
import TestSupport

/// A ledgerd that is started again whenever it ends, as systemd does.
actor SoakedService {
    let number: Int
    nonisolated let url: URL
    private let settings: [String: String]
    private let directory: URL
    private var process: ChildProcess
    private var isOver = false
    /// The offset of its clock when it is started next, in seconds.
    private var clockOffset = 0

    init(number: Int, port: Int, settings: [String: String], in directory: URL) throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.number = number
        self.url = url
        self.directory = directory
        let own = [
            "LEDGERD_LISTEN": "127.0.0.1:\(port)", "LEDGERD_REQUIRE_ORDERS": "true", "LEDGERD_SWEEP_INTERVAL": "5s",
            "LEDGERD_RECONCILE_AT": "off", "LEDGERD_GATEWAY_TIMEOUT": "2s", "LEDGERD_CLAIM_GRACE": "0s",
        ]
        let hidden = [
            "DATABASE_URL", "USER_TOKEN", "SERVICE_TOKEN", "FINANCE_TOKEN", "EVENTS_TOKEN", "SUPPORT_TOKEN",
            "JWT_SECRET", "APP_KEY",
        ]
        self.settings = settings.filter { !hidden.contains($0.key) }.merging(own) { $1 }
        process = try Self.start(self.settings, clockOffset: 0, in: directory)
        Task { await supervise() }
    }

    private static func start(_ settings: [String: String], clockOffset: Int, in directory: URL) throws -> ChildProcess
    {
        var settings = settings
        if clockOffset != 0 {
            settings["LD_PRELOAD"] = try Self.faketime()
            settings["FAKETIME"] = clockOffset > 0 ? "+\(clockOffset)s" : "\(clockOffset)s"
            settings["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        }
        return try ChildProcess(
            settings["LEDGERD_BINARY"] ?? "", ["serve"], environment: settings, in: directory)
    }

    /// Debian's libfaketime, in the folder of this machine's architecture.
    private static func faketime() throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
        let files = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
        guard let file = files.first(where: FileManager.default.fileExists) else {
            throw Nodes.Failed(description: "libfaketime is missing")
        }
        return file
    }

    private func supervise() async {
        while !isOver {
            if process.hasEnded, let next = try? Self.start(settings, clockOffset: clockOffset, in: directory) {
                process = next
            }
            // As long as systemd waits, by RestartSec in packaging/.
            try? await Task.sleep(for: .seconds(2))
        }
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Starts it again with a clock that is so many seconds off.
    func restart(clockOffset: Int) {
        self.clockOffset = clockOffset
        process.signal(SIGKILL)
    }

    func end() async {
        isOver = true
        process.signal(SIGCONT)
        process.signal(SIGTERM)
        _ = try? await process.exit(within: .seconds(30))
        process.signal(SIGKILL)
    }

    var lastWords: String { process.lastWords }

    nonisolated func awaitReady(within patience: Duration) async throws {
        let url = try HTTPURL(url.absoluteString + "/health/ready", allowsPlainHTTP: true)
        let transport = CurlTransport()
        defer { transport.shutdown() }
        try await eventually("service \(number) is ready", within: patience, every: .milliseconds(200)) {
            let answer = try? await transport.send(HTTPRequest(.get, url, totalTimeout: .seconds(3)))
            return answer?.status == 200
        }
    }
}
