import Logging
import Synchronization
import TestSupport
import Testing

@testable import ledgerd

@Suite(.timeLimit(.minutes(20))) struct EventReadersTests {
    @Test func `one look wakes everybody who waits for it, and nobody else`() async throws {
        let books = Books()
        try await books.withReaders { readers in
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for seq in [0, 0, 3, 9] as [Int64] {
                    group.addTask {
                        await readers.wait(after: seq, atMost: .seconds(seq == 9 ? 5 : 60))
                        return seq
                    }
                }
                try await eventually("the last number was read") { books.looks.load(ordering: .relaxed) > 0 }
                books.last.store(5, ordering: .relaxed)
                let looks = books.looks.load(ordering: .relaxed)
                readers.wakeup.ring()
                var woken: [Int64] = []
                for try await seq in group { woken.append(seq) }
                #expect(woken.sorted() == [0, 0, 3, 9] && woken.last == 9, "\(woken)")
                #expect(books.looks.load(ordering: .relaxed) - looks <= 5, "each reader looked for itself")
            }
        }
    }

    @Test func `an event that came before a reader waited wakes it`() async throws {
        let books = Books()
        try await books.withReaders { readers in
            await readers.wait(after: 0, atMost: .milliseconds(10))
            books.last.store(1, ordering: .relaxed)
            readers.wakeup.ring()
            // The service may have looked while nobody waited, or not yet.
            try await Task.sleep(for: .milliseconds(50))
            let begun = ContinuousClock.now
            await readers.wait(after: 0, atMost: .seconds(60))
            #expect(ContinuousClock.now - begun < .seconds(30))
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
        let cancelled = Task { await readers.wait(after: 0, atMost: .seconds(60)) }
        cancelled.cancel()
        await cancelled.value
        let waiting = Task { await readers.wait(after: 0, atMost: .seconds(60)) }
        readers.close()
        await waiting.value
        await readers.wait(after: 0, atMost: .seconds(60))
        #expect(readers.isClosed)
    }
}

/// Stands for the database: what is asked is only the last number.
private final class Books: Sendable {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let last = Atomic<Int64>(0)
    let looks = Atomic(0)

    func withReaders(_ body: (EventReaders) async throws -> Void) async throws {
        let readers = EventReaders(logger: Self.logger) { [self] in
            looks.add(1, ordering: .relaxed)
            return last.load(ordering: .relaxed)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await readers.run() }
            try await body(readers)
            group.cancelAll()
        }
    }
}
