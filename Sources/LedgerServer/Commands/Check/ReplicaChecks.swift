import CivilTime
import Ledger

/// Whether reports find their standby.
struct ReplicaChecks: Sendable {
    let values: SettingValues
    /// How long each may take.
    let limit: Duration

    private static let name = "replica"

    /// Nothing is checked if reports are read from the primary.
    func run() async -> [CheckResult] {
        let source: BooksSource
        do {
            guard let replica = try values.replica else { return [] }
            // The result of a late standby must come before the end of the check.
            source = BooksSource(try values.database, replica: replica.waiting(atMost: limit / 2))
        } catch {
            return [.skipped(Self.name, "database_url or replica_url is not valid")]
        }
        return await within(limit) { [await Self.result(source)] } ?? [.late(Self.name, limit)]
    }

    private static func result(_ source: BooksSource) async -> CheckResult {
        do {
            let origin = try await source.origin()
            guard origin.server == .standby else {
                return .warning(
                    name, "no host of replica_url is a standby, so reports are read from the primary",
                    do: "name a standby in replica_url, or remove it")
            }
            return .ok(name, "a standby of the database, with everything up to \(RFC3339.string(from: origin.time))")
        } catch {
            return .failed(name, error, do: "exports, doctor and drill fail until it works, or replica_url is removed")
        }
    }
}
