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
    /// The file that says by how many seconds its clock is moved.
    private let clock: URL
    private var clockOffset = 0

    init(number: Int, port: Int, settings: [String: String], in directory: URL) throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.number = number
        self.url = url
        self.directory = directory
        clock = directory.appending(path: "clock-\(number)")
        guard let library = ProcessInfo.processInfo.environment["MOVED_CLOCK_LIBRARY"] else {
            throw Nodes.Failed(description: "MOVED_CLOCK_LIBRARY must name the library that moves a clock")
        }
        let own = [
            "LD_PRELOAD": library, "MOVED_CLOCK": clock.path,
            "LEDGERD_LISTEN": "127.0.0.1:\(port)", "LEDGERD_REQUIRE_ORDERS": "true", "LEDGERD_SWEEP_INTERVAL": "5s",
            // The sequential model does not know how coins come back that were given.
            "LEDGERD_GIFT_COINS": "bonus", "LEDGERD_GIFT_EXCEPT_GATEWAYS": "portone-v1",
            "LEDGERD_RECONCILE_AT": "off", "LEDGERD_GATEWAY_TIMEOUT": "2s", "LEDGERD_CLAIM_GRACE": "0s",
        ]
        let hidden = [
            "DATABASE_URL", "USER_TOKEN", "SERVICE_TOKEN", "FINANCE_TOKEN", "EVENTS_TOKEN", "SUPPORT_TOKEN",
            "JWT_SECRET", "APP_KEY",
        ]
        self.settings = settings.filter { !hidden.contains($0.key) }.merging(own) { $1 }
        process = try Self.start(self.settings, in: directory)
        Task { await supervise() }
    }

    private static func start(_ settings: [String: String], in directory: URL) throws -> ChildProcess {
        try ChildProcess(settings["LEDGERD_BINARY"] ?? "", ["serve"], environment: settings, in: directory)
    }

    private func supervise() async {
        while !isOver {
            if process.hasEnded, let next = try? Self.start(settings, in: directory) {
                process = next
            }
            // As long as systemd waits, by RestartSec in packaging/.
            try? await Task.sleep(for: .seconds(2))
        }
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Sets its clock so many seconds off, while it runs.
    ///
    /// It reads the file again after a second; then ``awaitReady(within:)`` returns.
    func moveClock(by seconds: Int) throws {
        clockOffset = seconds
        try Data("\(seconds)\n".utf8).write(to: clock, options: .atomic)
    }

    func end() async {
        isOver = true
        process.signal(SIGCONT)
        process.signal(SIGTERM)
        _ = try? await process.exit(within: .seconds(30))
        process.signal(SIGKILL)
    }

    var lastWords: String { process.lastWords }

    /// Waits until it is ready and its answers have the moved time.
    func awaitReady(within patience: Duration) async throws {
        let url = try HTTPURL(url.absoluteString + "/health/ready", allowsPlainHTTP: true)
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let offset = Double(clockOffset)
        try await eventually("service \(number) is ready", within: patience, every: .milliseconds(200)) {
            let answer = try? await transport.send(HTTPRequest(.get, url, totalTimeout: .seconds(3)))
            guard answer?.status == 200, let date = HTTPDate.parse(answer?.headers["Date"] ?? "") else { return false }
            return abs(date.timeIntervalSinceNow - offset) < 10
        }
    }
}
