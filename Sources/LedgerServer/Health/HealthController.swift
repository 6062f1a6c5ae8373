import Hummingbird
import Ledger

/// Liveness and readiness of the process.
struct HealthController: Sendable {
    let ledger: Ledger
    let drain: Drain

    /// `GET /health/live`.
    func live(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: ["status": "live"])
    }

    /// `GET /health/ready`: the database responds, its schema matches this binary, and the service is not stopping.
    func ready(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        if drain.isUnderWay { throw Problem(.shuttingDown) }
        try await ledger.requireReady()
        return try Response(json: Readiness())
    }

    /// The response of a ready service, with its version.
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
