import Foundation
import HTTPTestSupport
import Hummingbird
import Logging

@testable import LedgerServer

/// An application with the house's middlewares and a few routes to try them on.
struct TestHouse: Sendable {
    static let secret = "an HS256 secret of 32 bytes or so"

    let log = LogCapture()
    let metrics = PrometheusMetrics()
    private let responder: RouterResponder<LedgerdRequestContext>

    /// - Parameter routes: adds the routes, inside the house's middlewares.
    init(routes: (Router<LedgerdRequestContext>) throws -> Void) rethrows {
        let router = Router(context: LedgerdRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addHouseMiddleware(metrics: metrics)
        try routes(router)
        router.refuseOtherMethods()
        responder = router.buildResponder()
    }

    /// Runs the test in memory or over a socket.
    func test(
        _ setup: TestingSetup = .router, level: Logger.Level = .trace,
        _ body: @Sendable (TestClient) async throws -> Void
    ) async throws {
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        let app = Application(responder: responder, configuration: configuration, logger: log.logger(level: level))
        try await app.test(setup, body)
    }

    static func verifier(rules: TokenVerifier.Rules = .init()) async throws -> TokenVerifier {
        TokenVerifier(keys: try await .hs256(secret: secret), rules: rules)
    }

    static func token(sub: String = "demo-user", scope: String = "user", lifetime: Int64 = 3600) async throws -> String
    {
        let now = Int64(Date().timeIntervalSince1970)
        return try await TokenMinter(secret: secret)
            .mint(.init(sub: sub, scope: scope, iat: now, exp: now + lifetime))
    }
}

extension TestResponse {
    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]) ?? [:]
    }

    var text: String { String(buffer: body) }
}
