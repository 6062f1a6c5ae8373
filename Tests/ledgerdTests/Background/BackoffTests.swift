import Testing

@testable import LedgerServer

/// How long is waited before the gateway is asked again.
@Suite(.timeLimit(.minutes(20))) struct BackoffTests {
    private let backoff = Backoff(base: .seconds(1), cap: .seconds(60), floor: .milliseconds(250))

    @Test func `the ceiling doubles up to the cap`() {
        let ceilings = (0...8).map { backoff.delay(afterAttempts: $0) { $0.upperBound } }
        #expect(ceilings == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(backoff.delay(afterAttempts: .max) { $0.upperBound } == .seconds(60))
        #expect(backoff.delay(afterAttempts: -1) { $0.upperBound } == .seconds(1))
    }

    @Test func `the wait is never shorter than the floor`() {
        #expect(backoff.delay(afterAttempts: 5) { $0.lowerBound } == .milliseconds(250))
    }

    @Test func `waits are spread over the whole range below the ceiling`() {
        let waits = (0..<1000).map { _ in backoff.delay(afterAttempts: 5) }
        #expect(waits.allSatisfy { $0 >= .milliseconds(250) && $0 <= .seconds(32) })
        for quarter in 0..<4 {
            let range = Duration.seconds(8 * quarter)...(.seconds(8 * quarter + 8))
            #expect(waits.count { range.contains($0) } > 150)
        }
    }

    @Test(arguments: [Backoff.gatewayUnavailable, .awaitingPayment])
    func `every backoff is in order`(_ backoff: Backoff) {
        #expect(backoff.floor > .zero && backoff.floor <= backoff.base && backoff.base <= backoff.cap)
    }
}
