import Ledger
import Synchronization
import Testing

@testable import ledgerd

@Suite(.timeLimit(.minutes(20))) struct ShopWindowTests {
    private struct Away: Error {}

    @Test func `however many ask, the shop is looked at once a second`() async throws {
        let looks = Mutex(0)
        let window = ShopWindow {
            looks.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(20))  // a look takes its time
            return []
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await window.view() } }
            try await group.waitForAll()
        }
        for _ in 0..<50 { _ = try await window.view() }
        let looked = looks.withLock(\.self)
        // One, unless the machine was busy for a second.
        #expect((1...1 + Int((.now - start) / ShopWindow.lifetime)).contains(looked))
        try await Task.sleep(for: ShopWindow.lifetime)  // what was seen is too old then
        _ = try await window.view()
        #expect(looks.withLock(\.self) == looked + 1)
    }

    @Test func `its age counts from before the look`() async throws {
        let looks = Mutex(0)
        let window = ShopWindow {
            looks.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(600))  // a look takes its time
            return []
        }
        _ = try await window.view()
        try await Task.sleep(for: .milliseconds(500))  // a lifetime after the look began, not after it ended
        _ = try await window.view()
        #expect(looks.withLock(\.self) == 2)
    }

    @Test func `a look that fails is each one's failure, and nothing is kept of it`() async throws {
        let isAway = Mutex(true)
        let window = ShopWindow {
            if isAway.withLock(\.self) { throw Away() }
            return []
        }
        await #expect(throws: Away.self) { try await window.view() }
        isAway.withLock { $0 = false }
        #expect(try await window.view().products.isEmpty)
    }
}
