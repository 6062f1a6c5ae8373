import Foundation
import Ledger
import Timing

/// A process that uses the gateway and the books in turn, such as a refund.
///
/// A saga decides what to do next, and does nothing itself: ``step(after:_:at:)`` is pure. A driver performs one effect
/// at a time and returns its result as an event. So a test can walk every interleaving of sagas, crashes and lost
/// responses (docs/decisions/0130-sagas.md).
///
/// The present effect is the only state, and it is not stored. When an effect fails or the process ends, the saga ends
/// without an outcome. A new saga starts from what the gateway and the books have then.
protocol Saga: Sendable {
    /// An action of the driver: a call to the gateway, a read or a write. It carries what the following steps need.
    associatedtype Effect: Sendable
    /// The result of an effect.
    associatedtype Event: Sendable
    /// The result of the saga.
    associatedtype Outcome: Sendable

    var first: Effect { get }

    /// The next step after an effect.
    ///
    /// - Throws: ``LedgerError/Code/fault`` if the event is not a result of the effect, which is a bug.
    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step
}

/// The next step of a saga.
enum SagaStep<Effect: Sendable, Outcome: Sendable>: Sendable {
    case perform(Effect)
    case end(Outcome)
}

extension Saga {
    typealias Step = SagaStep<Effect, Outcome>

    /// Runs the saga to its end.
    ///
    /// - Parameter perform: performs an effect, and returns its result.
    /// - Throws: the error of a failed effect. The effect may have been carried out.
    func run(
        _ perform: (Effect) async throws(LedgerError) -> Event
    ) async throws(LedgerError) -> Outcome {
        var effect = first
        while true {
            switch try step(after: effect, try await perform(effect), at: Time.current.now) {
            case .perform(let next): effect = next
            case .end(let outcome): return outcome
            }
        }
    }
}
