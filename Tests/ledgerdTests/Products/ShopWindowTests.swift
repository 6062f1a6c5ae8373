import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ShopWindowTests {
    private struct Away: Error {}

    @Test func `however many ask, the shop is looked at once a second`() async throws {
        let time = ManualTime()
        let asking = Atomic(0)
        let looks = Atomic(0)
        let window = ShopWindow(time: time.time) {
            looks.add(1, ordering: .relaxed)
            try await eventually("all ask") { asking.load(ordering: .relaxed) == 200 }
            return []
        }
        _ = try await together(200) { _ in
            asking.add(1, ordering: .relaxed)
            return try await window.view()
        }
        await time.advance(by: ShopWindow.lifetime - .nanoseconds(1))
        _ = try await window.view()
        #expect(looks.load(ordering: .relaxed) == 1)
        await time.advance(by: .nanoseconds(1))
        _ = try await window.view()
        #expect(looks.load(ordering: .relaxed) == 2)
    }

    @Test func `its age counts from before the look`() async throws {
        let time = ManualTime()
        let looks = Atomic(0)
        let window = ShopWindow(time: time.time) {
            looks.add(1, ordering: .relaxed)
            await time.advance(by: ShopWindow.lifetime * 0.6)  // a look takes its time
            return []
        }
        _ = try await window.view()
        _ = try await window.view()
        #expect(looks.load(ordering: .relaxed) == 1)
        await time.advance(by: ShopWindow.lifetime * 0.4)
        _ = try await window.view()
        #expect(looks.load(ordering: .relaxed) == 2)
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
