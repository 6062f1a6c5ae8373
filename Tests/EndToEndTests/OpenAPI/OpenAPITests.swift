import Foundation
import Logging
import TestSupport
import Testing

@testable import Console
@testable import LedgerServer

/// The API's description as the service gives it.
@Suite(.timeLimit(.minutes(20))) struct OpenAPITests {
    @Test func `the document names every route and no other`() async throws {
        try await House.with { house in
            let v2 = [
                "LEDGERD_PORTONE_V2_SECRET": "s", "LEDGERD_PORTONE_V2_STORE_ID": "store-test",
                "LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA==",
            ]
            let (store, play) = (try await house.startAppStore(), try await house.startGooglePlay())
            let app = try await App.unserved(
                house.settings().merging(v2) { $1 }.merging(store.settings) { $1 }.merging(play.settings) { $1 })
            let described = APIDocument.own.operations.map { "\($0.method.uppercased()) \($0.path)" }
            #expect(Set(app.routes) == Set(described), "\(Set(app.routes).symmetricDifference(described).sorted())")
            #expect(described.count > 35)
        }
    }

    @Test func `document and page are served, and each operation needs the scope that it always did`() async throws {
        try await House.open { _, _, service in
            let document = try await service.get("/openapi.json")
            #expect(document.status == 200 && document.json["openapi"] == "3.1.0")
            #expect(document.headers["Content-Type"] == "application/json; charset=utf-8")
            try await Self.expectReference(of: service)
            try Golden.expect(try await Self.needs(of: service), in: "operations.txt")
        }
    }

    /// The reference is served, with what its pages load, and read again only when it has changed.
    private static func expectReference(of service: Service) async throws {
        let files = [
            ("/docs", "text/html", "id=\"presentReceipt\""), ("/docs/shop", "text/html", "<h2 id=\"presentReceipt\">"),
            ("/docs/settings", "text/html", "LEDGERD_LISTEN"), ("/docs/reference.css", "text/css", ":root"),
            ("/docs/reference.js", "text/javascript", "\"use strict\";"),
            ("/docs/search.json", "application/json", "POST /v1/receipts"),
        ]
        for (path, type, text) in files {
            let file = try await service.get(path)
            #expect(file.status == 200 && file.text.contains(text), "\(path)")
            #expect(file.headers["Content-Type"] == "\(type); charset=utf-8", "\(path)")
            #expect(file.headers["Cache-Control"] == "public, no-cache", "\(path)")
            let policy = sure(file.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
            #expect(!policy.contains("unsafe"))
            let tag = try #require(file.headers["ETag"])
            let again = try await service.send(.get, path, headers: [("If-None-Match", tag)])
            #expect(again.status == 304 && again.text.isEmpty, "\(path)")
        }
        let unknown = try await service.get("/docs/shp")
        #expect(unknown.status == 404 && unknown.json["detail"] == "the page is unknown; did you mean shop?")
    }

    @Test func `every request of the reference can be copied to a shell`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let (store, play) = (try await house.startAppStore(), try await house.startGooglePlay())
            let service = try await house.serve(
                at: gateway,
                [
                    "LEDGERD_PORTONE_V2_URL": gateway.url, "LEDGERD_PORTONE_V2_SECRET": "sandbox-v2-secret",
                    "LEDGERD_PORTONE_V2_STORE_ID": "store-sandbox",
                    "LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA==",
                    "LEDGERD_APP_KEYS": "app-key-0123456789",
                ].merging(HookReceiver.settings) { $1 }.merging(ForgettingServiceTests.settings) { $1 }
                    .merging(store.settings) { $1 }.merging(play.settings) { $1 })
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let known = try await service.post("/v1/users/bob/grants", #"{"coins": 1, "reason": "hello"}"#, key: "bob")
            #expect(known.status == 201, "\(known)")
            let environment = [
                "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LEDGERD_URL": "http://127.0.0.1:\(service.port)",
                "USER_TOKEN": Token.user("demo-user"), "SERVICE_TOKEN": Token.refunds(),
                "FINANCE_TOKEN": Token.finance(), "EVENTS_TOKEN": Token.events(), "SUPPORT_TOKEN": Token.support(),
                "ENDPOINTS_TOKEN": Token.endpoints(),
                "APP_KEY": "app-key-0123456789",
            ]
            let page = Reference(.own)
            var asked = 0
            for operation in APIDocument.own.operations {
                for sample in page.samples(of: operation) where sample["title"]?.hasPrefix("Request") == true {
                    let command = Self.plain(sample["code"] ?? "")
                    let asking = "curl -sS -w '\n%{http_code}' " + command.dropFirst("curl ".count)
                    let shell = try ChildProcess(
                        "/bin/sh", ["-c", asking], environment: environment, in: house.directory)
                    #expect(try await shell.exit() == .code(0), "\(command)\n\(shell.standardError)")
                    let answer = shell.standardOutput
                    let status = String(answer.split(separator: "\n").last ?? "")
                    #expect(operation.answers.map(\.status).contains(status), "\(command)\n\(answer)")
                    // Only the purchase, hold, payment or price may be missing (E81 in the older apps' format), or have nothing
                    // left after the requests before; and nobody can copy a signature, or be the second person.
                    let isMissing =
                        status == "404" || answer.contains("E81") || answer.contains("nothing_to_refund")
                        || answer.contains("nothing_owed") || answer.contains("exceeds_debt")
                        || answer.contains("exceeds_claim") || answer.contains("exceeds_giveable")
                        || answer.contains("user_merged") || answer.contains("receipt_signature_invalid")
                        || answer.contains("no_price_in_currency")
                        || ["takeWebhookV2", "takeAppStoreNotification", "takeGooglePlayMessage", "approveRate"]
                            .contains(operation.id)
                    #expect(["200", "201", "202", "204"].contains(status) || isMissing, "\(command)\n\(answer)")
                    asked += 1
                }
            }
            #expect(asked > 55, "\(asked)")
            #expect(try await house.books.count("SELECT count(*) FROM settlement_file") == 1)
        }
    }

    /// The scope that each operation needs or, if it is not a scope, how it answers who has no token.
    private static func needs(of service: Service) async throws -> [String] {
        var needs: [String] = []
        for operation in LedgerServer.Operation.all {
            func ask(as token: String?) async throws -> Answer {
                try await service.send(
                    sure(.init(rawValue: operation.method.rawValue)), operation.path.replacing(/\{\w+\}/, with: "7"),
                    as: token)
            }
            let stranger = try await ask(as: nil)
            let scope = try await ask(as: Token.make(sub: "nobody", scope: "nothing")).json["required_scope"].text
            let need = stranger.status == 401 ? scope : nil
            needs.append("\(operation.path) \(operation.method): \(need ?? "\(stranger.status)")")
        }
        return needs.sorted()
    }

    /// The text that a browser shows.
    private static func plain(_ html: String) -> String {
        html.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
    }
}

extension App {
    /// The app of a service with these settings, which serves nothing.
    static func unserved(_ settings: [String: String]) async throws -> App {
        let command = try ServeCommand<Console>.parse([])
        let app = try await App.build(
            try ServeConfiguration(command.settings.values(environment: settings)),
            pages: Console.self, metrics: PrometheusMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await app.ledger.close()
        return app
    }
}
