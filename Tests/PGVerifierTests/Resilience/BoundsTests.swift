import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct CallSlotsTests {
    @Test func `no more are let in than there are slots, and all come through`() async throws {
        let slots = CallSlots(3)
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await slots.withSlot { () async throws(GatewayError) in await load.carry() }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(load.most))
        #expect(slots.waiting == 0)
    }

    @Test func `a cancelled caller leaves the queue, and the others keep their places`() async throws {
        let counts = Mutex<[Int]>([])
        let watched = CallSlots(1) { count in counts.withLock { $0.append(count) } }
        let order = Order<Int>()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task { try await watched.withSlot { () throws(GatewayError) in for await _ in gate {} } }
        var callers: [Task<Void, any Error>] = []
        while watched.isFree { await Task.yield() }
        for number in 0..<3 {
            callers.append(
                Task {
                    try await watched.withSlot { () throws(GatewayError) in order.append(number) }
                })
            while watched.waiting <= number { await Task.yield() }
        }
        callers[1].cancel()
        let error = await #expect(throws: GatewayError.self) { try await callers[1].value }
        #expect(error?.code == .cancelled)
        open.finish()
        try await first.value
        try await callers[0].value
        try await callers[2].value
        #expect(order.names == [0, 2])
        #expect(counts.withLock { $0 } == [1, 2, 3, 2, 1, 0])
        #expect(watched.isFree)
    }

    @Test func `whoever comes while a caller has a thousand waiting is let in after one of them`() async throws {
        let slots = CallSlots(1)
        let order = try await order(in: slots, [("a", 1000), ("b", 1), ("c", 2)])
        #expect(Array(order.prefix(5)) == ["a", "b", "c", "a", "c"])
        #expect(order.count == 1003 && slots.waiting == 0 && slots.isFree)
    }

    @Test func `users together have one share, and each work of the service has its own`() async throws {
        let order = try await order(in: CallSlots(1), [("a", 3), ("b", 3), ("/webhooks", 3), ("/sweep", 2)])
        #expect(
            order == ["a", "/webhooks", "/sweep", "b", "/webhooks", "/sweep", "a", "/webhooks", "b", "a", "b"])
    }

    @Test func `whose turn it is gets the next token too`() async throws {
        let time = InstantTiming()
        let bucket = TokenBucket(perSecond: 10, burst: 1, now: time.now)
        let slots = CallSlots(1, bucket: bucket, timing: time.timing)
        let order = try await order(in: slots, [("a", 50), ("b", 2)])
        #expect(Array(order.prefix(4)) == ["a", "b", "a", "b"])
        // The first token was there.
        #expect((time.pauses.reduce(.zero, +) / .seconds(5.2) - 1).magnitude < 0.01)
    }

    /// In which order callers are let in when all of these wait.
    ///
    /// Names that begin with a slash are works of the service, others users.
    private func order(in slots: CallSlots, _ callers: [(name: String, count: Int)]) async throws -> [String] {
        let order = Order<String>()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let holder = Task { try await slots.withSlot { () throws(GatewayError) in for await _ in gate {} } }
        var tasks: [Task<Void, any Error>] = []
        while slots.isFree { await Task.yield() }
        for (name, count) in callers {
            let caller = name.hasPrefix("/") ? GatewayCaller.service(name) : .user(name)
            for _ in 0..<count {
                let waiting = slots.waiting
                tasks.append(
                    Task {
                        try await slots.withSlot(for: caller) { () throws(GatewayError) in order.append(name) }
                    })
                while slots.waiting == waiting { await Task.yield() }
            }
        }
        open.finish()
        try await holder.value
        for task in tasks { try await task.value }
        return order.names
    }
}

/// How many are in at once.
private final class Load: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func carry() async {
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        await Task.yield()
        counts.withLock { $0.now -= 1 }
    }
}

/// Who came through, in order.
private final class Order<Name: Sendable>: Sendable {
    private let list = Mutex<[Name]>([])

    var names: [Name] { list.withLock { $0 } }

    func append(_ name: Name) { list.withLock { $0.append(name) } }
}

@Suite(.timeLimit(.minutes(20))) struct TokenBucketTests {
    private let start = ContinuousClock.Instant.someMoment

    @Test func `a burst passes, then calls come at the rate`() {
        var bucket = TokenBucket(perSecond: 10, burst: 2, now: start)
        #expect(take(from: &bucket, 3, at: start) == [nil, nil, 100])
        #expect(take(from: &bucket, 1, at: start + .milliseconds(40)) == [60])
        #expect(take(from: &bucket, 2, at: start + .milliseconds(101)) == [nil, 99])
    }

    @Test func `silence fills it up to the burst and no further`() {
        var bucket = TokenBucket(perSecond: 10, burst: 2, now: start)
        #expect(take(from: &bucket, 1, at: start) == [nil])
        #expect(take(from: &bucket, 3, at: start + .seconds(3600)) == [nil, nil, 100])
    }

    @Test func `a clock that goes back fills nothing`() {
        var bucket = TokenBucket(perSecond: 10, burst: 1, now: start)
        #expect(take(from: &bucket, 2, at: start) == [nil, 100])
        #expect(take(from: &bucket, 1, at: start - .seconds(5)) == [100])
    }

    /// How many milliseconds each of so many calls would have to wait; nil for those that took a token.
    private func take(from bucket: inout TokenBucket, _ count: Int, at now: ContinuousClock.Instant) -> [Int?] {
        (0..<count).map { _ in bucket.take(at: now).map { Int(($0 / .milliseconds(1)).rounded()) } }
    }
}
