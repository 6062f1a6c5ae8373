import Logging
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct EventReadersTests {
    @Test func `one look wakes everybody who waits for it, and nobody else`() async throws {
        let books = Books()
        try await books.withReaders { readers in
            try await withThrowingTaskGroup(of: (Int64, looks: Int).self) { group in
                for seq in [0, 0, 3, 9] as [Int64] {
                    group.addTask {
                        await readers.wait(after: seq, atMost: .seconds(3600))
                        return (seq, books.looks)
                    }
                }
                books.answer(5)
                var woken: [Int64] = []
                for _ in 0..<3 { woken.append(try #require(await group.next()).0) }
                #expect(woken.sorted() == [0, 0, 3] && books.looks == 1, "\(woken)")
                books.answer(10)
                readers.wakeup.ring()
                let last = try #require(await group.next())
                #expect(last == (9, looks: 2))
            }
        }
    }

    @Test func `an event that came before a reader waited wakes it`() async throws {
        let books = Books()
        try await books.withReaders { readers in
            for seq in 0..<20 as Range<Int64> {
                books.answer(seq + 1)
                readers.wakeup.ring()
                // The service may look before anybody waits, or after.
                if seq % 2 == 0 { await Task.yield() }
                await readers.wait(after: seq, atMost: .seconds(3600))
            }
            #expect(books.looks == 20)
        }
    }

    @Test func `a wait ends when its time is over`() async throws {
        try await ManualTime.with { time in
            let readers = EventReaders(logger: Books.logger) { 0 }
            async let wait: Void = readers.wait(after: 0, atMost: .seconds(30))
            try await time.untilAsleep()
            await time.advance(by: .seconds(30) - .nanoseconds(1))
            #expect(time.asleep == 1)
            await time.advance(by: .nanoseconds(1))
            await wait
        }
    }

    @Test func `places are bounded, and free again when a reader is gone`() throws {
        let readers = EventReaders(limit: 2, logger: Books.logger) { 0 }
        var places = [try readers.enter(), try readers.enter()]
        #expect(throws: Problem.self) { _ = try readers.enter() }
        places.removeLast()
        places.append(try readers.enter())
        #expect(throws: Problem.self) { _ = try readers.enter() }
        places = []
        _ = try readers.enter()
    }

    @Test func `a cancelled reader does not wait, and after the end nobody does`() async throws {
        let readers = EventReaders(logger: Books.logger) { 0 }
        let cancelled = Task { await readers.wait(after: 0, atMost: .seconds(3600)) }
        cancelled.cancel()
        await cancelled.value
        let waiting = Task { await readers.wait(after: 0, atMost: .seconds(3600)) }
        readers.close()
        await waiting.value
        await readers.wait(after: 0, atMost: .seconds(3600))
        #expect(readers.isClosed)
    }
}

/// Stands for the database: what is asked is only the last number.
private final class Books: Sendable {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private let (answers, inlet) = AsyncStream<Int64>.makeStream()
    private let answered = Atomic(0)

    /// How many looks were answered.
    var looks: Int { answered.load(ordering: .relaxed) }

    /// Answers one look with this number: the one that waits, or the next.
    func answer(_ last: Int64) { inlet.yield(last) }

    func withReaders(_ body: (EventReaders) async throws -> Void) async throws {
        let readers = EventReaders(logger: Self.logger) { [self] in
            guard let last = await answers.first(where: { _ in true }) else { throw CancellationError() }
            answered.add(1, ordering: .relaxed)
            return last
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await readers.run() }
            try await body(readers)
            group.cancelAll()
        }
    }
}
