import Ledger
import LedgerTestSupport
import Logging
import Testing

@testable import LedgerServer

/// Work is done as soon as it is there, not when it is looked for.
@Suite(.timeLimit(.minutes(20)))
struct WorkCallTests {
    /// Says which events it got.
    private struct Worker: WorkItemWorker {
        let got: AsyncStream<Int64>.Continuation
        let name = "events"
        let metric = "test_work_calls"

        func work(on event: WebhookRecord) async throws -> WorkOutcome<WebhookRecord.Decision> {
            got.yield(event.id)
            return .decided(.done, "seen")
        }
    }

    @Test func `a worker that would look in an hour is woken by an event of another connection`() async throws {
        try await TestLedger.with { ledger, test in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (stream, got) = AsyncStream.makeStream(of: Int64.self)
            let work = WorkService(
                list: ledger.webhooks, worker: Worker(got: got), pause: .seconds(3600), logger: logger)
            let calls = WorkCallService(ledger: ledger, wakeups: [work.wakeup], logger: logger)
            let running = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await work.run() }
                    group.addTask { try await calls.run() }
                    try await group.waitForAll()
                }
            }
            let owner = try await test.connectAsOwner()
            var events = stream.makeAsyncIterator()
            // The first may be found by looking, when the worker or the listener begins; the others are called for only.
            for number in 1...5 {
                try await owner.execute(
                    """
                    INSERT INTO webhook_event (gateway, event_id, type, status, reason)
                    VALUES ('portone_v2', 'call-\(number)', 'none', 'waiting', 'received')
                    """)
                #expect(await events.next() != nil)
            }
            await owner.close()
            running.cancel()
            try await running.value
        }
    }
}
