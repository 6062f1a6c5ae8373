import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct RepetitionTests {
    private struct Failure: Error {}

    /// A repetition that would pause for an hour, with what it logs.
    private func repetition(longestPause: Duration? = nil) -> (Repetition, LogCapture) {
        let log = LogCapture()
        let repetition = Repetition(
            pause: .seconds(3600), longestPause: longestPause, failure: "it fails", recovery: "it works",
            logger: log.logger())
        return (repetition, log)
    }

    @Test func `a pause ends when it is rung for, also if that came before it began`() async throws {
        try await ManualTime.with { time in
            let wakeup = Wakeup()
            wakeup.ring()
            await wakeup.wait(atMost: .seconds(3600))
            async let later: Void = wakeup.wait(atMost: .seconds(3600))
            wakeup.ring()
            await later
            // Two calls before a pause end one.
            wakeup.ring()
            wakeup.ring()
            await wakeup.wait(atMost: .seconds(3600))
            async let last: Void = wakeup.wait(atMost: .seconds(3600))
            try await time.untilAsleep()
            await time.advance(by: .seconds(3600))
            await last
        }
    }

    @Test func `a pause ends with its task`() async {
        let wakeup = Wakeup()
        let task = Task { await wakeup.wait(atMost: .seconds(3600)) }
        task.cancel()
        await task.value
    }

    @Test func `work that has more to do is done again at once, and ends with the task`() async {
        let (repetition, _) = repetition()
        let task = Task {
            var rounds = 0
            await repetition.run {
                rounds += 1
                if rounds == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                return .atOnce
            }
            return rounds
        }
        #expect(await task.value == 5)
    }

    @Test func `an outage is one line, and its end another, and its pauses double up to the longest`() async throws {
        try await ManualTime.with { time in
            let (repetition, log) = repetition(longestPause: .seconds(4 * 3600))
            let rounds = Mutex(0)
            let task = Task {
                await repetition.run {
                    if rounds.withLock({
                        $0 += 1
                        return $0
                    }) < 4 {
                        throw Failure()
                    }
                    withUnsafeCurrentTask { $0?.cancel() }
                    return .afterPause
                }
            }
            for (round, hours) in [(1, 2), (2, 4), (3, 4)] {
                try await time.untilAsleep()
                await time.advance(by: .seconds(hours * 3600) - .nanoseconds(1))
                #expect(rounds.withLock(\.self) == round && time.asleep == 1)
                await time.advance(by: .nanoseconds(1))
                try await eventually("the next round is over") { rounds.withLock(\.self) == round + 1 }
            }
            await task.value
            #expect(log.events.map { $0["msg"] as? String } == ["it fails", "it works"])
        }
    }
}
