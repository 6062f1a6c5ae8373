import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct WebhookRecordsTests {
    @Test func `an event that comes again while it is worked on is not ended by what was learnt before`() async throws {
        try await TestLedger.with { ledger, test in
            let events = ledger.webhooks
            #expect(try await events.store(Self.event(1)) == .stored)
            let taken = try #require(try await events.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(try await events.store(Self.event(1)) == .known)
            try await events.decide(taken, .done, because: "agrees")
            #expect(try await events.waiting() == 1)
            let again = try #require(try await events.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(again.id == taken.id && again.attempts == 1)
            try await events.decide(again, .done, because: "agrees")
            #expect(try await events.waiting() == 0)
            #expect(try await events.store(Self.event(1)) == .stored, "what is decided is over")
            #expect(try await test.number("SELECT count(*) FROM webhook_event") == 2)
        }
    }

    @Test func `an event that comes again is not ended by what was learnt before, even if it is taken again`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let events = ledger.webhooks
            #expect(try await events.store(Self.event(1)) == .stored)
            let first = try #require(try await events.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(try await events.store(Self.event(1)) == .known)
            let second = try #require(try await events.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(second.id == first.id)
            // The second worker may fail, and only it has asked the gateway after the news.
            try await events.decide(first, .done, because: "agrees")
            #expect(try await events.waiting() == 1)
            try await events.decide(second, .done, because: "agrees")
            #expect(try await events.waiting() == 0)
        }
    }

    @Test func `what somebody waits for is taken first, then what was bought, then the rest`() async throws {
        try await TestLedger.with { ledger, test in
            let events = ledger.webhooks
            let bought = CreditPurchase.sample(4).payment
            _ = try await ledger.credit(.sample(4))
            for number in 1...3 { #expect(try await events.store(Self.event(number)) == .stored) }
            #expect(
                try await events.store(Self.event(4, paymentID: bought.paymentID, merchantUID: bought.merchantUID))
                    == .stored
            )
            #expect(
                try await ledger.retries.keep(
                    PaymentIdentity(gateway: "portone-v1", paymentID: "imp_5", merchantUID: "o-5"), of: .named("ann"),
                    because: "awaiting_payment", askAgainAfter: .seconds(60)))
            #expect(try await events.store(Self.event(5)) == .stored)
            let taken = try await events.takeDue(limit: 2, lease: .seconds(60)).compactMap(\.paymentID)
            #expect(Set(taken) == [bought.paymentID, "imp_5"])
            #expect(try await events.takeDue(limit: 10, lease: .seconds(60)).count == 3)
        }
    }

    @Test func `an order is no way around the bound`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                INSERT INTO "order" (merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
                VALUES ('o-mine', 'eve', 'portone-v1', 'p', 1, 'KRW', 1, 0, now() + interval '1 hour')
                """)
            for number in 1...10 {
                #expect(try await ledger.webhooks.store(Self.event(number, merchantUID: "o-mine")) == .stored)
            }
            #expect(try await test.number("SELECT count(*) FROM webhook_event WHERE urgency = 2") == 4)
        }
    }

    @Test func `only what was decided, and more than a day ago, is deleted`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...4 { #expect(try await ledger.webhooks.store(Self.event(number)) == .stored) }
            try await test.execute(
                """
                UPDATE webhook_event SET status = 'done', decided_at = now() - interval '25 hours' WHERE imp_uid <> 'imp_4';
                UPDATE webhook_event SET decided_at = now() - interval '23 hours' WHERE imp_uid = 'imp_3';
                UPDATE webhook_event SET received_at = now() - interval '1 year'
                """)
            #expect(try await ledger.webhooks.purge(olderThan: .zero, limit: 1) == 1)
            #expect(try await ledger.webhooks.purge(olderThan: .zero, limit: 10) == 1)
            #expect(try await test.number("SELECT count(*) FROM webhook_event") == 2)
        }
    }

    private static func event(
        _ number: Int, paymentID: String? = nil, merchantUID: String? = nil
    ) -> WebhookRecordDraft {
        WebhookRecordDraft(
            gateway: "portone-v1", eventID: nil, type: "paid", paymentID: paymentID ?? "imp_\(number)",
            merchantUID: merchantUID ?? "o-\(number)", merchantPaymentID: nil, source: "203.0.113.5")
    }
}
