import OutboundHTTP
import Testing

/// What every answer says to browsers.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SecurityHeadersTests {
    @Test func `every response forbids framing, sniffing and referrers`() async throws {
        try await House.open { _, gateway, service in
            let user = Token.user("ann")
            var answers = [
                try await service.get("/docs"), try await service.get("/docs/shop"),
                try await service.get("/openapi.json"),
                try await service.get("/health/live"), try await service.get("/metrics"),
                try await service.get("/v1/products"), try await service.get("/v1/me/balance", as: user),
                try await service.get("/v1/me/balance"), try await service.get("/no/such/path"),
                try await service.get("//"), try await service.send(.delete, "/v1/products"),
                try await service.get("/v1/store/item/list"), try await service.post("/v1/receipts", "{", as: user),
                try await service.get("/v1/exports/journal?from=2026-01-01", as: Token.finance()),
            ]
            let sandbox = Service(port: gateway.port, transport: gateway.transport)
            for path in ["/", "/checkout", "/checkout?merchant_uid=a", "/no/such/page", "/sandbox/journal"] {
                answers.append(try await sandbox.get(path))
            }
            for answer in answers {
                let headers = answer.headers
                #expect(headers["X-Content-Type-Options"] == "nosniff", "\(answer)")
                #expect(headers["X-Frame-Options"] == "DENY", "\(answer)")
                #expect(headers["Referrer-Policy"] == "no-referrer", "\(answer)")
                let policy = headers["Content-Security-Policy"] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "\(answer)")
                // Only the reference has a script, in a file of its own.
                let others = policy.replacing(" script-src 'self';", with: "")
                #expect(!others.contains("script"), "\(policy)")
            }
        }
    }
}
