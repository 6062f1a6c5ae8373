import Foundation
import TestSupport
import Testing
import Timing

@Suite(.timeLimit(.minutes(20))) struct TimeTests {
    @Test func `the machine's time is the time unless somebody gives another one`() async throws {
        let before = Date()
        let now = Time.current.now
        #expect(before <= now && now <= Date())
        let (instant, pause) = (Time.current.instant, Duration.milliseconds(5))
        try await Time.current.sleep(for: pause)
        #expect(Time.current.instant - instant >= pause)
    }

    @Test func `a task goes by the time of the task that started it`() async {
        await ManualTime.with { time in
            await time.advance(by: .seconds(90))
            let now = await Task { Time.current.now }.value
            #expect(now == ManualTime.noon + 90)
        }
        #expect(Time.current.now != ManualTime.noon + 90)
    }

    @Test func `a cancelled sleep ends with an error, in both times`() async {
        for time in [Time.system, ManualTime().time] {
            let task = Task { try await time.sleep(for: .seconds(3600)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
