import TestSupport
import Testing

/// Many connections are opened, to have no room left for others.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConnectionFloodTests {
    private static let openFiles = 256
    private static let request = "GET /v1/products HTTP/1.1\r\nHost: test\r\n\r\n"

    @Test func `idle connections past the limit of open files leave the service alive and open to others`()
        async throws
    {
        try await House.openProcess(openFiles: Self.openFiles) { _, _, service in
            let clients = try (0..<4).map { _ in try RawClient(port: service.port) }
            for client in clients {
                try await client.send(Self.request)
                #expect(try await client.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            let flood = try (0..<Self.openFiles + 100).map { _ in try RawClient(port: service.port) }
            for _ in 0..<40 {
                for client in clients {
                    try await client.send(Self.request)
                    #expect(try await client.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
                }
                let newcomer = try RawClient(port: service.port)
                try await newcomer.send(Self.request)
                #expect(try await newcomer.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            #expect(!service.process.hasEnded)
            #expect(flood.contains { $0.isEnded }, "the longest idle made room")
            let open = try #require(try await service.metric("ledgerd_http_connections_open"))
            let limit = try #require(try await service.metric("ledgerd_http_connections_limit"))
            #expect(open <= limit + 32 && limit < Double(Self.openFiles), "\(open) of \(limit)")
            #expect(try #require(try await service.metric(Self.ended("evicted"))) > 100)
        }
    }

    @Test func `connections that are all at work make a newcomer's request a 503, and probes still work`() async throws
    {
        let settings = ["LEDGERD_REQUEST_TIMEOUT": "12s", "LEDGERD_MAX_CONNECTIONS": "32"]
        try await House.openProcess(settings, openFiles: Self.openFiles) { _, _, service in
            let head =
                "POST /v1/receipts HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n"
                + "Content-Type: application/json\r\n"
            // One may be sent away before its request is read, for another that is idle longer: so one more each time.
            var busy: [RawClient] = []
            var refusal = ""
            try await eventually("a newcomer is refused") {
                repeat {
                    let client = try RawClient(port: service.port)
                    try await client.send(head + "Authorization: Bearer \(Token.user("ann"))\r\n\r\n{")
                    busy.append(client)
                } while busy.count(where: { !$0.isAnswered }) < 32
                let newcomer = try RawClient(port: service.port)
                try await newcomer.send("GET /v1/products HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
                refusal = try await newcomer.readToEnd(keeping: 4096)
                return refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n")
            }
            #expect(refusal.contains(#""code":"overloaded""#) && refusal.contains("\r\nRetry-After: "), "\(refusal)")
            #expect(refusal.lowercased().contains("\r\nconnection: close\r\n"), "\(refusal)")
            #expect(try await service.get("/health/live").status == 200)
            #expect(try #require(try await service.metric(Self.ended("refused"))) > 0)

            // Who keeps the places loses them when the time for a request is over.
            try await eventually("others are served again") {
                try await service.get("/v1/products").status == 200
            }
            // All who had a place, but for one that a request of the test itself may have had.
            var timedOut = 0
            for client in busy where (try? await client.answer())?.hasPrefix("HTTP/1.1 408 ") == true { timedOut += 1 }
            #expect(timedOut >= 31)
        }
    }

    @Test func `a limit of open files that leaves no room for clients is refused at the start`() async throws {
        try await House.with { house in
            let child = try house.start(["serve"], house.settings(), openFiles: 64)
            #expect(try await child.exit() == .code(1))
            StartTests.expectOneLine(child.standardError, ["open files is 64", "LimitNOFILE"])
        }
    }

    static func ended(_ reason: String) -> String { #"ledgerd_http_connections_ended_total{reason="\#(reason)"}"# }
}
