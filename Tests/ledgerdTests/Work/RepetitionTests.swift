import Logging
import ServiceLifecycle
import Testing

@testable import ledgerd

@Suite(.timeLimit(.minutes(20))) struct RepetitionTests {
    private struct Failure: Error {}

    /// A repetition that would pause for an hour, with what it logs.
    private func repetition(pause: Duration = .seconds(3600)) -> (Repetition, LogCapture) {
        let log = LogCapture()
        return (Repetition(pause: pause, failure: "it fails", recovery: "it works", logger: log.logger()), log)
    }

    @Test func `a pause ends when it is rung for, also if that came before it began`() async {
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
        let start = ContinuousClock.now
        await wakeup.wait(atMost: .milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
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

    @Test func `an outage is one line, and its end another`() async {
        let (repetition, log) = repetition(pause: .milliseconds(1))
        let task = Task {
            var rounds = 0
            await repetition.run {
                rounds += 1
                if rounds < 4 { throw Failure() }
                withUnsafeCurrentTask { $0?.cancel() }
                return .afterPause
            }
        }
        await task.value
        #expect(log.events.map { $0["msg"] as? String } == ["it fails", "it works"])
    }
}
