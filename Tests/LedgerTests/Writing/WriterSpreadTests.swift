import Testing

@testable import Ledger

/// When acts go to more than the first writer.
@Suite(.timeLimit(.minutes(20))) struct WriterSpreadTests {
    @Test func `acts are spread when more are under way than one batch holds, until few are`() {
        var spread = WriterSpread(batchLimit: 8)
        let rising = (1...10).map { _ in spread.enter() }
        #expect(rising == [false, false, false, false, false, false, false, false, true, true])
        for _ in 0..<8 { spread.leave() }
        let stillBusy = spread.enter()
        #expect(stillBusy)
        for _ in 0..<2 { spread.leave() }
        let quiet = spread.enter()
        #expect(!quiet)
    }
}
