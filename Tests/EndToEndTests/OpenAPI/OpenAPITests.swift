import Foundation
import Logging
import TestSupport
import Testing

@testable import ledgerd

/// The API's description as the service gives it.
@Suite(.timeLimit(.minutes(15))) struct OpenAPITests {
    @Test func `the document names every route and no other`() async throws {
        try await House.with { house in
            let v2 = [
                "LEDGERD_PORTONE_V2_SECRET": "s", "LEDGERD_PORTONE_V2_STORE_ID": "store-test",
                "LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA==",
            ]
            let settings = house.settings().merging(v2) { $1 }
            let command = try ServeCommand.parse([])
            let app = try await App.build(
                try ServeConfiguration(command.settings.values(environment: settings)),
                metrics: PrometheusMetrics(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            await app.ledger.close()
            let described = APIDocument.own.paths.flatMap { path, methods in
                methods.keys.map { "\($0.uppercased()) \(path)" }
            }
            #expect(Set(app.routes) == Set(described), "\(Set(app.routes).symmetricDifference(described).sorted())")
            #expect(described.count > 35)
        }
    }

    @Test func `document and page are served`() async throws {
        try await House.open { _, _, service in
            let document = try await service.get("/openapi.json")
            #expect(document.status == 200 && document.json["openapi"] == "3.1.0")
            #expect(document.headers["Content-Type"] == "application/json; charset=utf-8")
            let page = try await service.get("/docs")
            #expect(page.status == 200 && page.text.contains("<b>POST /v1/receipts</b>"))
            #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
            let policy = sure(page.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"))
        }
    }
}
