import Foundation
import Synchronization
import TestSupport
import Testing
import Timing

@Suite(.timeLimit(.minutes(20))) struct ManualTimeTests {
    @Test func `it begins at noon in Seoul, and moves only by hand`() async {
        let time = ManualTime()
        #expect(time.now.formatted(.iso8601) == "2026-11-15T03:34:00Z")
        let (now, instant) = (time.now, time.instant)
        await Task.yield()
        #expect(time.now == now && time.instant == instant)
        await time.advance(by: .milliseconds(1500))
        #expect(time.now == now + 1.5 && time.instant == instant + .milliseconds(1500))
    }

    @Test func `sleepers wake in the order in which they are due, each at its moment`() async throws {
        let time = ManualTime()
        let start = time.instant
        let woken = Kept<[Duration]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await time.time.sleep(for: .seconds(seconds))
                    woken.value.withLock { $0.append(time.instant - start) }
                }
            }
            try await time.untilAsleep(3)
            await time.advance(by: .seconds(2) - .nanoseconds(1))
            try await eventually("the first is awake") { woken.value.withLock { $0.count } == 1 }
            #expect(time.asleep == 2)
            await time.advance(by: .nanoseconds(1))
            try await eventually("the second is awake") { woken.value.withLock { $0.count } == 2 }
            #expect(time.asleep == 1)
            await time.advance(by: .seconds(1))
            try await group.waitForAll()
        }
        #expect(woken.value.withLock(\.self) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(time.asleep == 0)
    }

    @Test func `who sleeps again is woken again`() async throws {
        let time = ManualTime()
        let rounds = Kept(0)
        let loop = Task {
            while true {
                try await time.time.sleep(for: .seconds(1))
                rounds.value.withLock { $0 += 1 }
            }
        }
        for round in 1...10 {
            try await time.untilAsleep(for: .seconds(1))
            await time.advance(by: .seconds(1))
            try await eventually("a round is over") { rounds.value.withLock(\.self) == round && time.asleep == 1 }
        }
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
        #expect(time.asleep == 0)
    }

    @Test func `a moment that is over is not waited for`() async throws {
        let time = ManualTime()
        let before = time.instant
        await time.advance(by: .seconds(1))
        try await time.time.sleep(until: before)
        try await time.time.sleep(for: .zero)
        #expect(time.asleep == 0)
    }
}

/// A value that several tasks change.
private final class Kept<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}
