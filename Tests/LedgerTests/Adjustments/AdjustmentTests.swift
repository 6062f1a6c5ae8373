import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Adjustments at the ends of months.
///
/// The figures of the first two tests are those of docs/month-end.md.
@Suite(.timeLimit(.minutes(20))) struct AdjustmentTests {
    static let tenPercent = AccountingPolicy.Method.expectedPattern(expected: 100, highlyProbable: 100)
    static let samePrice = AccountingPolicy.Method.relativePrice(bonusPrice: 1000)

    /// Of ₩1,000 that were sold, ₩200 are expected to be never used.
    @Test(arguments: [
        (refunded: 0, used: 0, expired: 0, expected: 0), (0, 400, 0, 100), (0, 400, 60, 40), (0, 400, 600, 0),
        (500, 200, 0, 50), (0, 800, 0, 200),
        // More was used than expected, so that less is left than was expected to be.
        (0, 900, 0, 100), (0, 900, 70, 30), (0, 1000, 0, 0), (1000, 0, 0, 0),
    ])
    func `no more breakage is expected than is deferred`(
        refunded: Int64, used: Int64, expired: Int64, expected: Int64
    ) {
        let deferred = 1000 - refunded - used - expired
        let cohort = Cohort(
            soldIn: .named("2026-01"), purchases: 1, sold: 1000, refunded: refunded, used: used, expired: expired,
            deferred: deferred, allocated: 0)
        #expect(cohort.expectedBreakage(share: 200) == expected && expected <= deferred)
    }

    @Test func `books have more purchases than one less than theirs`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            #expect(try await ledger.adjustments.hasMorePurchases(than: 1))
            #expect(try await !ledger.adjustments.hasMorePurchases(than: 2))
        }
    }

    @Test(arguments: [VATSettings.off, .everything])
    func `breakage is recognised in proportion to what is used, and ends with the coins`(
        vat: VATSettings
    ) async throws {
        try await Calendar.with(vat: vat) { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            for number in 0..<10 {
                try await calendar.buy(number, by: "user-\(number)", on: "2026-01-01", until: "2026-03-15")
            }
            try await calendar.go(to: "2026-01-20")
            for number in 0..<9 { try await calendar.spend(50, by: "user-\(number)", "a-\(number)") }
            try await calendar.go(to: "2026-02-01")
            let first = try #require(try await calendar.adjusted("2026-01"))
            #expect(first.target == 500 && first.amount == 500)
            try await calendar.expectDocumented(first)
            #expect(
                try await calendar.ledger.adjustments.cohorts(of: first.id) == [
                    AdjustmentCohort(
                        cohort: Cohort(
                            soldIn: .named("2026-01"), purchases: 10, sold: 10_000, refunded: 0, used: 4500,
                            expired: 0, deferred: 5500, allocated: 5500), target: 500)
                ])
            #expect(
                try await calendar.postings(of: first) == [
                    "coins:expected-breakage/0 D 500", "revenue:expected-breakage/0 C 500",
                ])
            let effective = try await calendar.test.number(
                """
                SELECT count(*) FROM journal_entry WHERE kind = 'adjustment' AND late_for IS NULL
                    AND effective_at = timestamptz '2026-02-01 00:00:00+09' - interval '1 microsecond'
                """)
            #expect(effective == 1)

            for number in 0..<9 { try await calendar.spend(40, by: "user-\(number)", "b-\(number)") }
            try await calendar.go(to: "2026-03-02")
            let second = try #require(try await calendar.adjusted("2026-02"))
            #expect(second.amount == 400)
            try await calendar.expectDocumented(second)
            try await calendar.go(to: "2026-04-01")
            try await calendar.expire()
            let last = try #require(try await calendar.adjusted("2026-03"))
            #expect(last.target == 0 && last.amount == -900)
            try await calendar.expectDocumented(last)
            #expect(
                try await calendar.postings(of: last) == [
                    "coins:expected-breakage/0 C 900", "revenue:expected-breakage/0 D 900",
                ])
            #expect(
                try await calendar.balances(
                    .revenue, .breakage, .expectedBreakage, .expectedBreakageRevenue, .deferredRevenue, .vatPayable)
                    == (vat.isBooked ? [7371, 1729, 0, 0, 0, 900] : [8100, 1900, 0, 0, 0, 0]))
            let preview = try await calendar.ledger.adjustments.preview(.breakage, of: .named("2026-04"), in: seoul)
            #expect(preview.observedBreakage == 190, "what the history proposes")
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `bonus coins take their part of the won, and give it back as they are used`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.samePrice)
            try await calendar.buy(1, by: "ann", on: "2026-01-05", bonus: 10, won: 1100)
            try await calendar.go(to: "2026-01-20")
            try await calendar.spend(10, by: "ann", "a")
            #expect(try await calendar.balances(.revenue, .deferredRevenue) == [0, 1100], "bonus coins are free")
            try await calendar.go(to: "2026-02-01")
            let first = try #require(try await calendar.adjusted(.bonus, "2026-01"))
            #expect(first.target == -100 && first.amount == -100)
            try await calendar.expectDocumented(first)
            #expect(
                try await calendar.postings(of: first) == [
                    "coins:deferred-bonus/0 D 100", "revenue:bonus-allocation/0 C 100",
                ])
            try await calendar.spend(50, by: "ann", "b")
            try await calendar.go(to: "2026-03-01")
            let second = try #require(try await calendar.adjusted(.bonus, "2026-02"))
            #expect(second.target == -50 && second.amount == 50)
            try await calendar.expectDocumented(second)
            #expect(
                try await calendar.postings(of: second) == [
                    "coins:deferred-bonus/0 C 50", "revenue:bonus-allocation/0 D 50",
                ])
            try await calendar.spend(50, by: "ann", "c")
            try await calendar.go(to: "2026-04-01")
            let third = try #require(try await calendar.adjusted(.bonus, "2026-03"))
            #expect(third.amount == 50)
            try await calendar.expectDocumented(third)
            #expect(
                try await calendar.balances(.revenue, .deferredBonus, .bonusAllocation, .deferredRevenue)
                    == [1100, 0, 0, 0])
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `what is left of bonus coins is deferred, at their own price`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(.relativePrice(bonusPrice: 500))
            try await calendar.buy(1, by: "ann", on: "2026-01-05", bonus: 100, won: 1500)
            // A bonus coin is worth half a paid one: 1,000 won are of the paid coins, and 500 of the bonus coins.
            try await calendar.spend(120, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let adjustment = try #require(try await calendar.adjusted(.bonus, "2026-01"))
            let cohort = try #require(try await calendar.ledger.adjustments.cohorts(of: adjustment.id).first?.cohort)
            #expect(cohort.deferred == 1200 && cohort.used == 300 && cohort.allocated == 800)
            #expect(adjustment.target == -400)
        }
    }

    @Test func `with both policies, breakage is of what relative prices leave to paid coins`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(.expectedPattern(expected: 200, highlyProbable: 100))
            _ = try await calendar.setPolicy(Self.samePrice)
            try await calendar.buy(1, by: "ann", on: "2026-01-05", bonus: 10, won: 1100)
            try await calendar.buy(2, by: "bob", on: "2026-01-05", bonus: 10, won: 1100)
            try await calendar.spend(110, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            // Of 2,000 won of paid coins 200 are broken with high probability; 1,000 of 1,800 are used.
            let breakage = try #require(try await calendar.adjusted("2026-01"))
            #expect(breakage.target == 200 * 1000 / 1800)
            let cohort = try #require(try await calendar.ledger.adjustments.cohorts(of: breakage.id).first?.cohort)
            #expect(cohort.sold == 2000 && cohort.used == 1000 && cohort.deferred == 1000)
            #expect(try await calendar.adjusted(.bonus, "2026-01")?.target == 0, "the rest is all unused")
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `what can't be adjusted is refused`() async throws {
        try await Calendar.with { calendar in
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            try await calendar.spend(45, by: "ann", "a")
            #expect(try await calendar.adjust("2026-01").refusal == .monthNotOver)
            try await calendar.go(to: "2026-03-01")
            #expect(try await calendar.adjust("2026-01").refusal == .noAccountingPolicy)
            _ = try await calendar.setPolicy(.atExpiry)
            #expect(try await calendar.adjust("2026-01").refusal == .noAccountingPolicy)
            _ = try await calendar.setPolicy(Self.tenPercent, from: "2026-02")
            #expect(try await calendar.adjust("2026-01").refusal == .noAccountingPolicy)
            #expect(try await calendar.adjusted("2026-02")?.amount == 50)
            #expect(try await calendar.adjust("2026-01").refusal == .monthAdjusted(last: "2026-02"))
            let end = CivilMonth.named("2026-03").start(in: seoul)
            guard case .closed = try await calendar.ledger.periods.close(until: end, by: "kim") else {
                Issue.record("it was not closed")
                return
            }
            #expect(try await calendar.adjust("2026-02").refusal == .monthClosed(until: end))
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `a policy is fixed once its month is adjusted or closed, and ends by another one`() async throws {
        try await Calendar.with { calendar in
            guard case .set(let first) = try await calendar.setPolicy(Self.tenPercent) else {
                Issue.record("it was not set")
                return
            }
            #expect(try await calendar.setPolicy(Self.tenPercent) == .unchanged(first))
            let second = try await calendar.setPolicy(.expectedPattern(expected: 200, highlyProbable: 200))
            guard case .set(let policy) = second else {
                Issue.record("it was not replaced")
                return
            }
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            try await calendar.spend(40, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let adjustment = try #require(try await calendar.adjusted("2026-01"))
            #expect(adjustment.amount == 100 && adjustment.policyID == policy.id)
            #expect(try await calendar.setPolicy(Self.tenPercent) == .monthAdjusted(last: .named("2026-01")))
            #expect(
                try await calendar.setPolicy(Self.samePrice) == .monthAdjusted(last: .named("2026-01")),
                "of the other subject too")
            _ = try await calendar.setPolicy(.atExpiry, from: "2026-02")
            try await calendar.go(to: "2026-03-01")
            let end = try #require(try await calendar.adjusted("2026-02"))
            #expect(end.amount == -100 && end.target == 0, "what was recognised before is taken back")
            #expect(
                try await calendar.ledger.adjustments.listPolicies(limit: 10).elements.map(\.month.description) == [
                    "2026-02", "2026-01", "2026-01",
                ])
            let closed = CivilMonth.named("2026-03").start(in: seoul) + 3600
            _ = try await calendar.ledger.periods.close(until: closed, by: "kim")
            #expect(try await calendar.setPolicy(Self.tenPercent, from: "2026-03") == .monthClosed(until: closed))
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `the closing checklist names the months that are not adjusted`() async throws {
        try await Calendar.with { calendar in
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            func missing() async throws -> [String] {
                let checklist = try await calendar.ledger.periods.checklist(
                    until: CivilMonth.named("2026-04").start(in: seoul), in: seoul)
                return sure(checklist.items.first { $0.question == .missingAdjustments }).open.examples
            }
            #expect(try await missing().isEmpty)
            _ = try await calendar.setPolicy(Self.tenPercent)
            _ = try await calendar.setPolicy(Self.samePrice, from: "2026-03")
            try await calendar.go(to: "2026-04-01")
            #expect(
                try await missing() == [
                    "breakage of 2026-01", "breakage of 2026-02", "bonus of 2026-03", "breakage of 2026-03",
                ])
            // One with nothing to adjust is booked without an entry.
            #expect(try await calendar.adjusted("2026-02")?.journalEntryID == nil)
            #expect(try await missing() == ["bonus of 2026-03", "breakage of 2026-03"])
            _ = try await calendar.adjust(.bonus, "2026-03")
            _ = try await calendar.adjust("2026-03")
            #expect(try await missing().isEmpty)
        }
    }

    @Test func `an adjustment is an event`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            try await calendar.spend(45, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let adjustment = try #require(try await calendar.adjusted("2026-01"))
            try await calendar.ledger.events.publisher.publish()
            let event = try #require(try await calendar.ledger.events.everything().last)
            guard event.type == .adjustmentBooked, event.user == nil,
                case .adjustment(let published)? = event.entry?.fact
            else {
                Issue.record("\(event)")
                return
            }
            #expect(published == adjustment)
        }
    }
}

extension Calendar {
    /// The example in docs/month-end.md has a row for the adjustment.
    func expectDocumented(_ adjustment: Adjustment) async throws {
        let cohort = sure(try await ledger.adjustments.cohorts(of: adjustment.id).first?.cohort)
        let figures =
            adjustment.subject == .breakage
            ? [cohort.sold, cohort.used, cohort.expired, cohort.deferred]
            : [cohort.used, cohort.deferred, cohort.allocated]
        let cells = (figures + [adjustment.target, adjustment.amount]).map { figure in
            figure.formatted(.number.locale(Locale(identifier: "en_US")))
        }
        let row = "| \(adjustment.month) | \(cells.joined(separator: " | ")) |"
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/month-end.md").standardized
        #expect(try String(contentsOf: page, encoding: .utf8).contains(row), "\(row)")
    }

    /// `account side amount` of each posting of an adjustment's entry, by account.
    func postings(of adjustment: Adjustment) async throws -> [String] {
        let connection = try await test.connectAsOwner()
        let lines = try await connection.run(
            PostgresQuery<[String]>(
                """
                SELECT code || ' ' || side || ' ' || amount FROM posting JOIN account ON account.id = account_id
                WHERE journal_entry_id = $1 ORDER BY code
                """, [adjustment.journalEntryID]
            ) { row in try row[0] })
        await connection.close()
        return lines
    }
}
