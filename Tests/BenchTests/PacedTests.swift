import TestSupport
import Testing

@testable import ledgerd_bench

@Suite(.timeLimit(.minutes(20))) struct PacedTests {
    @Test func `what was due in a pause counts from when it was due`() async throws {
        try await ManualTime.with { time in
            let paced = Paced(lanes: 1, interval: .milliseconds(100))
            let start = time.instant
            let done = try await paced.run(until: { time.instant >= start + .milliseconds(300) }) { _, serial in
                // The first act takes 350 ms: three more became due.
                if serial == 0 { await time.advance(by: .milliseconds(350)) }
                return serial
            }
            #expect(done.map(\.output) == [0, 1, 2, 3])
            #expect(done.map(\.delay) == [350, 250, 150, 50].map { .milliseconds($0) })
        }
    }

    @Test func `lanes begin at even distances, and each performs at least one act`() async throws {
        try await ManualTime.with { time in
            async let run = Paced(lanes: 4, interval: .milliseconds(100)).run(until: { true }) { lane, _ in lane }
            // The first lane is due at once.
            for lane in 1..<4 { try await time.untilAsleep(for: .milliseconds(25 * lane)) }
            await time.advance(by: .milliseconds(75))
            let done = try await run
            #expect(Set(done.map(\.output)) == [0, 1, 2, 3] && done.count == 4)
        }
    }

    @Test func `a percentile is a value that so many do not exceed`() {
        let hundred = (1...100).map { Duration.milliseconds($0) }
        #expect(hundred.percentile(99) == .milliseconds(99))
        #expect(hundred.percentile(100) == .milliseconds(100))
        #expect([Duration.seconds(3)].percentile(99) == .seconds(3))
        #expect([Duration]().percentile(99) == nil)
    }
}
