import Glibc
package import OutboundHTTP
package import TestSupport
import Testing

/// A running `ledgerd serve`, as its clients see it.
///
/// `@unchecked Sendable`: nothing of it or of its subclass changes.
package class Service: @unchecked Sendable {
    package let port: Int
    package let transport: CurlTransport
    private let adminPort: Int?
    private let guest: Guest?

    /// Whatever serves HTTP at this port.
    package convenience init(port: Int, transport: CurlTransport) {
        self.init(port: port, adminPort: nil, transport: transport, guest: nil)
    }

    /// - Parameters:
    ///   - adminPort: the port of monitoring and the console, if they have one.
    ///   - guest: what runs it in the test's process.
    init(port: Int, adminPort: Int?, transport: CurlTransport, guest: Guest?) {
        self.port = port
        self.adminPort = adminPort
        self.transport = transport
        self.guest = guest
    }

    /// Its listener of monitoring and the console, if it has one.
    package var admin: Service? { adminPort.map { Service(port: $0, transport: transport) } }

    /// What it has logged.
    package var log: String { guest?.log ?? "" }

    /// Ends it: a process at once, whatever it does, and a program in the test's process as a signal does.
    package func end() async throws { await guest?.end() }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = nil, headers: [HTTPRequest.Field] = [],
        body: String = ""
    ) async throws -> Answer {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        let answer = Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL("http://127.0.0.1:\(port)\(path)"), headers: authorization + headers,
                    body: Array(body.utf8), totalTimeout: Patience.hang, maxResponseBytes: 4 << 20)))
        try DeclaredRefusals.check(answer, to: method, path)
        return answer
    }

    package func get(_ path: String, as token: String? = nil) async throws -> Answer {
        try await send(.get, path, as: token)
    }

    package func post(_ path: String, _ body: String, as token: String? = nil) async throws -> Answer {
        try await send(.post, path, as: token, headers: [("Content-Type", "application/json")], body: body)
    }

    /// Sends a money POST under a key, as a service by default.
    package func post(
        _ path: String, _ body: String, key: String, as token: String = Token.service()
    ) async throws -> Answer {
        try await send(
            .post, path, as: token, headers: [("Content-Type", "application/json"), ("Idempotency-Key", key)],
            body: body)
    }

    /// Presents a payment's receipt as a user.
    package func present(_ payment: Payment, by user: String = "ann") async throws -> Answer {
        try await post("/v1/receipts", payment.receipt, as: Token.user(user))
    }

    /// What the user has, in coins.
    package func coins(of user: String = "ann") async throws -> Int64? {
        try await get("/v1/me/balance", as: Token.user(user)).json["total"].integer
    }

    /// The access log's line of a request.
    package func logLine(of requestID: String) -> String? {
        log.split(separator: "\n").map(String.init).first {
            $0.contains("ledgerd: request bytes=") && $0.contains("request_id=\(requestID)")
        }
    }
}

/// A `ledgerd serve` in a process of its own, for tests of signals, kills, exit codes and limits of a process.
package final class ServiceProcess: Service, @unchecked Sendable {
    package let process: ChildProcess

    init(process: ChildProcess, port: Int, adminPort: Int?, transport: CurlTransport) {
        self.process = process
        super.init(port: port, adminPort: adminPort, transport: transport, guest: nil)
    }

    package override var log: String { process.standardError }

    package override func end() async throws {
        process.signal(SIGKILL)
        _ = try await process.exit()
    }

    /// Tells it to stop, and returns how it ended.
    package func stop(_ signal: Int32 = 15, within patience: Duration = Patience.hang) async throws -> ChildProcess.Exit
    {
        process.signal(signal)
        return try await process.exit(within: patience)
    }
}
