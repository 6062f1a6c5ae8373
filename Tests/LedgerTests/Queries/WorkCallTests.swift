import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct WorkCallTests {
    /// A commit that notifies waits for others that do: posting must not.
    @Test func `no act of a user but a purchase in a store calls for work, and a due item does`() async throws {
        try await TestLedger.with { ledger, test in
            let listener = try await test.connectAsService()
            try await listener.listen("ledgerd_work")
            try await ledger.liveThroughEverything()
            // The buyers can't buy the products again before the stores are told: of four purchases here.
            for _ in 1...4 {
                let called = try await listener.nextNotification(within: Patience.hang)?.payload
                #expect(called == ledger.storeDeliveries.name)
            }
            #expect(try await Self.isSilent(to: listener))

            let payment = CreditPurchase.sample(70).payment
            #expect(
                try await ledger.retries.keep(
                    payment, of: .named("ann"), because: "gateway_unavailable", askAgainAfter: .seconds(60)))
            #expect(try await Self.isSilent(to: listener), "not due")
            #expect(
                try await ledger.retries.keep(
                    payment, of: .named("ann"), because: "gateway_unavailable", askAgainAfter: .zero))
            #expect(try await listener.nextNotification(within: Patience.hang)?.payload == ledger.retries.name)
            #expect(try await ledger.retries.takeDue(limit: 1, lease: .seconds(60)).count == 1)
            #expect(try await Self.isSilent(to: listener), "it is taken")
            await listener.close()
        }
    }

    /// Whether the next notification is one that is sent now: they come in the order of commits.
    private static func isSilent(to listener: PostgresConnection) async throws -> Bool {
        try await listener.execute("SELECT pg_notify('ledgerd_work', 'now')")
        return try await listener.nextNotification(within: Patience.hang)?.payload == "now"
    }

    @Test func `a listener learns that work may have come before, and then of each list`() async throws {
        try await TestLedger.with { ledger, test in
            let (stream, notices) = AsyncStream.makeStream(of: String?.self)
            let listening = Task { try await ledger.listenForWork { notices.yield($0) } }
            var calls = stream.makeAsyncIterator()
            #expect(await calls.next() == .some(nil))
            let owner = try await test.connectAsOwner()
            try await owner.execute(
                """
                INSERT INTO webhook_event (gateway, event_id, type, status, reason)
                VALUES ('portone_v2', 'a', 'none', 'waiting', 'received'), ('portone_v2', 'b', 'none', 'waiting', 'received')
                """)
            #expect(await calls.next() == "webhook_event")
            await owner.close()
            listening.cancel()
            try await listening.value
        }
    }
}
