import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Payments that are credited while a rate of their currency is published.
@Suite(.timeLimit(.minutes(20))) struct ForeignRaceTests {
    private static let dollar = ForeignCurrency.named("USD")
    private static let secondRate = """
        INSERT INTO rate (currency, day, version, value, scale, per, source, set_by)
        VALUES ('USD', '2025-12-31', 2, 139000, 2, 1, 'test', 'kim')
        """

    /// How many sessions of this database wait for a lock as that of rates.
    private static let waiting = """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted
        """

    /// A rate counts from its `published_at`, which is before others can see it.
    @Test func `a payment waits for a rate that is being published, and is not credited at the one before`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let first = try await ledger.publish("1387.40")
            let publisher = try await test.connectAsService()
            try await publisher.execute("BEGIN")
            _ = try await publisher.run(Rate.lock(Self.dollar))
            try await publisher.execute(Self.secondRate)
            let paidAt = try await publisher.run(
                PostgresQuery<Date>.one("SELECT clock_timestamp()") { row in try row[0] })
            async let early = Self.error(of: .sample(1, at: first, paidAt: paidAt), on: ledger)
            try await eventually("the payment waits") {
                try await test.number(Self.waiting) == 1
            }
            try await publisher.execute("COMMIT")
            #expect(await early?.code == .unavailable)
            let found = try await ledger.rates.find(ofPaymentIn: Self.dollar, paidAt: paidAt, in: .gmt)
            let second = try #require(found)
            #expect(second.version == 2)
            #expect(try await ledger.buy(.sample(1, at: second, paidAt: paidAt)).amount == 1376)
            await publisher.close()
            try await Audit.expectSound(test)
        }
    }

    private static func error(of act: CreditPurchase, on ledger: Ledger) async -> LedgerError? {
        do {
            _ = try await ledger.credit(act)
            return nil
        } catch {
            return error as? LedgerError
        }
    }
}
