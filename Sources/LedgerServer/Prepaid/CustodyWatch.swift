import Ledger
import Logging
import ServiceLifecycle

/// Compares every hour what must be in custody with what custodians hold, and opens or resolves the finding about it.
///
/// Several processes may do so: they come to the same.
struct CustodyWatch: Service {
    let prepaid: Prepaid
    let rules: PrepaidRules
    let logger: Logger

    static let interval: Duration = .seconds(3600)

    /// Runs until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, longestPause: Self.interval, failure: "can't compare custody now", logger: logger)
        await repetition.run {
            warn(of: try await acts.compare())
            return .afterPause
        }
    }

    /// What compares; also after each balance that finance enters.
    var acts: PrepaidActs { PrepaidActs(prepaid: prepaid, rules: rules) }

    /// Logs that too little is in custody, if it is.
    func warn(of safeguard: Safeguard) {
        guard safeguard.isShort else { return }
        logger.warning(
            "too little is in custody",
            metadata: [
                "required": .stringConvertible(safeguard.required), "held": .stringConvertible(safeguard.held),
            ])
    }
}
