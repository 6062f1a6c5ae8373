import Hummingbird
import Ledger

/// Whether the process lives, and whether it can serve.
struct HealthController: Sendable {
    let ledger: Ledger
    let drain: Drain

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("health/live") { _, _ in try Response(json: ["status": "live"]) }
        router.get("health/ready", use: ready)
    }

    /// `GET /health/ready`: the database answers, its schema is this binary's, and the service is not about to stop.
    private func ready(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        if drain.isUnderWay { throw Problem(.shuttingDown) }
        try await ledger.requireReady()
        return try Response(json: Readiness())
    }

    /// The answer of a service that can serve: which one it is.
    private struct Readiness: Encodable {
        let status = "ready"
        let version = BuildInfo.current.version
        let commit = BuildInfo.current.commit
        let builtAt = BuildInfo.current.builtAt

        enum CodingKeys: String, CodingKey {
            case status, version, commit
            case builtAt = "built_at"
        }
    }
}
