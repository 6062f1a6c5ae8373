import Hummingbird
import Ledger

/// Whether the process lives, and whether it can serve.
struct HealthController: Sendable {
    let ledger: Ledger

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("health/live") { _, _ in try Response(json: ["status": "live"]) }
        router.get("health/ready", use: ready)
    }

    /// `GET /health/ready`: the database answers and its schema is this binary's.
    private func ready(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await ledger.requireReady()
        return try Response(json: ["status": "ready"])
    }
}
