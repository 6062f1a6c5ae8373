import TestSupport
import Testing

@testable import OutboundHTTP

/// A guarded transport sends nothing into its own network, however the address is written or found.
@Suite(.timeLimit(.minutes(20))) struct GuardedTransportTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func send(
        _ url: (Int) -> String, known: (Int) -> [String] = { _ in [] }, allowing allowed: String? = nil
    ) async throws -> (outcome: Result<Int, TransportError>, connections: Int) {
        let server = try RawServer(head: Self.answer)
        var configuration = CurlTransport.Configuration(
            addressGuard: AddressGuard(allowing: allowed.flatMap(AddressRange.list) ?? []))
        configuration.knownAddresses = known(server.port)
        let transport = CurlTransport(configuration)
        defer { transport.shutdown() }
        let request = HTTPRequest(.post, try HTTPURL(url(server.port), allowsPlainHTTP: true, isBase: false))
        do throws(TransportError) {
            return (.success(try await transport.send(request).status), server.connections)
        } catch {
            return (.failure(error), server.connections)
        }
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "0.0.0.0", "0", "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001",
        "0177.0.0.1", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "LOCALHOST",
        "a.localhost",
    ])
    func `loopback is refused in every notation`(host: String) async throws {
        let (outcome, connections) = try await send({ "http://\(host):\($0)/hook" })
        #expect(connections == 0)
        guard case .failure(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
        // A notation that curl or the resolver does not know is as good.
        #expect([.forbiddenAddress, .unreachable].contains(error.code), "\(error)")
    }

    @Test func `the same server is reached when its address is allowed`() async throws {
        let (outcome, connections) = try await send({ "http://127.0.0.1:\($0)/hook" }, allowing: "127.0.0.1")
        #expect(try outcome.get() == 200 && connections == 1)
    }

    @Test(arguments: [
        "127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[::1]",
        "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[fe80::1]", "[fd00::1]", "[64:ff9b::a00:1]", "[2002:7f00:1::]",
    ])
    func `a name that resolves to a forbidden address is refused`(address: String) async throws {
        let (outcome, connections) = try await send(
            { "http://hooks.example.com:\($0)/" }, known: { ["hooks.example.com:\($0):\(address)"] })
        #expect(outcome == .failure(TransportError(.forbiddenAddress, "the host's address may not be connected to")))
        #expect(connections == 0)
    }

    @Test func `of several addresses of a name only the allowed are tried`() async throws {
        let (outcome, connections) = try await send(
            { "http://hooks.example.com:\($0)/" },
            known: { ["hooks.example.com:\($0):[::1],10.0.0.1,169.254.169.254,127.0.0.1"] }, allowing: "127.0.0.1")
        #expect(try outcome.get() == 200 && connections == 1)
    }

    @Test func `a redirect is not followed`() async throws {
        let inner = try RawServer(head: Self.answer)
        let outer = try RawServer(
            head: "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:\(inner.port)/\r\nContent-Length: 0\r\n\r\n")
        let transport = CurlTransport(
            CurlTransport.Configuration(
                addressGuard: AddressGuard(allowing: try #require(AddressRange.list("127.0.0.1")))))
        defer { transport.shutdown() }
        let response = try await transport.send(HTTPRequest(.post, try HTTPURL("http://127.0.0.1:\(outer.port)/")))
        #expect(response.status == 307 && inner.connections == 0)
    }

    @Test func `a long response is cut off where the request wants it`() async throws {
        let server = try RawServer(head: "HTTP/1.1 200 OK\r\n\r\n", filler: String(repeating: "x", count: 1000))
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let request = HTTPRequest(
            .post, try HTTPURL("http://127.0.0.1:\(server.port)/"), maxResponseBytes: 1024, truncatesResponse: true)
        let response = try await transport.send(request)
        #expect(response.status == 200 && response.body.count == 1024)
    }
}
