import TestSupport
import Testing

/// Monitoring has a listener of its own where the settings say so.
@Suite(.serialized, .timeLimit(.minutes(20))) struct AdminListenTests {
    @Test func `metrics are on the listener for monitoring alone, health is on both`() async throws {
        try await House.with { house in
            let api = try await house.serveProcess(at: nil, ["LEDGERD_ADMIN_LISTEN": "127.0.0.1:0"])
            let admin = try #require(api.admin)
            for path in ["/health/live", "/health/ready"] {
                #expect(try await api.get(path).status == 200)
                #expect(try await admin.get(path).status == 200)
            }
            #expect(try await api.get("/metrics").status == 404)
            #expect(try await admin.get("/metrics").text.contains("ledgerd_build_info{"))
            // The other paths are the API's alone.
            for path in ["/v1/products", "/openapi.json", "/docs", "/docs/shop"] {
                #expect(try await api.get(path).status == 200)
                #expect(try await admin.get(path).status == 404)
            }
            #expect(try await admin.post("/metrics", "").status == 405)
            // The bare address leads a browser to a page that is there.
            let first = [(api, "/docs"), (admin, "/health/ready")]
            for (listener, page) in first {
                let answer = try await listener.get("/")
                #expect(answer.status == 303 && answer.headers["Location"] == page, "\(answer)")
                #expect(try await listener.post("/", "").status == 405)
            }
            // The API's limit is reported, not that of the other listener.
            #expect(try await !admin.get("/metrics").text.contains("ledgerd_http_connections_limit 64\n"))

            let ready = try await house.run(
                "health", with: ["LEDGERD_LISTEN": "127.0.0.1:9", "LEDGERD_ADMIN_LISTEN": "127.0.0.1:\(admin.port)"])
            #expect(ready.exit == .code(0), "\(ready)")
            #expect(try await api.stop() == .code(0))
        }
    }

    @Test func `without such a listener the API's serves all of it`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            #expect(try await service.get("/metrics").status == 200)
            #expect(service.admin == nil && !service.log.contains("admin_address"))
        }
    }

    @Test func `one address can't be both`() async throws {
        try await House.with { house in
            let address = "127.0.0.1:\(TestPort.next())"
            let settings = house.settings()
                .merging(["LEDGERD_LISTEN": address, "LEDGERD_ADMIN_LISTEN": address]) { $1 }
            let (exit, _, errors) = try await house.run("serve", with: settings)
            #expect(exit == .code(1))
            StartTests.expectOneLine(errors, ["admin_listen and listen are the same address"])
        }
    }
}
