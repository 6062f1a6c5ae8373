import Ledger

/// Forgets users when their time has come and nothing of them is open.
struct ForgettingWorker: WorkItemWorker {
    let ledger: Ledger
    let key: ForgettingKey
    let periods: KeepingPeriods
    let name = "forgetting"
    let metric = "ledgerd_forgettings"
    let lease = PendingForgetting.lease

    /// What is open is looked at again after this time.
    private static let pause = Duration.seconds(3600)
    /// The chain is extended every 30 s.
    private static let pauseOfChain = Duration.seconds(60)

    func work(on pending: PendingForgetting) async throws -> WorkOutcome<PendingForgetting.Decision> {
        if let reason = try await ledger.pendingForgettings.forget(pending, key: key, keeping: periods) {
            return .postponed(reason == "chain" ? Self.pauseOfChain : Self.pause, reason)
        }
        return .recorded(try await ledger.pendingForgettings.decision(of: pending) ?? .forgotten)
    }
}
