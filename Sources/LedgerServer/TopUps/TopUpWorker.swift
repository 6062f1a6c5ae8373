import Foundation
import Ledger

/// Works on charges until they have their end.
struct TopUpWorker: WorkItemWorker {
    let driver: TopUpDriver
    let name = "top-ups"
    let metric = "ledgerd_top_ups"
    let lease = PendingTopUp.lease

    func work(on pending: PendingTopUp) async throws -> WorkOutcome<PendingTopUp.Decision> {
        let progress = try await driver.drive(pending)
        if let decision = try await driver.reviewer.crediter.ledger.pendingTopUps.decision(of: pending) {
            return .recorded(decision)
        }
        return pending.outcome(of: progress)
    }
}

extension PendingTopUp {
    /// The delay before the second look-up after a refusal, which can come before the payment shows.
    private static let secondLook = Duration.seconds(30)

    /// What becomes of a charge that waits after an attempt.
    func outcome(of progress: TopUpSaga.Progress) -> WorkOutcome<Decision> {
        let attempts = Int(attempts)
        return switch progress {
        // Another process works on it.
        case .ended: .postponed(Backoff.cancelling.delay(afterAttempts: attempts), nil)
        case .notAsked: .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: attempts), "gateway_unavailable")
        case .refusedOnce: .postponed(Self.secondLook, TopUpSaga.Failure.refused.rawValue)
        case .underWay: .postponed(Backoff.cancelling.delay(afterAttempts: attempts), nil)
        // A charge that was refused stays so, even if its present state is unknown.
        case .unknown: .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: attempts), nil)
        }
    }
}

/// The limits of automatic top-up that all consents have.
struct TopUpRules: Sendable {
    /// The most credited charges of a user in a day.
    let mostADay: Int
    /// The failed charges in a row after which a consent is paused.
    let mostFailures: Int
    /// The zone of days and months.
    let timeZone: TimeZone
}

extension TopUpRules {
    /// The configured limits.
    init(_ configuration: ServeConfiguration) throws(ConfigurationError) {
        mostADay = try configuration[Settings.receipts.topUpsADay]
        mostFailures = try configuration[Settings.receipts.topUpFailures]
        timeZone = try configuration[Settings.books.timeZone]
    }
}
