import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What the checklist of a closing shows, question by question.
@Suite(.timeLimit(.minutes(20))) struct ClosingChecklistTests {
    private static let seoul = sure(TimeZone(identifier: "Asia/Seoul"))
    /// 1 January 2026, 09:00 in Seoul, when the first sample was paid.
    private static let start = CreditPurchase.sample(0).paidAt
    /// The start of 4 January 2026 in Seoul.
    private static let until = start + 2.625 * 86_400

    private static func open(
        _ ledger: Ledger, until: Date = until, unsettledDays: Int64 = 14
    ) async throws -> [String: OpenRows] {
        let checklist = try await ledger.periods.checklist(until: until, unsettledDays: unsettledDays, in: seoul)
        #expect(checklist.items.map(\.question) == ClosingChecklist.Question.allCases)
        #expect(checklist.isClear == checklist.items.allSatisfy { $0.open.count == 0 })
        return Dictionary(uniqueKeysWithValues: checklist.items.map { ($0.question.rawValue, $0.open) })
    }

    @Test func `new books have nothing open`() async throws {
        try await TestLedger.with { ledger, _ in
            let checklist = try await ledger.periods.checklist(until: Self.until, in: Self.seoul)
            #expect(checklist.isClear && checklist.from == Self.until && checklist.items.count == 8)
        }
    }

    @Test func `a period begins with the earliest entry, and not with the first that was recorded`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(0))
            _ = try await ledger.credit(.sample(1, paidAt: Self.start - 86_400))
            let checklist = try await ledger.periods.checklist(until: Self.until, in: Self.seoul)
            #expect(checklist.from == Self.start - 86_400)
            let before = try await ledger.periods.checklist(until: Self.start - 2 * 86_400, in: Self.seoul)
            #expect(before.from == before.until)
        }
    }

    @Test func `payments after the period are not read, however many are not settled`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.fill(entries: 4_000, users: 100)
            // A vacuum reads tables in the background, at any moment, and would be counted.
            try await test.stopAutovacuum(of: ["purchase", "journal_entry", "posting", "lot", "account"])
            let rows = try await test.rowsRead {
                let ledger = try await test.open()
                // They are ten seconds apart.
                let open = try await Self.open(ledger, until: TestLedger.firstFilled + 14 * 86_400 + 95)
                #expect(open["unsettled_payments"]?.count == 10)
                #expect(open["unsettled_payments"]?.oldest == TestLedger.firstFilled)
                await ledger.close()
            }
            #expect(rows < 2_000, "\(rows) rows")
        }
    }

    @Test func `days are open until completed reconciliations cover them, also several together`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(0))
            var days = try await Self.open(ledger)["uncompared_days"]
            #expect(days?.count == 3 && days?.examples == ["2026-01-01", "2026-01-02", "2026-01-03"])
            #expect(days?.oldest == Self.start, "what was before the first entry is not asked for")

            func run(_ from: String, _ to: String, _ status: String, startedAt: String = "2026-01-05Z") async throws {
                try await test.execute(
                    """
                    INSERT INTO reconciliation_run (period_from, period_to, heals, gateways, status, stage, counts,
                        started_at, ended_at)
                    VALUES ('\(from)', '\(to)', false, '{portone-v1}', '\(status)', 'done', '{}', '\(startedAt)',
                        '2026-01-05Z')
                    """)
            }
            try await run("2026-01-01T00:00:00+09", "2026-01-02T12:00:00+09", "completed")
            #expect(try await Self.open(ledger)["uncompared_days"]?.examples == ["2026-01-02", "2026-01-03"])
            try await run("2026-01-02T12:00:00+09", "2026-01-03T00:00:00+09", "failed")
            #expect(try await Self.open(ledger)["uncompared_days"]?.count == 2, "it compared nothing")
            try await run("2026-01-02T12:00:00+09", "2026-01-03T00:00:00+09", "completed")
            // It was begun at noon of the day, so it knows nothing of the afternoon.
            try await run(
                "2026-01-03T00:00:00+09", "2026-01-04T00:00:00+09", "completed", startedAt: "2026-01-03T12:00:00+09")
            days = try await Self.open(ledger)["uncompared_days"]
            #expect(days?.count == 1 && days?.examples == ["2026-01-03"])
            try await run("2026-01-03T10:00:00+09", "2026-01-04T00:00:00+09", "completed")
            #expect(try await Self.open(ledger)["uncompared_days"]?.count == 0)
        }
    }

    @Test func `the period begins at the closing before`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(0))
            let closed = Self.start + 1.625 * 86_400
            _ = try await ledger.periods.close(until: closed, by: "kim")
            #expect(try await ledger.periods.checklist(until: Self.until, in: Self.seoul).from == closed)
            #expect(try await Self.open(ledger)["uncompared_days"]?.examples == ["2026-01-03"])
            // A look back at what was closed.
            #expect(try await ledger.periods.checklist(until: closed, in: Self.seoul).from == Self.start)
            let unsealed = try await Self.open(ledger)["unsealed_periods"]
            #expect(unsealed?.count == 1 && unsealed?.examples == ["2026-01-02T15:00:00Z"])
            #expect(try await Self.open(ledger, until: closed - 1)["unsealed_periods"]?.count == 0)
        }
    }

    @Test func `payments are open when they are outstanding for too many days`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = try #require(try await ledger.credit(.sample(0)).credited).purchase
            #expect(try await Self.open(ledger)["unsettled_payments"]?.count == 0)
            let open = try await Self.open(ledger, unsettledDays: 2)["unsettled_payments"]
            #expect(open?.count == 1 && open?.examples == [String(purchase.id)] && open?.oldest == purchase.paidAt)
            _ = try await ledger.settlements.book(
                .sample([("imp_0", 1000, 30, 3, "2026-01-02")]), by: "kim")
            #expect(try await Self.open(ledger, unsettledDays: 2)["unsettled_payments"]?.count == 0)
        }
    }

    @Test func `findings, receipts, refunds and settlement lines before the end are counted`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try #require(try await ledger.credit(.sample(0)).credited).purchase
            let names = ["open_findings", "pending_refunds", "unmatched_settlement_lines", "waiting_receipts"]
            func counts(before moment: Date) async throws -> [Int64?] {
                let open = try await Self.open(ledger, until: moment)
                return names.map { open[$0]?.count }
            }
            let payment = PaymentIdentity.sample(9)
            try await ledger.findings.note(
                .unclaimed, payment, of: nil, amount: 500, currency: "KRW", paidAt: Self.start + 60)
            _ = try await ledger.submit(BeginRefund.sample(of: purchase.id))
            _ = try await ledger.settlements.book(
                .sample([("imp_8", 1000, 30, 3, "2026-01-02")]), by: "kim")
            try await test.execute(
                """
                UPDATE refund SET requested_at = '2026-01-02Z';
                INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at,
                    created_at)
                VALUES ('ann', 'portone-v1', 'imp_7', 'order_7', 'waiting', 'gateway_unavailable', now(),
                    '2026-01-02Z')
                """)
            #expect(try await counts(before: Self.until) == [1, 1, 1, 1])
            #expect(try await counts(before: Self.start) == [0, 0, 0, 0])
            let items = try await ledger.figures.openItems()
            #expect(
                [items.findings, items.refundsPending, items.settlementLinesUnmatched, items.receiptsWaiting]
                    == [1, 1, 1, 1], "the same rows")
            let finding = try #require(try await ledger.findings.list(limit: 1).elements.first)
            try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "done")
            #expect(try await counts(before: Self.until) == [0, 1, 1, 1])
        }
    }
}
