package import OutboundHTTP
package import TestSupport
import Testing

/// A running `ledgerd serve`, as its clients see it.
package struct Service: Sendable {
    package let process: ChildProcess
    package let port: Int
    package let transport: CurlTransport

    package init(process: ChildProcess, port: Int, transport: CurlTransport) {
        self.process = process
        self.port = port
        self.transport = transport
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = nil, headers: [HTTPRequest.Field] = [],
        body: String = ""
    ) async throws -> Answer {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL("http://127.0.0.1:\(port)\(path)"), headers: authorization + headers,
                    body: Array(body.utf8), totalTimeout: Patience.hang, maxResponseBytes: 4 << 20)))
    }

    package func get(_ path: String, as token: String? = nil) async throws -> Answer {
        try await send(.get, path, as: token)
    }

    package func post(_ path: String, _ body: String, as token: String? = nil) async throws -> Answer {
        try await send(.post, path, as: token, headers: [("Content-Type", "application/json")], body: body)
    }

    /// Sends a money POST under a key, as a service unless told otherwise.
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

    /// Tells it to stop, and returns how it ended.
    package func stop(_ signal: Int32 = 15, within patience: Duration = Patience.hang) async throws -> ChildProcess.Exit
    {
        process.signal(signal)
        return try await process.exit(within: patience)
    }

    /// The access log's line of a request.
    package func logLine(of requestID: String) -> String? {
        process.standardError.split(separator: "\n").map(String.init).first {
            $0.contains("ledgerd: request bytes=") && $0.contains("request_id=\(requestID)")
        }
    }
}
