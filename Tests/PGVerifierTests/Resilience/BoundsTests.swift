import Synchronization
import Testing

@testable import PGVerifier

@Suite struct CallSlotsTests {
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
        let order = Order()
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
        #expect(order.numbers == [0, 2])
        #expect(counts.withLock { $0 } == [1, 2, 3, 2, 1, 0])
        #expect(watched.isFree)
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
private final class Order: Sendable {
    private let list = Mutex<[Int]>([])

    var numbers: [Int] { list.withLock { $0 } }

    func append(_ number: Int) { list.withLock { $0.append(number) } }
}

@Suite struct TokenBucketTests {
    @Test func `a burst passes, then callers come at the rate, in their order`() {
        let time = InstantTiming()
        let bucket = TokenBucket(perSecond: 10, burst: 2, timing: time.timing)
        let waits = (0..<5).map { _ in bucket.reserve() }
        #expect(waits[0] == .zero && waits[1] == .zero)
        for (wait, expected) in zip(waits[2...], [100, 200, 300]) {
            #expect(abs(wait / .milliseconds(1) - Double(expected)) < 0.001)
        }
    }

    @Test func `silence fills it up to the burst and no further`() {
        let time = InstantTiming()
        let bucket = TokenBucket(perSecond: 10, burst: 2, timing: time.timing)
        _ = bucket.reserve()
        time.advance(by: .seconds(3600))
        #expect([bucket.reserve(), bucket.reserve()] == [.zero, .zero])
        #expect(bucket.reserve() > .zero)
    }

    @Test func `a cancelled caller gives its token back`() async {
        let timing = GatewayTiming(sleep: { _ in throw CancellationError() })
        let bucket = TokenBucket(perSecond: 0.001, burst: 1, timing: timing)
        _ = bucket.reserve()
        for _ in 0..<3 {
            let error = await #expect(throws: GatewayError.self) { try await bucket.take() }
            #expect(error?.code == .cancelled)
        }
        // Had they kept theirs, the next would wait four times as long.
        #expect(bucket.reserve() <= .seconds(1001))
    }
}
