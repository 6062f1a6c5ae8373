import Foundation
import Ledger
import PGVerifier

/// The only path from a pending refund to its result: one attempt.
///
/// ```
/// begun ──────────── cancel ┬ done ────────────── complete ──────────────────── completed
/// taken ── lookUp ──┘       ├ refused for good ── reviewPayment ── release ──── refused
///                           └ pending, refused for now, unknown ── the next attempt decides
/// ```
/// It can be interrupted at any point and repeated: the gateway's protection prevents a second cancellation, and the
/// books decide a refund only once.
struct RefundSaga: Saga {
    let pending: PendingRefund

    enum Effect: Hashable, Sendable {
        /// Look the cancellation up at the gateway.
        case lookUp
        /// Request the cancellation.
        case cancel
        case complete(GatewayCancellation)
        /// Store an event that causes another review of the payment.
        case reviewPayment(ReviewCause)
        /// Release the coins of the refund to the wallet.
        case release(Refund.GatewayRefusal)
    }

    /// Why the payment is reviewed again.
    enum ReviewCause: Hashable, Sendable {
        /// Another cancellation can be the cause of the refusal; it could not be booked while this refund was pending.
        case refused(Refund.GatewayRefusal)
        /// The books have recorded the refund as refused, and the gateway has carried it out.
        case doneAfterRefusal
    }

    enum Event: Sendable {
        /// Nil: the gateway does not know the cancellation.
        case outcome(CancellationOutcome?)
        /// It is unknown whether the gateway has carried it out.
        case gatewayFailed
        case decided(PendingRefund.Decision)
        case stored
    }

    typealias Outcome = Progress

    /// The result of an attempt.
    enum Progress: Sendable {
        /// The refund is completed or refused, now or before.
        case decided(PendingRefund.Decision)
        /// The gateway has accepted it and carries it out later.
        case accepted
        /// The gateway has refused it, but can still carry it out: the payment must be looked up again.
        case refusedOnce(Refund.GatewayRefusal)
        /// The gateway has refused a repeat, but can still be carrying out the first request.
        case doubted
        /// The result at the gateway is unknown.
        case unknown
    }

    /// A new cancellation was never requested, so it needs no look-up.
    var first: Effect { pending.attempts > 0 ? .lookUp : .cancel }

    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step {
        switch (effect, event) {
        case (.lookUp, .gatewayFailed), (.cancel, .gatewayFailed): return .end(.unknown)
        case (.lookUp, .outcome(let outcome?)), (.cancel, .outcome(let outcome?)): return follow(outcome)
        case (.lookUp, .outcome(nil)): return followUnknownCancellation()
        case (.complete, .decided(.refused)): return .perform(.reviewPayment(.doneAfterRefusal))
        case (.reviewPayment(.doneAfterRefusal), .stored): return .end(.decided(.refused))
        // The event is stored before the coins are released, so that a crash does not lose it.
        case (.reviewPayment(.refused(let refusal)), .stored): return .perform(.release(refusal))
        case (.complete, .decided(let decision)), (.release, .decided(let decision)): return .end(.decided(decision))
        default: throw .unexpected("an event of a refund does not belong to its effect")
        }
    }

    private func follow(_ outcome: CancellationOutcome) -> Step {
        switch outcome {
        case .done(let cancellation): return .perform(.complete(cancellation))
        case .pending: return .end(.accepted)
        case .refused where !pending.believesRefusals: return .end(.doubted)
        case .refused(let refusal):
            let isExplained = refusal.reason != .refusedByGateway
            let refusal = Refund.GatewayRefusal(refusal)
            return isExplained || pending.attempts > 0
                ? .perform(.reviewPayment(.refused(refusal))) : .end(.refusedOnce(refusal))
        }
    }

    /// The gateway does not know the cancellation: it is requested, unless it was accepted or refused before.
    private func followUnknownCancellation() -> Step {
        if pending.isAccepted { return .end(.accepted) }
        guard let refusal = pending.firstRefusal else { return .perform(.cancel) }
        return .perform(.reviewPayment(.refused(refusal)))
    }
}

extension Refund.GatewayRefusal {
    /// A gateway's refusal in the format of the books.
    fileprivate init(_ refusal: CancellationRefusal) {
        self.init(reason: refusal.reason.rawValue, gatewayCode: refusal.gatewayCode)
    }
}
