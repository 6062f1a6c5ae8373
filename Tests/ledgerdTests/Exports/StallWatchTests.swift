import Testing

@testable import ledgerd

@Suite struct StallWatchTests {
    @Test func `a reader who takes nothing is noticed`() async throws {
        let watch = StallWatch(patience: .milliseconds(50))
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.watch() }
            group.addTask { try await watch.waiting { try await Task.sleep(for: .seconds(60)) } }
            await #expect(throws: StallWatch.Stalled.self) { try await group.next() }
            group.cancelAll()
        }
    }

    @Test func `a slow reader, and a database that computes, are waited for`() async throws {
        let watch = StallWatch(patience: .seconds(20))
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.watch() }
            for _ in 0..<5 {
                try? await watch.waiting { try await Task.sleep(for: .milliseconds(20)) }
                try? await Task.sleep(for: .milliseconds(20))
            }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
    }
}
