import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GatewayRetryPolicyTests {
    private let policy = GatewayRetryPolicy(GatewayLimits())

    @Test func `the pause is a random share of a ceiling that doubles, up to a bound`() {
        let error = GatewayError(.serverError, message: "")
        #expect(pause(error, attempts: 1, random: 0.5) == .milliseconds(100))
        #expect(pause(error, attempts: 2, random: 0.5) == .milliseconds(200))
        #expect(pause(error, attempts: 1, random: 0) == .zero)
        var patient = policy
        patient.maxAttempts = 100
        let long = patient.pause(after: error, attempts: 60, random: 1, timeLeft: .seconds(60))
        #expect(long == .seconds(5))
    }

    @Test func `no more attempts are made than allowed`() {
        let error = GatewayError(.serverError, message: "")
        #expect(pause(error, attempts: 2) != nil)
        #expect(pause(error, attempts: 3) == nil)
    }

    @Test func `the gateway's Retry-After is the least, and no attempt begins behind the deadline`() {
        let error = GatewayError(.rateLimited, message: "", retryAfter: .seconds(2))
        #expect(pause(error, attempts: 1, timeLeft: .seconds(3)) == .seconds(2))
        #expect(pause(error, attempts: 1, timeLeft: .seconds(2)) == nil)
        #expect(pause(GatewayError(.timeout, message: ""), attempts: 1, timeLeft: .milliseconds(50)) == nil)
    }

    @Test(arguments: [
        (GatewayError.Code.timeout, true), (.unreachable, true), (.connectionLost, true), (.rateLimited, true),
        (.serverError, true), (.stillRunning, true), (.notFoundYet, true), (.notFound, false), (.refused, false),
        (.malformedAnswer, false),
        (.tooLarge, false), (.redirect, false), (.unauthorized, false), (.untrusted, false), (.cancelled, false),
        (.circuitOpen, false), (.overloaded, false), (.invalidRequest, false),
    ])
    func `only what may pass by itself is tried again`(code: GatewayError.Code, isRepeated: Bool) {
        #expect((pause(GatewayError(code, message: ""), attempts: 1) != nil) == isRepeated)
    }

    private func pause(
        _ error: GatewayError, attempts: Int, random: Double = 0.5, timeLeft: Duration = .seconds(10)
    ) -> Duration? {
        policy.pause(after: error, attempts: attempts, random: random, timeLeft: timeLeft)
    }
}
