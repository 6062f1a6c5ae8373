import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What is open at a month's end is added up where no writer waits, and a writer adds what was booked since.
@Suite(.timeLimit(.minutes(20))) struct RevaluationMeasurementTests {
    private static let dollar = ForeignCurrency.named("USD")
    private static let january = RevaluationTouch(currency: dollar, month: .named("2026-01"), zone: seoul)

    private static func day(_ month: Int64, _ day: Int64) -> CivilDate {
        sure(CivilDate(year: 2026, month: month, day: day))
    }

    private static func act(on ledger: Ledger) async throws -> BookRevaluation {
        let act = try await ledger.revaluations.revaluation(
            of: dollar, in: january.month, seoul, key: .named("k"))
        return try #require(act)
    }

    /// How many rows of postings and entries the session's transaction has read.
    private static let read = PostgresQuery<Int64>.one(
        """
        SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint
        FROM pg_stat_xact_user_tables WHERE relname IN ('posting', 'journal_entry')
        """)

    /// Postings of other entries on the currency's accounts, all after January, that come to nothing.
    private static func fill(_ test: TestLedger, count: Int) async throws {
        let accounts = "code IN ('fx:clearing:USD/0', 'fx:clearing:USD:KRW/0')"
        try await test.execute(
            """
            SET session_replication_role = replica;
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 9000000000 + number, 0, 'adjustment', 'filler:' || number, now(), now()
            FROM generate_series(1, \(count)) AS number;
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT account.id, account.seq + number, 9000000000 + number, 0, 1, 0, account.currency,
                CASE number % 2 WHEN 0 THEN 'D' ELSE 'C' END
            FROM account CROSS JOIN generate_series(1, \(count)) AS number WHERE \(accounts);
            UPDATE account SET debits = debits + \(count / 2), credits = credits + \(count / 2), seq = seq + \(count)
            WHERE \(accounts);
            """)
    }

    @Test func `a writer reads what was booked since the measurement, and not all postings since the month's end`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            // The same rate at the end: nothing is to be posted.
            try await ledger.publish("1387.40", on: Self.day(1, 31))
            _ = try await ledger.buy(.sample(1, at: rate))
            let count = 20_000
            try await Self.fill(test, count: count)
            let act = try await Self.act(on: ledger)
            _ = try await ledger.buy(.sample(2, paying: 100, at: rate))
            let writer = try await test.connectAsWriter()
            try await writer.execute("BEGIN")
            let before = try await writer.run(Self.read)
            let basis = try #require(try await writer.run(RevaluationBasis.continued(act.touch)))
            #expect([basis.open, basis.carried, basis.amount] == [199, 2761, 0])
            // The judge looks again.
            try await writer.execute(
                """
                INSERT INTO revaluation (id, currency, month, basis_id, amount, revalued_by, recorded_at)
                VALUES (900001, 'USD', '2026-01', \(basis.id), 0, 'kim', clock_timestamp())
                """)
            let booked = try await writer.run(Self.read)
            #expect(booked - before < 200, "\(booked - before) rows")
            try await writer.execute("ROLLBACK")
            try await writer.execute("BEGIN")
            let fresh = try await writer.run(Self.read)
            try await writer.execute("SELECT open_before('USD', '\(Self.january.endsAt.formatted(.iso8601))')")
            let whole = try await writer.run(Self.read)
            #expect(whole - fresh > Int64(count), "what a writer would read otherwise: \(whole - fresh) rows")
            try await writer.execute("ROLLBACK")
            await writer.close()
        }
    }

    @Test func `a month at whose end nothing is open is not missing, and needs no rate`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let sold = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1), at: rate))
            var file = EarningsFile()
            file.add(sure(sold.payment.merchantPaymentID), "Charge", "1400", buyer: "USD", paid: "0.99")
            let report = try await ledger.settlements.book(try file.draft(paidOutOn: "2026-01-25"), by: "finance")
            #expect(report.settledNow == 1)
            let february = CivilMonth.named("2026-02")
            #expect(try await Self.missing(until: february, on: ledger) == [])
            let all = try await ledger.revaluations.missing(
                until: Self.january.endsAt, in: seoul, limit: 9, isMeasured: false)
            #expect(all.map(\.month.description) == ["2026-01"] && all.first?.open == nil)
            // A later payment leaves January as it is.
            _ = try await ledger.buy(.sample(2, at: rate, paidAt: Self.january.endsAt))
            let later = try await Self.missing(until: february.next.next, on: ledger)
            #expect(later == ["USD of 2026-02", "USD of 2026-03"])
            try await Audit.expectSound(test)
        }
    }

    /// What the closing checklist names, which is the same as the list.
    private static func missing(until month: CivilMonth, on ledger: Ledger) async throws -> [String] {
        let until = month.start(in: seoul)
        let checklist = try await ledger.periods.checklist(until: until, in: seoul)
        let named = sure(checklist.items.first { $0.question == .missingAdjustments }).open.examples
        let listed = try await ledger.revaluations.missing(until: until, in: seoul, limit: 9)
        #expect(listed.map { "\($0.currency.code) of \($0.month)" } == named)
        return named
    }

    @Test func `only an open month that is over is measured, and a measurement continues one of its own month`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, at: rate))
            try await ledger.publish("1400", on: Self.day(1, 31))
            try await ledger.publish("1400", on: Self.day(2, 28))
            let act = try await Self.act(on: ledger)
            let service = try await test.connectAsService()
            func refusal(_ month: String, from: String = "NULL") async -> String? {
                await service.refusal(
                    of: """
                        INSERT INTO revaluation_basis (currency, month, zone, measured_from)
                        VALUES ('USD', '\(month)', 'Asia/Seoul', \(from))
                        """)?.constraint
            }
            let measured = try #require(act.measuredFrom).description
            #expect(await refusal("2099-01") == "revaluation_basis_of_open_month")
            #expect(await refusal("2026-02", from: measured) == "revaluation_basis_continues_its_own")
            #expect(await refusal("2026-01", from: "1") == "revaluation_basis_continues_its_own")
            #expect(await refusal("2026-01", from: measured) == nil)
            _ = try await ledger.periods.close(until: Self.january.endsAt, by: "kim")
            #expect(await refusal("2026-01") == "revaluation_basis_of_open_month")
            #expect(await refusal("2026-02") == nil)
            await service.close()
            // Measured before the closing.
            #expect(try await ledger.submit(act).outcome == .refused(.monthClosed(until: Self.january.endsAt)))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a clock that goes back raises no alarm of a revaluation, and a rate that comes later none either`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, at: rate))
            let last = try await ledger.publish("1400", on: Self.day(1, 30))
            _ = try await ledger.submit(try await Self.act(on: ledger))
            try await ledger.publish("1410", on: Self.day(1, 31))
            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE rate SET published_at = published_at + interval '1 hour' WHERE id = \(last.id);
                """)
            try await Audit.expectSound(test)
        }
    }
}
