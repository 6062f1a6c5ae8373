import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct CircuitTests {
    private let start = ContinuousClock.Instant.someMoment

    @Test func `failures in a row open it, and one success forgives those before`() {
        var circuit = Circuit(limits())
        for outcome in [Circuit.Outcome.failure, .failure, .success, .failure, .failure] {
            call(&circuit, outcome, at: start)
        }
        #expect(circuit.state == .closed)
        call(&circuit, .failure, at: start)
        #expect(circuit.state == .open(until: start + .seconds(5)))
    }

    @Test func `a large share of failures opens it, once enough calls were seen`() {
        var limits = limits()
        limits.consecutiveFailures = 1000
        var circuit = Circuit(limits)
        for number in 0..<9 { call(&circuit, number.isMultiple(of: 2) ? .failure : .success, at: start) }
        #expect(circuit.state == .closed)
        call(&circuit, .success, at: start)
        #expect(circuit.state != .closed)
    }

    @Test func `what was long ago doesn't count towards the share`() {
        var limits = limits()
        limits.consecutiveFailures = 1000
        var circuit = Circuit(limits)
        for _ in 0..<9 { call(&circuit, .failure, at: start) }
        call(&circuit, .failure, at: start + .seconds(10))
        #expect(circuit.state == .closed)
    }

    @Test func `open, it lets nothing through; after the pause it lets one probe through`() {
        var circuit = opened()
        let early = circuit.admit(at: start + .seconds(4))
        #expect(early == nil)
        let probe = circuit.admit(at: start + .seconds(5))
        #expect(probe != nil)
        #expect(circuit.state == .probing)
        let second = circuit.admit(at: start + .seconds(60))
        #expect(second == nil)
    }

    @Test func `the probe closes it, or opens it for another pause, or makes room for another`() throws {
        for (outcome, state) in [
            (Circuit.Outcome.success, Circuit.State.closed), (.failure, .open(until: start + .seconds(11))),
            (.neither, .open(until: start + .seconds(6))),
        ] {
            var circuit = opened()
            let probe = try admitted(&circuit, at: start + .seconds(5))
            circuit.record(outcome, probe, at: start + .seconds(6))
            #expect(circuit.state == state)
            let next = circuit.admit(at: start + .seconds(6))
            #expect((next != nil) == (outcome != .failure))
        }
    }

    @Test func `what ends after the state changed says nothing about the new one`() throws {
        var circuit = Circuit(limits())
        let early = try admitted(&circuit, at: start)
        for _ in 0..<3 { call(&circuit, .failure, at: start) }
        let probe = try admitted(&circuit, at: start + .seconds(5))
        circuit.record(.success, early, at: start + .seconds(5))
        #expect(circuit.state == .probing)
        circuit.record(.success, probe, at: start + .seconds(5))
        circuit.record(.failure, early, at: start + .seconds(6))
        #expect(circuit.state == .closed)
    }

    @Test func `the gateway's own word is health, whatever it says; silence and garbage are not`() {
        for code in [GatewayError.Code.notFound, .refused, .unauthorized, .stillRunning, .notFoundYet] {
            #expect(Circuit.Outcome(GatewayError(code, message: "")) == .success)
        }
        for code in [GatewayError.Code.timeout, .unreachable, .serverError, .malformedAnswer, .tooLarge, .redirect] {
            #expect(Circuit.Outcome(GatewayError(code, message: "")) == .failure)
        }
        for code in [GatewayError.Code.cancelled, .overloaded, .rateLimited] {
            #expect(Circuit.Outcome(GatewayError(code, message: "")) == .neither)
        }
    }

    @Test func `the breaker reports each new state, and fails fast while open`() async throws {
        let time = InstantTiming()
        let states = Mutex<[Circuit.State]>([])
        let breaker = CircuitBreaker(
            limits(), time: time.time, onChange: { state in states.withLock { $0.append(state) } })
        for _ in 0..<3 {
            await #expect(throws: GatewayError.self) {
                try await breaker.run { () throws(GatewayError) in throw GatewayError(.timeout, message: "") }
            }
        }
        let error = await #expect(throws: GatewayError.self) { try await breaker.run { true } }
        #expect(error?.code == .circuitOpen && error?.isDefinite == false)
        #expect(throws: GatewayError.self) { try breaker.check() }
        time.advance(by: .seconds(5))
        try breaker.check()
        let answer = try await breaker.run { true }
        #expect(answer)
        #expect(states.withLock { $0.map { $0.isOpen } } == [true, false, false])
        #expect(states.withLock { $0.last } == .closed)
    }

    private func limits() -> CircuitLimits {
        var limits = CircuitLimits()
        limits.consecutiveFailures = 3
        limits.minimumCalls = 10
        return limits
    }

    private func opened() -> Circuit {
        var circuit = Circuit(limits())
        for _ in 0..<3 { call(&circuit, .failure, at: start) }
        return circuit
    }

    private func admitted(
        _ circuit: inout Circuit, at now: ContinuousClock.Instant
    ) throws -> Circuit.Permit {
        let permit = circuit.admit(at: now)
        return try #require(permit)
    }

    private func call(_ circuit: inout Circuit, _ outcome: Circuit.Outcome, at now: ContinuousClock.Instant) {
        guard let permit = circuit.admit(at: now) else { return }
        circuit.record(outcome, permit, at: now)
    }
}

extension Circuit.State {
    fileprivate var isOpen: Bool {
        if case .open = self { true } else { false }
    }
}
