import Testing

/// Requests that a proxy in front might read in another way than the service does.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StrictnessTests {
    /// Each begins where the one before ends.
    private static let cases: [(name: String, check: @Sendable (House, Gateway, Service) async throws -> Void)] = [
        ("a request that can be read in two ways is a 400, and the connection ends", ambiguous),
        ("what is sent before a bad request is answered first, and what is sent after is not read", beforeAndAfter),
        ("a connection ends after an answer to HTTP 1.0 and when the client asks for it", ends),
    ]

    @Test func `requests and connections are taken strictly`() async throws {
        // An idle connection is not ended before the test's patience is.
        try await House.open(["LEDGERD_IDLE_TIMEOUT": "1h"]) { house, gateway, service in
            for (name, check) in Self.cases {
                await house.check(name) { try await check(house, gateway, service) }
            }
        }
    }

    private static func ambiguous(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        for (request, says) in [
            ("GET /v1/products HTTP/1.1\r\n\r\n", "Host"),
            ("GET /v1/products HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "Host"),
            ("GET /v1/products HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "Host"),
            ("GET /v1/products HTTP/1.1\r\nHost: a/b@c\r\n\r\n", "Host"),
            ("GET //metrics HTTP/1.1\r\nHost: a\r\n\r\n", "//"),
            ("GET /v1//products HTTP/1.1\r\nHost: a\r\n\r\n", "//"),
            ("GET /v1/../metrics HTTP/1.1\r\nHost: a\r\n\r\n", "dot segment"),
            ("GET /v1/%2e%2E/metrics HTTP/1.1\r\nHost: a\r\n\r\n", "dot segment"),
            ("GET metrics HTTP/1.1\r\nHost: a\r\n\r\n", "target"),
            ("GET /v1/products#x HTTP/1.1\r\nHost: a\r\n\r\n", "#"),
            (Self.post("Transfer-Encoding: gzip, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), "Transfer-Encoding"),
            (
                Self.post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
                "Transfer-Encoding"
            ),
            (Self.post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), "Transfer-Encoding"),
            (Self.post("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n"), ""),
            (Self.post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), ""),
            (Self.post("Content-Length: 2, 2\r\n", "{}"), ""),
            (Self.post("Content-Length: +2\r\n", "{}"), ""),
            ("POST /v1/receipts HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding"),
            ("GET /v1/products HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n", ""),
            ("GET /v1/products HTTP/2.0\r\nHost: a\r\n\r\n", ""),
            ("nonsense\r\n\r\n", ""),
        ] {
            let client = try RawClient(port: service.port)
            try await client.send(request)
            let answer = try await client.readToEnd(keeping: 4096)
            let head = answer.prefix { $0 != "{" }.lowercased()
            #expect(head.hasPrefix("http/1.1 400 bad request\r\n"), "\(request) \(answer)")
            #expect(head.contains("\r\nconnection: close\r\n") && head.contains("\r\nx-request-id: "), "\(answer)")
            #expect(head.contains("\r\ncontent-type: application/problem+json\r\n"), "\(request) \(answer)")
            #expect(
                answer.contains(#""code":"invalid_request""#)
                    && (answer.contains(says) || answer.contains(Self.notParsed)), "\(request) \(answer)")
            #expect(!answer.contains("HTTP/1.1 200"), "\(request) \(answer)")
        }
        #expect(try #require(try await service.metric(ConnectionFloodTests.ended("malformed"))) > 10)
    }

    private static func beforeAndAfter(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let good = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
        let client = try RawClient(port: service.port)
        try await client.send(good + good + "GET //metrics HTTP/1.1\r\nHost: a\r\n\r\n" + good)
        let answers = try await client.readToEnd(keeping: 8192).matches(of: #/HTTP/1\.1 (\d+) /#).map { $0.1 }
        #expect(answers == ["200", "200", "400"])
    }

    private static func ends(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        for request in [
            "GET /v1/products HTTP/1.0\r\n\r\n",
            "GET /v1/products HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
            "GET /v1/products HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
            "GET /v1/products HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n",
            "GET /v1/exports/journal?from=2026-01-01 HTTP/1.0\r\nAuthorization: Bearer \(Token.finance())\r\n\r\n",
        ] {
            let client = try RawClient(port: service.port)
            try await client.send(request)
            let answer = try await client.readToEnd(keeping: 100_000)
            #expect(answer.contains(" 200 OK\r\n") && answer.lowercased().contains("\r\nconnection: close\r\n"))
            let isOld = request.contains("HTTP/1.0")
            #expect(!isOld || !answer.lowercased().contains("transfer-encoding"), "\(answer)")
        }
        let absolute = try RawClient(port: service.port)
        try await absolute.send("GET http://a/health/live HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await absolute.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    /// Some are refused by the parser already.
    private static let notParsed = "the request is not HTTP"

    private static func post(_ framing: String, _ body: String) -> String {
        "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Token.user("ann"))\r\n\(framing)\r\n\(body)"
    }
}
