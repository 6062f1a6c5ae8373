import Foundation
import Ledger
import PGVerifier

/// The only path from a pending refund to its result: one attempt.
///
/// ```
/// never asked ─ findTaxFree? ┬ beginAsking ── cancel ┬ done ────────────── complete ──────────────────── completed
/// asked ── lookUp ───────────┘                       ├ refused for good ── reviewPayment ── release ──── refused
///                                                    └ pending, refused for now, unknown ── the next attempt decides
/// ```
/// It can be interrupted at any point and repeated, by any process: a cancellation that may be under way is looked up
/// and not requested again, unless the gateway carries it out once, and the books decide a refund only once.
struct RefundSaga: Saga {
    let pending: PendingRefund
    /// Whether the gateway carries out a cancellation once, however often it is requested.
    let cancelsOncePerKey: Bool
    /// The tax-free part of the amount, before the gateway is asked for the first time.
    var taxFree = TaxFreePart.known(nil)

    enum Effect: Hashable, Sendable {
        /// Look the cancellation up at the gateway.
        case lookUp
        /// Ask the gateway how much of the payment is tax-free, and work out the part of the amount.
        case findTaxFree
        /// Store that the gateway is about to be asked, with the tax-free part if the refund has none yet, unless another
        /// process has asked meanwhile.
        case beginAsking(taxFree: Int64?)
        /// Request the cancellation, as it was announced.
        case cancel(PendingRefund.Asking)
        /// Store that the request that was announced at this time did not reach the gateway.
        case withdraw(Date)
        case complete(GatewayCancellation)
        /// Store an event that causes another review of the payment.
        case reviewPayment(ReviewCause)
        /// Release the coins of the refund to the wallet.
        case release(Refund.GatewayRefusal)
    }

    /// Why the payment is reviewed again.
    enum ReviewCause: Hashable, Sendable {
        /// The gateway has carried it out. What it gave back by itself of a payment in a foreign currency waited meanwhile.
        case done(GatewayCancellation)
        /// Another cancellation can be the cause of the refusal; it could not be booked while this refund was pending.
        case refused(Refund.GatewayRefusal)
        /// The books have recorded the refund as refused, and the gateway has carried it out.
        case doneAfterRefusal
    }

    enum Event: Sendable {
        /// Nil: the gateway does not know the cancellation.
        case outcome(CancellationOutcome?)
        /// The gateway gave no usable answer; whether the request may have been carried out.
        case gatewayFailed(mayHaveBeenCarriedOut: Bool)
        /// The tax-free part of the amount; nil: none is sent.
        case taxFree(Int64?)
        /// What the gateway is asked, and when; nil: another process has asked, or the refund is decided.
        case asking(PendingRefund.Asking?)
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
        /// A request that had no answer may still be carried out, and the gateway does not show it yet.
        case underWay
        /// The result at the gateway is unknown.
        case unknown
    }

    /// A cancellation that was never requested needs no look-up.
    var first: Effect {
        guard pending.askedAt == nil else { return .lookUp }
        switch taxFree {
        case .known(let part): return .beginAsking(taxFree: part)
        case .atGateway: return .findTaxFree
        }
    }

    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step {
        switch (effect, event) {
        case (.lookUp, .gatewayFailed): return .end(.unknown)
        case (.lookUp, .outcome(let outcome?)), (.cancel, .outcome(let outcome?)): return follow(outcome)
        case (.lookUp, .outcome(nil)): return followUnknownCancellation()
        case (.findTaxFree, .gatewayFailed): return .end(.unknown)
        case (.findTaxFree, .taxFree(let part)): return .perform(.beginAsking(taxFree: part))
        case (.beginAsking, .asking(let asking?)): return .perform(.cancel(asking))
        case (.beginAsking, .asking(nil)): return .end(.underWay)
        case (.cancel, .gatewayFailed(mayHaveBeenCarriedOut: true)), (.withdraw, .stored): return .end(.unknown)
        case (.cancel(let asking), .gatewayFailed(mayHaveBeenCarriedOut: false)):
            return .perform(.withdraw(asking.at))
        case (.complete, .decided(.refused)): return .perform(.reviewPayment(.doneAfterRefusal))
        case (.reviewPayment(.doneAfterRefusal), .stored): return .end(.decided(.refused))
        // The event is stored before the refund is decided, so that a crash does not lose it.
        case (.reviewPayment(.done(let cancellation)), .stored): return .perform(.complete(cancellation))
        case (.reviewPayment(.refused(let refusal)), .stored): return .perform(.release(refusal))
        case (.complete, .decided(let decision)), (.release, .decided(let decision)): return .end(.decided(decision))
        default: throw .unexpected("an event of a refund does not belong to its effect")
        }
    }

    private func follow(_ outcome: CancellationOutcome) -> Step {
        switch outcome {
        case .done(let cancellation):
            return .perform(
                pending.refund.foreign == nil ? .complete(cancellation) : .reviewPayment(.done(cancellation)))
        case .pending: return .end(.accepted)
        case .refused(let refusal):
            // A gateway has refused a cancellation without a reason, and carried it out later.
            let isFinal = refusal.reason != .refusedByGateway || pending.firstRefusal != nil
            let refusal = Refund.GatewayRefusal(refusal)
            return isFinal ? .perform(.reviewPayment(.refused(refusal))) : .end(.refusedOnce(refusal))
        }
    }

    /// The gateway does not know the cancellation: it is requested, unless it was accepted or refused before or may be
    /// under way.
    private func followUnknownCancellation() -> Step {
        if pending.isAccepted { return .end(.accepted) }
        if let refusal = pending.firstRefusal { return .perform(.reviewPayment(.refused(refusal))) }
        return pending.mayBeUnderWay && !cancelsOncePerKey
            ? .end(.underWay) : .perform(.beginAsking(taxFree: nil))
    }
}

extension Refund.GatewayRefusal {
    /// A gateway's refusal in the format of the books.
    fileprivate init(_ refusal: CancellationRefusal) {
        self.init(reason: refusal.reason.rawValue, gatewayCode: refusal.gatewayCode)
    }
}
