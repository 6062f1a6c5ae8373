import TestSupport
import Testing

/// When the services have nothing to do, as the other tests ask.
@Suite(.timeLimit(.minutes(20))) struct SettledTests {
    @Test func `what a service has to do is known, also what it works on, and not what waits for later`() async throws {
        try await House.open { house, gateway, service in
            try await house.settled()
            try await service.end()
            try await house.books.execute(
                """
                INSERT INTO receipt_retry (
                    user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                VALUES ('ann', 'portone-v1', 'imp_1', 'order-1', 'waiting', 'awaiting_payment', now())
                """)
            #expect(try await Set(house.unsettled()) == ["receipts", "numbers of events"])
            try await house.books.execute("UPDATE receipt_retry SET next_attempt_at = now() + interval '1 day'")
            #expect(try await house.unsettled() == ["numbers of events"])
            try await house.books.execute("UPDATE receipt_retry SET lease_holder = 1")
            #expect(try await house.unsettled().contains("receipts"), "somebody works on it")

            // Nobody has that lease, so the next service takes the receipt over.
            _ = try await house.serve(at: gateway)
            try await eventually("it is refused, for the gateway does not know it") {
                try await house.books.receipts("refused") == 1
            }
            try await house.settled()
        }
    }
}
