import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Payments of users who are forgotten, and what a gateway still tells of them.
extension ForgettingTests {
    @Test func `a payment that is presented while its user is being forgotten is not credited again`() async throws {
        try await TestLedger.with { ledger, test in
            let (key, name) = (ForgettingKey(), "order for \(Self.id)")
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: name))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 110))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Self.ask(ledger, test)
            let pending = try #require(try await Self.due(ledger))
            let owner = try await test.connectAsOwner()
            try await owner.execute("BEGIN")
            let open = try await owner.run(
                PostgresQuery<String?>.one(
                    "SELECT forget_user($1, $2, $3, $4, interval '5 years', interval '3 years')",
                    [
                        pending.id, PostgresBytes(try key.encrypted(Self.id)), key.name, PostgresBytes(key.ofPayments),
                    ]
                ) { row in try row.decode(0, as: String?.self) })
            #expect(open == nil)
            async let again = ledger.credit(.sample(7, by: "eve", merchantUID: name), after: key)
            try await test.waitUntilBlocked()
            try await owner.execute("COMMIT")
            #expect(try await again.refusal == .paymentBelongsToAnotherUser)
            await owner.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `notes on a finding that only a payment's names link to the user are erased`() async throws {
        try await TestLedger.with { ledger, test in
            let name = "order for \(Self.id)"
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: name, bonus: 0))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 100))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                """
                INSERT INTO "order" (
                    merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, idempotency_key,
                    created_at, expires_at)
                VALUES ('cart of \(Self.id)', '\(Self.id)', 'portone-v1', 'p', 1000, 'KRW', 100, 0, 'k',
                    now() - interval '2 days', now() - interval '1 day');
                WITH found AS (
                    INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
                    SELECT '{unclaimed}', 'portone-v1', 'imp_' || name, name, 1000, 'KRW'
                    FROM (VALUES ('cart of \(Self.id)'), ('of nobody')) AS row (name)
                    RETURNING id)
                INSERT INTO finding_act (finding_id, act, by, reason) SELECT id, 'note', 'suho', 'called' FROM found
                """)
            _ = try await Self.forget(ledger, test)
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM finding_act JOIN finding ON finding.id = finding_id
                    WHERE reason = CASE merchant_uid WHEN 'of nobody' THEN 'called' ELSE '(erased)' END
                    """) == 2)
        }
    }

    /// It names the payment that the gateway is asked about.
    @Test(arguments: ["imp_uid", "merchant_uid", "payment_id"])
    func `a user with a webhook that waits is not forgotten`(column: String) async throws {
        let name = column == "imp_uid" ? column : "merchant_uid"
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: "order for \(Self.id)", bonus: 0))
            _ = try await ledger.buy(.sample(2, by: "lee"))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 100))
            try await test.execute(
                """
                INSERT INTO webhook_event (gateway, event_id, type, \(column), status, reason)
                SELECT gateway, id, 'cancelled', \(name), 'waiting', 'received' FROM purchase
                """)
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["webhook"])
            try await test.execute("UPDATE webhook_event SET reason = 'gateway_off'")
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["gateway_off"])
            try await test.execute(
                """
                UPDATE webhook_event SET status = 'done', decided_at = now()
                WHERE \(column) IN (SELECT \(name) FROM purchase WHERE user_id = '\(Self.id)')
                """)
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == [], "the other one is of another user")
        }
    }

    @Test func `names that a store made stay, whatever id stands in them by chance`() async throws {
        try await TestLedger.with { ledger, test in
            let (user, key) = ("1234", ForgettingKey())
            let payment = PaymentIdentity(
                gateway: "google-play", paymentID: "abc.AO-1234-x", merchantUID: "google-play:abc.AO-1234-x",
                merchantPaymentID: "GPA.3345-1234-5678-90123")
            _ = try await ledger.buy(.sample(1, by: user, payment: payment, bonus: 0))
            _ = try await ledger.buy(.sample(2, by: user, merchantUID: "order-1234-7", bonus: 0))
            _ = try await ledger.submit(Spend.sample("s", by: user, coins: 200))
            let order = sure(payment.merchantPaymentID)
            let paidOut = EarningsFile([(order, "Charge", "1000"), (order, "Google fee", "-150")])
            #expect(try await ledger.settlements.book(try paidOut.draft(), by: "finance").settledNow == 1)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            let forgotten = try await Self.forget(ledger, test, user, key: key)
            let sold = try #require(try await ledger.purchases.find(of: payment))
            #expect(sold.user == forgotten && sold.payment == payment, "refunds and payouts come by these names")
            #expect(try await test.number("SELECT count(*) FROM purchase WHERE merchant_uid LIKE 'order-1234%'") == 0)
            #expect(try await test.number("SELECT count(*) FROM forgotten_payment") == 1)
            let again = CreditPurchase.sample(7, by: "eve", payment: payment)
            #expect(try await ledger.credit(again, after: key).refusal == .paymentBelongsToAnotherUser)
            try await Audit.expectSound(test)
        }
    }

    @Test func `another payment of the order is not taken for the purchase of who was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            let (name, key) = ("order for \(Self.id)", ForgettingKey())
            let own = PaymentIdentity(gateway: "portone-v1", paymentID: "imp of \(Self.id)", merchantUID: name)
            let bought = try await ledger.buy(.sample(by: Self.id, payment: own))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 110))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            _ = try await Self.forget(ledger, test, key: key)
            func found(
                _ payment: PaymentIdentity, amount: Int64? = nil, after: TimeInterval? = 0
            ) async throws -> Int64? {
                let sighting = PaymentSighting(
                    of: payment, amount: amount ?? bought.amount, currency: bought.currency.code,
                    paidAt: after.map { bought.paidAt.addingTimeInterval($0) })
                return try await ledger.purchases.recognise(sighting, after: key)?.id
            }
            let twin = PaymentIdentity(gateway: "portone-v2", paymentID: "tx_1", merchantUID: name)
            #expect(try await found(own, amount: 1, after: nil) == bought.id)
            #expect(try await found(twin, after: 1) == bought.id)
            for (amount, after) in [(1, 0), (nil, 3), (nil, nil)] as [(Int64?, TimeInterval?)] {
                #expect(try await found(twin, amount: amount, after: after) == nil)
            }
            let attempt = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_2", merchantUID: name)
            #expect(try await found(attempt) == nil, "at one gateway, each payment has its own name")
        }
    }

    @Test func `hashes of a payment are asked for only if a payment was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                REVOKE SELECT ON forgotten_payment FROM ledgerd_service;
                GRANT SELECT (digest) ON forgotten_payment TO ledgerd_service
                """)
            let payment = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_1", merchantUID: "m")
            let sighting = PaymentSighting(of: payment, amount: 1000, currency: "KRW", paidAt: nil)
            let key = ForgettingKey()
            #expect(try await ledger.purchases.recognise(sighting, after: key) == nil)
            try await test.execute("INSERT INTO forgotten_payment VALUES (sha256('x'), 1, 'k')")
            await #expect(throws: LedgerError.self) { try await ledger.purchases.recognise(sighting, after: key) }
            #expect(try await ledger.purchases.recognise(sighting) == nil)
        }
    }
}
