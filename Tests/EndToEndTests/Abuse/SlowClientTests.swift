import OutboundHTTP
import TestSupport
import Testing

/// Clients that send or take bytes as slowly as they can, to keep what serves them.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SlowClientTests {
    @Test func `a request that drips in is ended when its time is over, however lively it drips`() async throws {
        try await House.open(["LEDGERD_REQUEST_TIMEOUT": "2s"]) { _, gateway, service in
            let token = Token.user("ann")
            let body = "POST /v1/receipts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
            let starts =
                Array(repeating: body + "Content-Length: 4000\r\n\r\n{", count: 20)
                + Array(repeating: "GET /v1/products HTTP/1.1\r\nHost: x\r\nX-Slow: ", count: 10)
            let clients = try starts.map { _ in try RawClient(port: service.port) }
            for (client, start) in zip(clients, starts) { try await client.send(start) }
            try await eventually("all are answered", every: .milliseconds(200)) {
                for client in clients { try? await client.send(" ") }
                return clients.allSatisfy { $0.isAnswered }
            }
            for client in clients {
                let answer = try await client.readToEnd(keeping: 4096)
                #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(answer)")
                #expect(answer.contains(#""code":"request_timeout""#) && answer.contains(#""retryable":true"#))
            }
            // The limit holds for these requests too, and a slow machine may send them too late.
            try await eventually("all are counted") {
                try await service.metric(ConnectionFloodTests.ended("request_timeout")) ?? 0 >= 30
            }
            let payment = try await gateway.pay()
            try await eventually("who sends at once is served") { try await service.present(payment).status == 201 }
        }
    }

    @Test func `readers that never read lose their connections and hold no memory`() async throws {
        try await House.openProcess(["LEDGERD_WRITE_TIMEOUT": "3s"]) { _, _, service in
            // What is measured of each route and method makes the metrics long.
            for path in ["/v1/products", "/v1/receipts", "/v1/orders", "/v1/me/balance", "/v1/me/lots", "/v1/seals"] {
                for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                    _ = try await service.send(method, path)
                }
            }
            let before = (sockets: service.process.sockets, memory: service.process.memory)
            let readers = try (0..<300).map { _ in try RawClient(port: service.port, receiveBuffer: 4096) }
            for (index, reader) in readers.enumerated() {
                let path = ["/metrics", "/openapi.json", "/docs"][index % 3]
                try await reader.send(
                    String(repeating: "GET \(path) HTTP/1.1\r\nHost: test\r\n\r\n", count: 60))
            }
            var most = 0
            try await eventually("they are cut off") {
                most = max(most, service.process.memory)
                return try #require(try await service.metric(ConnectionFloodTests.ended("write_timeout"))) >= 290
            }
            try await eventually("nothing is kept of them") { service.process.sockets < before.sockets + 30 }
            #expect(most - before.memory < 150, "\(before.memory) MiB became \(most)")
            withExtendedLifetime(readers) {}
        }
    }

    @Test(.enabled(if: Effort.includesSlow)) func `a reader that is slow but reads gets everything`() async throws {
        try await House.open(["LEDGERD_WRITE_TIMEOUT": "1s"]) { _, _, service in
            let whole = try await service.get("/openapi.json").text
            let client = try RawClient(port: service.port, receiveBuffer: 8192)
            let requests = 4
            for _ in 1..<requests { try await client.send("GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n") }
            try await client.send("GET /openapi.json HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
            let start = ContinuousClock.now
            let received = try await client.read(atMost: 8192) { try await Task.sleep(for: .milliseconds(20)) }
            #expect(received > requests * whole.utf8.count)
            #expect(ContinuousClock.now - start > .seconds(1.5), "it was slower than the timeout")
        }
    }
}
