import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PoolTests {
    func withPool(size: Int, waiting: Int = 4_096, _ body: (PostgresPool) async throws -> Void) async throws {
        let pool = PostgresPool(try serverConfiguration(), size: size, maximumWaiting: waiting)
        do {
            try await body(pool)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    @Test func `a thousand users share four connections`() async throws {
        try await withPool(size: 4) { pool in
            let usage = Usage()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        try await pool.withConnection(within: Patience.hang) { connection in
                            usage.begin()
                            defer { usage.end() }
                            return try await connection.run(.fortyTwo)
                        }
                    }
                }
                for try await number in group { #expect(number == 42) }
            }
            #expect(usage.most == 4)
            let statistics = pool.statistics
            #expect([statistics.size, statistics.idle, statistics.lent, statistics.waiting] == [4, 4, 0, 0])
        }
    }

    @Test func `who waits is served in the order of arrival`() async throws {
        try await withPool(size: 1) { pool in
            let order = Order()
            try await pool.withConnection { _ in
                for number in 0..<20 {
                    Task { try await pool.withConnection { _ in order.append(number) } }
                    while pool.statistics.waiting < number + 1 { await Task.yield() }
                }
            }
            try await eventually("all are served") { order.numbers.count == 20 }
            #expect(order.numbers == Array(0..<20))
        }
    }

    @Test func `without a deadline of its own a caller waits as long as the pool says`() async throws {
        let pool = PostgresPool(try serverConfiguration(), size: 1, patience: .milliseconds(100))
        try await pool.withConnection { _ in
            let error = await postgresError { _ = try await pool.run(.fortyTwo) }
            #expect(error?.code == .poolExhausted)
        }
        await pool.close()
    }

    @Test func `waiting ends at the deadline, and the line goes on behind it`() async throws {
        try await withPool(size: 1) { pool in
            try await pool.withConnection { _ in
                let late = Task { try await pool.run(.fortyTwo, within: .seconds(3600)) }
                let error = await postgresError { _ = try await pool.run(.fortyTwo, within: .milliseconds(100)) }
                #expect(error?.code == .poolExhausted)
                late.cancel()
            }
            #expect(try await pool.run(.fortyTwo) == 42)
        }
    }

    @Test func `a cancelled task waits no longer, and takes no connection with it`() async throws {
        try await withPool(size: 1) { pool in
            try await pool.withConnection { _ in
                let tasks = (0..<10).map { _ in Task { try await pool.run(.fortyTwo, within: Patience.hang) } }
                while pool.statistics.waiting < 10 { await Task.yield() }
                tasks.forEach { $0.cancel() }
                for task in tasks {
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
                #expect(pool.statistics.waiting == 0)
            }
            #expect(try await pool.run(.fortyTwo) == 42)
        }
    }

    @Test func `who has no time to wait is refused, and never left in line`() async throws {
        try await withPool(size: 1) { pool in
            try await pool.withConnection { _ in
                let errors = await withTaskGroup(of: PostgresError?.self) { group in
                    for _ in 0..<2_000 {
                        group.addTask { await postgresError { _ = try await pool.run(.fortyTwo, within: .zero) } }
                    }
                    return await group.reduce(into: []) { $0.append($1?.code) }
                }
                #expect(errors.count == 2_000)
                #expect(errors.allSatisfy { $0 == .poolExhausted })
                #expect(pool.statistics.waiting == 0)
            }
            #expect(try await pool.run(.fortyTwo) == 42)
        }
    }

    @Test func `callers that give up while they are served leave the others all connections`() async throws {
        try await withPool(size: 2) { pool in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let isHasty = number.isMultiple(of: 3)
                        let caller = Task {
                            try await pool.withConnection(within: isHasty ? .milliseconds(1) : Patience.hang) { _ in
                                await Task.yield()
                            }
                        }
                        for _ in 0..<number % 7 { await Task.yield() }
                        if number.isMultiple(of: 2) { caller.cancel() }
                        _ = await caller.result
                    }
                }
            }
            #expect([pool.statistics.lent, pool.statistics.waiting] == [0, 0])
            try await pool.withConnection { _ in
                let number = try await pool.run(.fortyTwo)
                #expect(number == 42)
                #expect(pool.statistics.lent == 1)
            }
        }
    }

    @Test func `a pool that is closed while callers come and go keeps no connection and no caller`() async throws {
        for round in 0..<10 {
            let pool = PostgresPool(try serverConfiguration(), size: 2)
            #expect(try await pool.run(.fortyTwo) == 42)
            let errors = await withTaskGroup(of: PostgresError?.self) { group in
                for _ in 0..<20 {
                    group.addTask { await postgresError { _ = try await pool.run(.fortyTwo, within: Patience.hang) } }
                }
                for _ in 0..<round * 10 { await Task.yield() }
                await pool.close()
                return await group.reduce(into: []) { $0.append($1?.code) }
            }
            #expect(errors.allSatisfy { $0 == nil || $0 == .closed })
            let statistics = pool.statistics
            #expect([statistics.idle, statistics.lent, statistics.waiting] == [0, 0, 0])
        }
    }

    @Test func `a line that is too long is refused at once`() async throws {
        try await withPool(size: 1, waiting: 1) { pool in
            try await pool.withConnection { _ in
                let first = Task { try await pool.run(.fortyTwo) }
                while pool.statistics.waiting < 1 { await Task.yield() }
                let error = await postgresError { _ = try await pool.run(.fortyTwo, within: Patience.hang) }
                #expect(error?.code == .poolExhausted)
                first.cancel()
            }
        }
    }

    @Test func `a transaction left open is rolled back`() async throws {
        try await withPool(size: 1) { pool in
            struct Left: Error {}
            try await pool.withConnection { try await $0.execute("CREATE TEMP TABLE t (id bigint)") }
            await #expect(throws: Left.self) {
                try await pool.withConnection { connection in
                    try await connection.execute("BEGIN; INSERT INTO t VALUES (1)")
                    throw Left()
                }
            }
            try await pool.withConnection { connection in
                #expect(!connection.isInTransaction)
                let rows = try await connection.run(.affected("SELECT * FROM t"))
                #expect(rows == 0)
            }
        }
    }

    @Test func `a closed pool lends nothing, and closes what comes back`() async throws {
        let pool = PostgresPool(try serverConfiguration(), size: 1)
        var kept: PostgresConnection?
        try await pool.withConnection { connection in
            let waiting = Task { try await pool.run(.fortyTwo, within: Patience.hang) }
            while pool.statistics.waiting < 1 { await Task.yield() }
            await pool.close()
            #expect(await postgresError { _ = try await waiting.value }?.code == .closed)
            let number = try await connection.run(.fortyTwo)
            #expect(number == 42)
            kept = connection
        }
        #expect(kept?.isUsable == false)
        #expect(await postgresError { _ = try await pool.run(.fortyTwo) }?.code == .closed)
    }
}

/// How many use something at the same time.
private final class Usage: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() { state.withLock { $0.now -= 1 } }
}

/// Who came when.
private final class Order: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    func append(_ number: Int) { state.withLock { $0.append(number) } }
}
