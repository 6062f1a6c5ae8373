import Ledger
import Synchronization
import TestSupport
import Testing

@testable import ledgerd

@Suite(.timeLimit(.minutes(20))) struct ShopWindowTests {
    private struct Away: Error {}

    /// Counts the looks at a shop whose clock stands until it is turned.
    private final class Shop: Sendable {
        private let state = Mutex((now: ContinuousClock.Instant.someMoment, looks: 0))

        var now: ContinuousClock.Instant { state.withLock { $0.now } }
        var looks: Int { state.withLock { $0.looks } }

        func pass(_ time: Duration) { state.withLock { $0.now += time } }
        func look() { state.withLock { $0.looks += 1 } }
    }

    @Test func `however many ask, the shop is looked at once a second`() async throws {
        let shop = Shop()
        let asking = Atomic(0)
        let window = ShopWindow(
            now: { shop.now },
            look: {
                shop.look()
                try await eventually("all ask") { asking.load(ordering: .relaxed) == 200 }
                return []
            })
        _ = try await together(200) { _ in
            asking.add(1, ordering: .relaxed)
            return try await window.view()
        }
        shop.pass(ShopWindow.lifetime - .nanoseconds(1))
        _ = try await window.view()
        #expect(shop.looks == 1)
        shop.pass(.nanoseconds(1))
        _ = try await window.view()
        #expect(shop.looks == 2)
    }

    @Test func `its age counts from before the look`() async throws {
        let shop = Shop()
        let window = ShopWindow(
            now: { shop.now },
            look: {
                shop.look()
                shop.pass(ShopWindow.lifetime * 0.6)  // a look takes its time
                return []
            })
        _ = try await window.view()
        _ = try await window.view()
        #expect(shop.looks == 1)
        shop.pass(ShopWindow.lifetime * 0.4)
        _ = try await window.view()
        #expect(shop.looks == 2)
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
