import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Statements that tell of the same payments and days as others do book each payout once, or leave it to a person.
@Suite(.timeLimit(.minutes(20))) struct OverlappingFileTests {
    private typealias Row = (payment: String, gross: Int64, fee: Int64, tax: Int64, day: String)

    private func statement(_ name: String, _ rows: [Row]) throws -> SettlementFileDraft {
        let lines = rows.map { "\($0.payment),\($0.gross),\($0.fee),\($0.tax),\($0.gross - $0.fee - $0.tax),\($0.day)" }
        return try read("id,gross,fee,tax,net,day,of \(name)\n" + lines.joined(separator: ",\n") + ",\n", name)
    }

    private func read(_ text: String, _ name: String, payment column: String = "id") throws -> SettlementFileDraft {
        let mapping = try SettlementMapping(
            text: "payment_id=\(column),gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day")
        return try SettlementFileReader(
            mapping: mapping, days: sure(DayText(format: nil, in: sure(TimeZone(identifier: "Asia/Seoul"))))
        ).read(Array(text.utf8), named: name)
    }

    /// Parts of a payment's refund, on one day.
    private func refunds(_ name: String, _ amounts: [Int64], of number: Int) throws -> SettlementFileDraft {
        try statement(name, amounts.map { ("imp_\(number)", $0, 0, 0, "2026-11-20") })
    }

    private func reasons(_ ledger: Ledger, _ report: SettlementReport) async throws -> [String?] {
        try await ledger.settlements.listLines(of: report.file.id, limit: 100).elements
            .map { $0.status == .settled ? "settled" : $0.reason }
    }

    private func settledAmount(_ ledger: Ledger, of number: Int = 1) async throws -> Int64? {
        try await ledger.purchases.find(of: CreditPurchase.sample(number).payment)?.settledAmount
    }

    /// What a file books beside what others have booked: the amounts of one payment, day and direction.
    private struct Overlap: Sendable, CustomStringConvertible {
        let before: [Int64]
        let after: [Int64]
        let reasons: [String]

        var description: String { "\(before), then \(after)" }

        init(_ before: [Int64], _ after: [Int64], _ reasons: [String]) {
            self.before = before
            self.after = after
            self.reasons = reasons
        }
    }

    private static let overlaps = [
        // The same again, in another order, and with what came since.
        Overlap([-300], [-300], ["already_settled"]),
        Overlap([-300, -200], [-200, -300], ["already_settled", "already_settled"]),
        Overlap([-300], [-300, -200], ["already_settled", "settled"]),
        // As many equal ones as the file has more.
        Overlap([-100], [-100, -100], ["already_settled", "settled"]),
        Overlap([-100, -100], [-100, -100, -100], ["already_settled", "already_settled", "settled"]),
        // A part that stands above, which the earlier file had not.
        Overlap([-300], [-200, -300], ["settled_otherwise", "settled_otherwise"]),
        Overlap([-100], [-200, -100, -100], ["settled_otherwise", "settled_otherwise", "settled"]),
        // Another amount: corrected by the gateway, or another part of the day.
        Overlap([-300], [-310], ["settled_otherwise"]),
        Overlap([-300], [-200, -310], ["settled_otherwise", "settled_otherwise"]),
    ]

    @Test func `a file books of a day only what others have not`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, overlap) in Self.overlaps.enumerated() {
                _ = try await ledger.credit(.sample(number, by: "user-\(number)"))
                let earlier = try refunds("a.csv", overlap.before, of: number)
                #expect(try await ledger.settlements.book(earlier, by: "finance").settledNow > 0, "\(overlap)")
                let later = try refunds("b.csv", overlap.after, of: number)
                for _ in 1...2 {
                    let report = try await ledger.settlements.book(later, by: "finance")
                    #expect(try await reasons(ledger, report) == overlap.reasons, "\(overlap)")
                }
                let booked = zip(overlap.after, overlap.reasons).reduce(0) { $0 + ($1.1 == "settled" ? $1.0 : 0) }
                let settled = try await settledAmount(ledger, of: number)
                #expect(settled == overlap.before.reduce(booked, +), "\(overlap)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a row that could not be read when the day was booked does not have the others booked again`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let text = "id,gross,fee,tax,net,day\nimp_1,-200,0,0,-2OO,2026-11-20\nimp_1,-300,0,0,-300,2026-11-20\n"
            let skipping = try read(text, "a.csv")
            #expect(skipping.problems.count == 1)
            #expect(try await ledger.settlements.book(skipping, by: "finance").settledNow == 1)
            let mended = try read(text.replacingOccurrences(of: "2OO", with: "200"), "a.csv")
            let report = try await ledger.settlements.book(mended, by: "finance")
            #expect(try await reasons(ledger, report) == ["settled_otherwise", "settled_otherwise"])
            #expect(try await settledAmount(ledger) == -300)
            try await Audit.expectSound(test)
        }
    }

    // MARK: - One file with two mappings

    private static let twoNames = "id,other,gross,fee,tax,net,day\nimp_1,imp_2,1000,30,0,970,2026-11-20\n"

    @Test func `a row is not booked on a payment that it no longer names`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            let file = try await ledger.settlements.store(read(Self.twoNames, "a.csv"), by: "one") { _ in }.id
            let row = try #require(try await ledger.settlements.waiting(of: file, after: 0).first)
            // Before the first import books it, a second one has read another column.
            let other = try read(Self.twoNames, "a.csv", payment: "other")
            _ = try await ledger.settlements.store(other, by: "two") { _ in }
            let stale = Settle(user: .named("ann"), payment: CreditPurchase.sample(1).payment, lineID: row.id)
            #expect(try await ledger.submit(stale).outcome == .refused(.noSuchPurchase))
            #expect(try await ledger.settlements.book(other, by: "two").settledNow == 1)
            #expect(try await settledAmount(ledger) == 0)
            #expect(try await ledger.purchases.find(of: CreditPurchase.sample(2).payment)?.settledAmount == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a row that is rewritten while it is booked ends as what was booked`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            let file = try await ledger.settlements.store(read(Self.twoNames, "a.csv"), by: "one") { _ in }.id
            let row = try #require(try await ledger.settlements.waiting(of: file, after: 0).first)
            let other = try await test.connectAsService()
            try await other.execute("BEGIN")
            try await other.execute("UPDATE settlement_row SET payment = 'imp_2', gross = 990, fee = 20")
            async let booked = ledger.submit(
                Settle(user: .named("ann"), payment: CreditPurchase.sample(1).payment, lineID: row.id))
            try await test.waitUntilBlocked()
            try await other.execute("COMMIT")
            await other.close()
            guard case .done = try await booked.outcome else {
                Issue.record("it is not booked")
                return
            }
            let kept = try #require(try await ledger.settlements.listLines(of: file, limit: 1).elements.first)
            #expect(kept.payment == "imp_1" && kept.gross == 1000 && kept.fee == 30 && kept.status == .settled)
            try await Audit.expectSound(test)
        }
    }

    // MARK: - Bounds, and corrections

    @Test func `no more is kept back of a payment than was paid, before its payout or after`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let rows: [Row] = [
                ("imp_1", -5000, 0, 0, "2026-11-18"), ("imp_1", -1001, 0, 0, "2026-11-19"),
                ("imp_1", -1000, 0, 0, "2026-11-20"), ("imp_1", -1, 0, 0, "2026-11-21"),
                ("imp_1", 0, 10, 0, "2026-11-22"), ("imp_1", 1000, 0, 0, "2026-11-23"),
                ("imp_1", 1001, 0, 0, "2026-11-24"), ("imp_1", -1001, 0, 0, "2026-11-25"),
            ]
            let report = try await ledger.settlements.book(statement("a.csv", rows), by: "finance")
            #expect(
                try await reasons(ledger, report) == [
                    "exceeds_payment", "exceeds_payment", "settled", "exceeds_payment", "settled", "settled",
                    "exceeds_payment", "exceeds_payment",
                ])
            #expect(try await settledAmount(ledger) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a wrong payout is taken back and booked anew by two rows of another day`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let wrong = try statement("a.csv", [("imp_1", 1000, 300, 0, "2026-11-20")])
            #expect(try await ledger.settlements.book(wrong, by: "finance").settledNow == 1)
            let correction = try statement(
                "correction.csv", [("imp_1", -1000, -300, 0, "2026-11-25"), ("imp_1", 1000, 30, 0, "2026-11-25")])
            #expect(try await ledger.settlements.book(correction, by: "finance").settledNow == 2)
            #expect(try await settledAmount(ledger) == 1000)
            let fees = "SELECT sum(balance)::int8 FROM account WHERE code LIKE 'gateway:fees/%'"
            #expect(try await test.number(fees) == 30)

            // The gateway's own corrected export books it no second time, nor does the correction under another name.
            let export = try statement("b.csv", [("imp_1", 1000, 30, 0, "2026-11-20")])
            #expect(try await reasons(ledger, ledger.settlements.book(export, by: "finance")) == ["settled_otherwise"])
            let again = try statement(
                "again.csv", [("imp_1", -1000, -300, 0, "2026-11-25"), ("imp_1", 1000, 30, 0, "2026-11-25")])
            #expect(
                try await reasons(ledger, ledger.settlements.book(again, by: "finance")) == [
                    "already_settled", "already_settled",
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a correction of the very day takes back, and can be completed on another`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.settlements.book(
                statement("a.csv", [("imp_1", 1000, 300, 0, "2026-11-20")]), by: "finance")
            let sameDay = try statement(
                "b.csv", [("imp_1", -1000, -300, 0, "2026-11-20"), ("imp_1", 1000, 30, 0, "2026-11-20")])
            #expect(
                try await reasons(ledger, ledger.settlements.book(sameDay, by: "finance")) == [
                    "settled", "settled_otherwise",
                ])
            let rest = try statement("c.csv", [("imp_1", 1000, 30, 0, "2026-11-25")])
            #expect(try await reasons(ledger, ledger.settlements.book(rest, by: "finance")) == ["settled"])
            #expect(try await settledAmount(ledger) == 1000)
            try await Audit.expectSound(test)
        }
    }
}
