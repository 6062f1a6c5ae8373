import Synchronization
import Timing

/// Runs calls through a ``Circuit``.
final class CircuitBreaker: Sendable {
    private let circuit: Mutex<Circuit>
    private let time: Time
    private let onChange: @Sendable (Circuit.State) -> Void

    /// `onChange` gets each new state.
    init(
        _ limits: CircuitLimits, time: Time = .current,
        onChange: @escaping @Sendable (Circuit.State) -> Void = { _ in }
    ) {
        circuit = Mutex(Circuit(limits))
        self.time = time
        self.onChange = onChange
    }

    /// - Throws: ``GatewayError/Code/circuitOpen`` when a call would be refused now.
    func check() throws(GatewayError) {
        if circuit.withLock({ $0.isBlocked(at: time.instant) }) { throw Self.isOpen }
    }

    /// Makes a call if the circuit allows it, and records its outcome.
    ///
    /// - Throws: ``GatewayError/Code/circuitOpen``, or what `call` throws.
    func run<Answer>(_ call: () async throws(GatewayError) -> Answer) async throws(GatewayError) -> Answer {
        let time = time
        guard let permit = change({ $0.admit(at: time.instant) }) else { throw Self.isOpen }
        do throws(GatewayError) {
            let answer = try await call()
            change { $0.record(.success, permit, at: time.instant) }
            return answer
        } catch {
            change { $0.record(Circuit.Outcome(error), permit, at: time.instant) }
            throw error
        }
    }

    private func change<Answer: Sendable>(_ body: (inout Circuit) -> Answer) -> Answer {
        let (answer, old, new) = circuit.withLock { circuit in
            let old = circuit.state
            return (body(&circuit), old, circuit.state)
        }
        if old != new { onChange(new) }
        return answer
    }

    private static let isOpen = GatewayError(
        .circuitOpen, message: "the gateway has failed too often; the circuit is open")
}
