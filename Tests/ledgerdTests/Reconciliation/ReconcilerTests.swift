import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ReconcilerTests {
    @Test func `what succeeds of a batch is kept, and then its first error is thrown`() async {
        var kept: [Int] = []
        do {
            try await [1, 2, 3].forEachAtOnce { number in
                if number == 2 { throw GatewayAway() }
                return number
            } keep: { answers in
                kept = answers.sorted()
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error is GatewayAway)
        }
        #expect(kept == [1, 3])
    }
}
