import Synchronization
import TestSupport
import Testing

@testable import OutboundHTTP
@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct CurlTransportTests {
    @Test func `one connection serves many requests`() async throws {
        try await GatewayUnderTest.run { gateway in
            for _ in 0..<20 {
                let response = try await gateway.transport.send(HTTPRequest(.get, gateway.url.appending("nowhere")))
                #expect(response.status == 404)
            }
            #expect(Set(try await gateway.journal("/nowhere").map { $0["connection"] }).count == 1)
        }
    }

    @Test func `no more connections are opened than allowed, and the rest waits`() async throws {
        try await GatewayUnderTest.run { gateway in
            let transport = CurlTransport(.init(maxConnectionsPerHost: 4))
            let request = HTTPRequest(.get, gateway.url.appending("nowhere"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await transport.send(request).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 404, count: 200))
            #expect(Set(try await gateway.journal("/nowhere").map { $0["connection"] }).count <= 4)
        }
    }

    @Test func `headers are found in any case, and the body is whole`() async throws {
        let server = try RawServer(
            head: "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nX-Thing:  a b \r\nContent-Length: 5\r\n\r\nhello")
        let response = try await send(to: server)
        #expect(response.headers["x-thing"] == "a b")
        #expect(response.headers["x-interim"] == nil)
        #expect(response.body == Array("hello".utf8))
    }

    @Test func `a request without a body has no type of it`() async throws {
        let house = try TLSHouse()
        let server = try await house.serve(.good)
        let transport = CurlTransport(.init(authoritiesFile: house.authority))
        let url = try HTTPURL("https://localhost:\(server.port)/finish")
        let response = try await transport.send(HTTPRequest(.post, url, headers: [("Accept", "application/json")]))
        #expect(response.status == 200)
        #expect(server.asked.contains("POST /finish") && !server.asked.lowercased().contains("content-type"))
    }

    @Test func `a redirect is an answer, never followed`() async throws {
        let server = try RawServer(head: "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
        let response = try await send(to: server)
        #expect(response.status == 302)
        #expect(response.headers["Location"] == "/other")
    }

    @Test(arguments: ["Content-Length: 100000000\r\n", ""])
    func `an answer larger than the bound is cut off`(length: String) async throws {
        let server = try RawServer(
            head: "HTTP/1.1 200 OK\r\n\(length)\r\n", filler: String(repeating: "x", count: 10_000))
        #expect(await failure(from: server) == .tooLarge)
    }

    @Test func `endless headers are cut off`() async throws {
        let server = try RawServer(head: "HTTP/1.1 200 OK\r\n", filler: "X-Filler: 12345678901234567890\r\n")
        #expect(await failure(from: server) == .tooLarge)
    }

    @Test func `what isn't HTTP is no answer`() async throws {
        let server = try RawServer(head: "SSH-2.0-OpenSSH_9.2\r\n")
        #expect(await failure(from: server) == .malformedAnswer)
    }

    @Test func `an answer that ends early is a lost connection`() async throws {
        let silent = try RawServer(head: "")
        #expect(await failure(from: silent) == .connectionLost)
        let short = try RawServer(head: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        #expect(await failure(from: short) == .connectionLost)
    }

    @Test func `a refused port is unreachable`() async throws {
        let port = try RawServer(head: "").port
        let url = try HTTPURL("http://127.0.0.1:\(port)")
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(HTTPRequest(.get, url))
        }
        #expect(error?.code == .unreachable)
    }

    @Test func `a peer without TLS isn't trusted`() async throws {
        let server = try RawServer(head: "HTTP/1.1 200 OK\r\n\r\n")
        defer { withExtendedLifetime(server) {} }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(HTTPRequest(.get, try HTTPURL("https://127.0.0.1:\(server.port)")))
        }
        #expect(error?.code == .untrusted)
    }

    @Test func `the total deadline ends an exchange`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "times": 1"#)
            let request = HTTPRequest(.get, gateway.url.appending("slow"), totalTimeout: .milliseconds(200))
            #expect(try await failure(of: request, on: gateway.transport) == .timeout)
        }
    }

    @Test func `the deadline holds while a request waits for a free connection`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/held", "times": 1"#)
            let transport = CurlTransport(.init(maxConnectionsPerHost: 1))
            let holder = Task { try await transport.send(held(gateway)) }
            defer { holder.cancel() }
            try await gateway.isAsked("/held")
            let waiting = HTTPRequest(.get, gateway.url.appending("waits"), totalTimeout: .milliseconds(200))
            #expect(try await failure(of: waiting, on: transport) == .timeout)
        }
    }

    @Test func `cancelling the task ends the transfer at once`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/held", "times": 1"#)
            let task = Task { try await gateway.transport.send(held(gateway)) }
            try await gateway.isAsked("/held")
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
        try await GatewayUnderTest.run { gateway async throws in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await gateway.transport.send(HTTPRequest(.get, gateway.url.appending("never")))
            }
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await gateway.journal("/never").isEmpty)
        }
    }

    @Test func `a task that is cancelled while it begins is answered once, and at once`() async throws {
        let server = try RawServer(head: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ending: .silence)
        let request = HTTPRequest(
            .get, try HTTPURL("http://127.0.0.1:\(server.port)"), totalTimeout: .seconds(3600))
        let transport = CurlTransport()
        for round in 0..<Effort.count(100, upTo: 500) {
            let hasBegun = Atomic(false)
            let task = Task {
                hasBegun.store(true, ordering: .releasing)
                return try await transport.send(request)
            }
            // Half of them are cancelled before they begin, half while they are submitted or soon after.
            while round.isMultiple(of: 2), !hasBegun.load(ordering: .acquiring) { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        withExtendedLifetime(server) {}
    }

    @Test func `a shut-down transport fails what is under way and refuses the rest`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/held", "times": 1"#)
            let transport = CurlTransport()
            let request = held(gateway)
            let task = Task { try await transport.send(request) }
            try await gateway.isAsked("/held")
            transport.shutdown()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await failure(of: request, on: transport) == .cancelled)
        }
    }

    @Test func `too many transfers are refused rather than queued`() async throws {
        let transport = CurlTransport(.init(maxTransfers: 0))
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1"))
        #expect(try await failure(of: request, on: transport) == .overloaded)
    }

    @Test func `a header field can't smuggle in another`() async throws {
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1"), headers: [("A", "b\r\nC: d")])
        #expect(try await failure(of: request, on: CurlTransport()) == .invalidRequest)
    }

    @Test func `transfers that are cancelled in a storm all end, and leave the transport whole`() async throws {
        try await GatewayUnderTest.run { gateway async throws in
            let request = HTTPRequest(.get, gateway.url.appending("storm"))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<300 {
                    group.addTask {
                        let task = Task { try await gateway.transport.send(request) }
                        if index % 3 == 0 { task.cancel() }
                        if index % 3 == 1 {
                            // At any moment of a transfer's life.
                            for _ in 0..<index { await Task.yield() }
                            task.cancel()
                        }
                        _ = await task.result
                    }
                }
            }
            #expect(try await gateway.transport.send(request).status == 404)
        }
    }

    /// A request that gets no answer, whose own time ends with no test.
    private func held(_ gateway: GatewayUnderTest) -> HTTPRequest {
        HTTPRequest(.get, gateway.url.appending("held"), totalTimeout: .seconds(3600))
    }

    private func send(to server: RawServer) async throws -> HTTPResponse {
        defer { withExtendedLifetime(server) {} }
        let url = try HTTPURL("http://127.0.0.1:\(server.port)")
        return try await CurlTransport().send(HTTPRequest(.get, url, totalTimeout: .seconds(3600)))
    }

    private func failure(from server: RawServer) async -> TransportError.Code? {
        let error = await #expect(throws: TransportError.self) { try await send(to: server) }
        return error?.code
    }

    private func failure(of request: HTTPRequest, on transport: CurlTransport) async throws -> TransportError.Code? {
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        return error?.code
    }
}
