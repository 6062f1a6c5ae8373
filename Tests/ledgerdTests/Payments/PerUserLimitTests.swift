import Ledger
import PGVerifier
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct PerUserLimitTests {
    private let ann = UserID(rawValue: "ann")
    private let ben = UserID(rawValue: "ben")

    @Test func `work of one user is limited, all of it is done, and nothing is kept`()
        async throws
    {
        let limit = PerUserLimit(3, pause: .zero, patience: .seconds(600))
        let user = try #require(ann)
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await limit.run(for: user) {
                        seen.note(limit.load(of: user).atWork)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(seen.most))
        // A place that was kept for a pause comes free after it.
        while limit.load(of: user).atWork > 0 { await Task.yield() }
        #expect(limit.load(of: user) == (0, 0))
    }

    @Test func `what waits in vain is refused, and other users don't wait`() async throws {
        try await ManualTime.with { time in
            let limit = PerUserLimit(1, patience: .seconds(100))
            try await holding(limit) { user in
                let waiting = Task { try await limit.run(for: user) {} }
                while limit.load(of: user).waiting == 0 { await Task.yield() }
                try await time.untilAsleep()
                // Its patience is a quarter more or less.
                await time.advance(by: .seconds(74))
                #expect(limit.load(of: user) == (1, 1))
                await time.advance(by: .seconds(51))
                let problem = await #expect(throws: Problem.self) { try await waiting.value }
                #expect(problem?.code == .tooManyAtOnce && problem?.code.isRetryable == true)
                #expect(limit.load(of: user) == (1, 0))
                try await limit.run(for: #require(ben)) {}
            }
        }
    }

    @Test func `more than may wait is refused at once`() async throws {
        let limit = PerUserLimit(1, patience: .seconds(600), maxWaiting: 0)
        try await holding(limit) { user in
            let problem = await #expect(throws: Problem.self) { try await limit.run(for: user) {} }
            #expect(problem?.code == .tooManyAtOnce)
        }
    }

    @Test func `who is cancelled leaves at once`() async throws {
        let limit = PerUserLimit(1, patience: .seconds(600))
        try await holding(limit) { user in
            let task = Task { try await limit.run(for: user) {} }
            while limit.load(of: user).waiting == 0 { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(limit.load(of: user) == (1, 0))
        }
    }

    @Test func `the gateway is asked on the user's behalf`() async throws {
        let caller = try await PerUserLimit().run(for: #require(ann)) { GatewayCaller.current }
        #expect(caller == .user("ann"))
    }

    /// Runs `body` while the user's only place is taken.
    private func holding(_ limit: PerUserLimit, _ body: (UserID) async throws -> Void) async throws {
        let user = try #require(ann)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let holder = Task { try await limit.run(for: user) { for await _ in gate {} } }
        while limit.load(of: user).atWork == 0 { await Task.yield() }
        try await body(user)
        open.finish()
        try await holder.value
    }
}

/// The most that was seen.
private final class Seen: Sendable {
    private let number = Mutex(0)

    var most: Int { number.withLock { $0 } }

    func note(_ count: Int) { number.withLock { $0 = max($0, count) } }
}
