import Foundation
import Ledger
import PGVerifier

/// The only path from a waiting charge to its end: one attempt.
///
/// ```
/// never asked ─ beginAsking ─ charge ┬ accepted, refused ─ lookUp
/// asked ── lookUp                    ├ surely not arrived ─ withdraw ── asked for later
///            │                       └ unknown ── the next attempt looks it up
///            ├ paid ── credit ─┬ credited
///            │                 └ not credited ── fail
///            ├ failed ── fail
///            ├ open ── the next attempt looks it up
///            └ nothing ┬ may be under way, refused now ── the next attempt looks it up
///                      └ else ── fail
/// ```
/// It can be interrupted at any point and repeated, by any process: who finds that the gateway was asked only looks the
/// order up, so the gateway is asked once (docs/decisions/0207).
struct TopUpSaga: Saga {
    let pending: PendingTopUp

    enum Effect: Sendable {
        /// Store that the gateway is about to be asked, if the consent and its limits allow it.
        case beginAsking
        /// Ask the gateway, as it was announced.
        case charge(PendingTopUp.Asking)
        /// Store that the request that was announced at this time did not reach the gateway.
        case withdraw(Date)
        /// Look the order's payments up at the gateway.
        case lookUp(after: Answered)
        /// Credit the payment to its order.
        case credit(GatewayPayment)
        case fail(Failure)
    }

    /// What is known of the request when the order is looked up.
    enum Answered: Hashable, Sendable {
        /// The gateway has answered in this attempt.
        case accepted
        case refused
        /// It was asked before.
        case earlier
    }

    enum Event: Sendable {
        /// Nil: the gateway must not be asked.
        case asking(PendingTopUp.Asking?)
        case answered(ChargeAnswer)
        /// The gateway gave no usable answer; whether the request may have been carried out.
        case gatewayFailed(mayHaveBeenCarriedOut: Bool)
        case payments([GatewayPayment])
        /// Whether the payment is credited.
        case credited(Bool)
        case stored
    }

    /// Why the gateway did not charge, or a person must look at it; the names are stored.
    enum Failure: String, Sendable {
        /// The card was declined.
        case declined
        /// The gateway refused, and shows no payment.
        case refused = "charge_refused"
        /// The gateway shows no payment long after a request without an answer.
        case unknown
        /// The gateway shows a payment that can't be credited, such as a test payment or a cancelled one.
        case notCredited = "not_credited"
    }

    typealias Outcome = Progress

    /// The result of an attempt.
    enum Progress: Hashable, Sendable {
        /// The charge has its end, or another process works on it.
        case ended
        /// The request did not reach the gateway.
        case notAsked
        /// The gateway has refused, and shows no payment yet.
        case refusedOnce
        /// The request may still be carried out.
        case underWay
        /// The state at the gateway is unknown.
        case unknown
    }

    var first: Effect { pending.askedAt == nil ? .beginAsking : .lookUp(after: .earlier) }

    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step {
        switch (effect, event) {
        case (.beginAsking, .asking(let asking?)): return .perform(.charge(asking))
        case (.beginAsking, .asking(nil)): return .end(.ended)
        case (.charge, .answered(.accepted)): return .perform(.lookUp(after: .accepted))
        case (.charge, .answered(.refused)): return .perform(.lookUp(after: .refused))
        case (.charge, .gatewayFailed(mayHaveBeenCarriedOut: true)): return .end(.unknown)
        case (.charge(let asking), .gatewayFailed(mayHaveBeenCarriedOut: false)): return .perform(.withdraw(asking.at))
        case (.withdraw, .stored): return .end(.notAsked)
        // A refusal is kept, so that the next attempt knows it.
        case (.lookUp(after: .refused), .gatewayFailed): return .end(.refusedOnce)
        case (.lookUp, .gatewayFailed): return .end(.unknown)
        case (.lookUp(let answered), .payments(let payments)): return follow(payments, answered)
        case (.credit, .credited(true)), (.fail, .stored): return .end(.ended)
        case (.credit, .credited(false)): return .perform(.fail(.notCredited))
        default: throw .unexpected("an event of a top-up does not belong to its effect")
        }
    }

    private func follow(_ payments: [GatewayPayment], _ answered: Answered) -> Step {
        if let taken = payments.first(where: \.isTaken) { return .perform(.credit(taken)) }
        // There was one request, so there is no other attempt that may succeed.
        if !payments.isEmpty, payments.allSatisfy({ $0.status == .failed }) { return .perform(.fail(.declined)) }
        switch answered {
        case .accepted: return .end(.underWay)
        case .refused: return .end(.refusedOnce)
        case .earlier where pending.wasRefused && payments.isEmpty: return .perform(.fail(.refused))
        // A payment that the gateway shows as open can still be paid, however late.
        case .earlier where pending.mayBeUnderWay || !payments.isEmpty: return .end(.underWay)
        case .earlier: return .perform(.fail(.unknown))
        }
    }
}

extension GatewayPayment {
    /// Whether money was taken, whatever became of it.
    fileprivate var isTaken: Bool {
        switch status {
        case .paid, .partiallyCancelled, .cancelled: true
        case .ready, .failed, .unknown: false
        }
    }
}

extension PendingTopUp {
    /// Whether the gateway refused, when it was last looked at.
    var wasRefused: Bool { reason == TopUpSaga.Failure.refused.rawValue }
}
