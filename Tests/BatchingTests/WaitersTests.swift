import Batching
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct WaitersTests {
    /// Waiters behind a lock, as a user of them keeps them.
    private final class Room: Sendable {
        let waiters = Mutex(Waiters<Int, Never>())

        func wait(as ticket: WaiterTicket) async -> Int {
            await withCheckedContinuation { continuation in
                waiters.withLock { $0.append(continuation, as: ticket) }
            }
        }

        func waitFor(_ count: Int) async {
            while waiters.withLock({ $0.count }) < count { await Task.yield() }
        }
    }

    @Test func `callers are taken by turns of their lanes, and one that gave up is not`() async {
        let room = Room()
        let (ann, bob) = (Lane(share: "a"), Lane(share: "b"))
        let tickets = [ann, ann, bob, ann].map { WaiterTicket(in: $0) }
        var answers: [Task<Int, Never>] = []
        for (place, ticket) in tickets.enumerated() {
            answers.append(Task { await room.wait(as: ticket) })
            await room.waitFor(place + 1)
        }
        room.waiters.withLock { $0.remove(tickets[1]) }?.resume(returning: -1)
        #expect(room.waiters.withLock { $0.remove(tickets[1]) } == nil)
        var next = 0
        while let waiter = room.waiters.withLock({ $0.popFirst() }) {
            next += 1
            waiter.resume(returning: next)
        }
        var got: [Int] = []
        for answer in answers { got.append(await answer.value) }
        #expect(got == [1, -1, 2, 3])
        #expect(room.waiters.withLock { $0.isEmpty && $0.count == 0 })
    }

    @Test func `all are taken at once, in order`() async {
        let room = Room()
        async let first = room.wait(as: WaiterTicket())
        await room.waitFor(1)
        async let second = room.wait(as: WaiterTicket())
        await room.waitFor(2)
        for (number, waiter) in room.waiters.withLock({ $0.removeAll() }).enumerated() {
            waiter.resume(returning: number)
        }
        #expect(await [first, second] == [0, 1])
    }
}
