import Synchronization
import TestSupport
import Testing

@testable import Batching

@Suite(.timeLimit(.minutes(20))) struct BatchQueueTests {
    @Test func `a lone item is performed at once, alone`() async throws {
        let queue = BatchQueue<Int, Int>(capacity: 10, batchLimit: 10) { items in items.map { .success($0 * 2) } }
        #expect(try await queue.submit(21) == 42)
    }

    @Test func `items that arrive during a batch become the next, each with its own answer`() async throws {
        let gate = Gate()
        let sizes = Mutex<[Int]>([])
        let queue = BatchQueue<Int, Int>(capacity: 100, batchLimit: 100) { items in
            sizes.withLock { $0.append(items.count) }
            await gate.pass()
            return items.map { .success(-$0) }
        }
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            group.addTask { (0, try await queue.submit(0)) }
            while sizes.withLock({ $0.isEmpty }) { await Task.yield() }
            for item in 1...20 { group.addTask { (item, try await queue.submit(item)) } }
            while queue.depth < 20 { await Task.yield() }
            await gate.open()
            for try await (item, answer) in group { #expect(answer == -item) }
        }
        #expect(sizes.withLock { $0 } == [1, 20])
    }

    @Test func `a caller whose batch takes too long leaves, and who waits behind it is not performed`() async throws {
        let gate = Gate()
        let performed = Mutex<[Int]>([])
        let time = ManualTime()
        let queue = BatchQueue<Int, Int>(
            capacity: 10, batchLimit: 1, patience: .seconds(10), time: time.time
        ) { items in
            performed.withLock { $0 += items }
            await gate.pass()
            return items.map { .success($0) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for item in 1...2 {
                group.addTask { await #expect(throws: BatchQueueError.late) { try await queue.submit(item) } }
                try await eventually("the first is performed, and the second waits") {
                    queue.depth == item - 1 && performed.withLock(\.self) == [1]
                }
            }
            try await time.untilAsleep()
            await time.advance(by: .seconds(10))
            try await group.waitForAll()
        }
        await gate.open()
        #expect(try await queue.submit(3) == 3)
        #expect(performed.withLock(\.self) == [1, 3])
        time.end()
        await queue.close()
    }

    @Test func `each caller has a patience of its own, also one that comes after nobody waited`() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let (performed, refused) = (Recorded(), Recorded())
        let time = ManualTime()
        let queue = BatchQueue<Int, Int>(
            capacity: 10, batchLimit: 1, patience: .seconds(10), time: time.time
        ) { items in
            performed.append(items[0])
            await gates[items[0]].pass()
            return items.map { .success($0) }
        }
        func submit(_ item: Int) -> Task<Void, Never> {
            Task {
                await #expect(throws: BatchQueueError.late) { try await queue.submit(item) }
                refused.append(item)
            }
        }
        let first = submit(0)
        try await time.untilAsleep(for: .seconds(10))
        await time.advance(by: .seconds(4))
        let second = submit(1)
        try await eventually("the second waits") { queue.depth == 1 }
        await time.advance(by: .seconds(6))
        await first.value
        #expect(refused.items == [0])
        try await time.untilAsleep(for: .seconds(4))
        await time.advance(by: .seconds(4))
        await second.value
        try await eventually("the watch has ended") { time.asleep == 0 }
        await gates[0].open()
        let third = submit(2)
        try await time.untilAsleep(for: .seconds(10))
        try await eventually("the third is performed") { performed.items == [0, 2] }
        await time.advance(by: .seconds(10))
        await third.value
        await gates[2].open()
        await queue.close()
        #expect(performed.items == [0, 2])
        time.end()
    }

    @Test func `a batch is no larger than its limit`() async throws {
        let gate = Gate()
        let sizes = Mutex<[Int]>([])
        let queue = BatchQueue<Int, Int>(capacity: 100, batchLimit: 8) { items in
            sizes.withLock { $0.append(items.count) }
            await gate.pass()
            return items.map { .success($0) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for item in 0..<20 { group.addTask { _ = try await queue.submit(item) } }
            while queue.depth < 12 { await Task.yield() }
            await gate.open()
            try await group.waitForAll()
        }
        #expect(sizes.withLock { $0.max() ?? 0 } <= 8)
        #expect(sizes.withLock { $0.reduce(0, +) } == 20)
    }

    @Test func `as many batches as allowed are under way, and items gather only while all are`() async throws {
        let gate = Gate()
        let sizes = Mutex<[Int]>([])
        let queue = BatchQueue<Int, Int>(capacity: 100, batchLimit: 100, concurrency: 3) { items in
            sizes.withLock { $0.append(items.count) }
            await gate.pass()
            return items.map { .success(-$0) }
        }
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for item in 0..<3 {
                group.addTask { (item, try await queue.submit(item)) }
                while sizes.withLock({ $0.count }) <= item { await Task.yield() }
            }
            for item in 3..<23 { group.addTask { (item, try await queue.submit(item)) } }
            while queue.depth < 20 { await Task.yield() }
            #expect(sizes.withLock { $0 } == [1, 1, 1])
            await gate.open()
            for try await (item, answer) in group { #expect(answer == -item) }
        }
        #expect(sizes.withLock { $0 } == [1, 1, 1, 20])
    }

    @Test func `closing waits for every batch that is under way`() async throws {
        let gate = Gate()
        let begun = Mutex(0)
        let queue = BatchQueue<Int, Int>(capacity: 10, batchLimit: 1, concurrency: 2) { items in
            begun.withLock { $0 += 1 }
            if items[0] == 1 { await gate.pass() }
            return items.map { .success($0) }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await queue.submit(1) }
            while begun.withLock({ $0 }) < 1 { await Task.yield() }
            let second = try await queue.submit(2)
            #expect(second == 2)
            let isClosed = Mutex(false)
            async let closed: Void = {
                await queue.close()
                isClosed.withLock { $0 = true }
            }()
            for _ in 0..<100 { await Task.yield() }
            #expect(!isClosed.withLock { $0 })
            await gate.open()
            await closed
            let first = try await group.next()
            #expect(first == 1)
        }
    }

    /// A worker ends when nobody waits, and one that comes then must start another.
    @Test(arguments: [1, 3])
    func `no item is left behind by a worker that ends`(concurrency: Int) async throws {
        let queue = BatchQueue<Int, Int>(capacity: 100, batchLimit: 4, concurrency: concurrency) { items in
            items.map { .success(-$0) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<16 {
                group.addTask {
                    for item in 0..<200 {
                        let number = caller * 1000 + item
                        let answer = try await queue.submit(number)
                        #expect(answer == -number)
                        if item.isMultiple(of: 7) { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(queue.depth == 0)
        await queue.close()
    }

    @Test func `a queue closes at once if it is idle, and else for all when its last batch has ended`() async throws {
        let (gate, begun, closed) = (Gate(), Recorded(), Recorded())
        let queue = BatchQueue<Int, Int>(capacity: 10, batchLimit: 10) { items in
            items.forEach { begun.append($0) }
            await gate.pass()
            return items.map { .success($0) }
        }
        async let answer = queue.submit(1)
        try await eventually("the item is performed") { begun.items == [1] }
        await withTaskGroup(of: Void.self) { group in
            for closer in 0..<3 {
                group.addTask {
                    await queue.close()
                    closed.append(closer)
                }
            }
            for _ in 0..<100 { await Task.yield() }
            #expect(closed.items.isEmpty)
            await gate.open()
        }
        #expect(try await answer == 1)
        #expect(closed.items.sorted() == [0, 1, 2])
        await queue.close()
        let idle = BatchQueue<Int, Int>(capacity: 1, batchLimit: 1) { items in items.map { .success($0) } }
        await idle.close()
        await #expect(throws: BatchQueueError.closed) { try await idle.submit(1) }
    }

    @Test(arguments: [1, 3])
    func `who comes while the queue closes is answered or refused, and nothing is performed afterwards`(
        concurrency: Int
    ) async throws {
        for _ in 0..<50 {
            let performed = Recorded()
            let queue = BatchQueue<Int, Int>(capacity: 100, batchLimit: 2, concurrency: concurrency) { items in
                await Task.yield()
                items.forEach { performed.append($0) }
                return items.map { .success($0) }
            }
            let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for item in 0..<32 {
                    group.addTask {
                        do {
                            return try await queue.submit(item) == item
                        } catch BatchQueueError.closed {
                            return false
                        }
                    }
                }
                await queue.close()
                let atEnd = performed.items.count
                let answered = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                #expect(answered == atEnd)
                return answered
            }
            #expect(performed.items.count == answered)
        }
    }

    @Test func `one item's failure is its own`() async throws {
        struct Odd: Error {}
        let queue = BatchQueue<Int, Int>(capacity: 10, batchLimit: 10) { items in
            items.map { $0.isMultiple(of: 2) ? .success($0) : .failure(Odd()) }
        }
        async let even = queue.submit(2)
        await #expect(throws: Odd.self) { try await queue.submit(1) }
        #expect(try await even == 2)
    }

    @Test func `a full queue refuses at once, and takes items again when there is room`() async throws {
        let gate = Gate()
        let queue = BatchQueue<Int, Int>(capacity: 2, batchLimit: 1) { items in
            await gate.pass()
            return items.map { .success($0) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await queue.submit(0) }
            await gate.isReached()
            for item in 1..<3 { group.addTask { _ = try await queue.submit(item) } }
            while queue.depth < 2 { await Task.yield() }
            await #expect(throws: BatchQueueError.full) { try await queue.submit(3) }
            await gate.open()
            try await group.waitForAll()
        }
        #expect(try await queue.submit(4) == 4)
    }

    @Test func `closing answers what was accepted and refuses what comes after`() async throws {
        let gate = Gate()
        let queue = BatchQueue<Int, Int>(capacity: 10, batchLimit: 1) { items in
            await gate.pass()
            return items.map { .success($0) }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await queue.submit(1) }
            await gate.isReached()
            group.addTask { try await queue.submit(2) }
            while queue.depth < 1 { await Task.yield() }
            async let closed: Void = queue.close()
            await gate.open()
            await closed
            let sum = try await group.reduce(0, +)
            #expect(sum == 3)
        }
        await #expect(throws: BatchQueueError.closed) { try await queue.submit(3) }
    }
}
