import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What the gateway pays out is booked once, and what is still to come is explained payment by payment.
@Suite(.timeLimit(.minutes(20))) struct SettlementTests {
    private func balances(_ test: TestLedger) async throws -> [String: Int64] {
        var balances: [String: Int64] = [:]
        for account in ["gateway:receivable", "bank", "gateway:fees"] {
            balances[account] = try await test.total(account)
        }
        return balances
    }

    @Test func `a payout is booked as Dr bank, Dr fees, Cr receivable on its day`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let report = try await ledger.settlements.book(
                .sample([("imp_1", 1000, 30, 3, "2026-11-20")]), by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.settled] == 1 && report.file.importedBy == "finance")
            #expect(report.file.settled == SettlementTotals(gross: 1000, fee: 30, tax: 3, net: 967))
            #expect(try await balances(test) == ["gateway:receivable": 0, "bank": 967, "gateway:fees": 33])

            let row = try #require(try await ledger.settlements.listLines(of: report.file.id, limit: 10).elements.first)
            let record = try #require(try await ledger.journal.find(sure(row.journalEntryID)))
            #expect(record.kind == "settlement" && record.reference == "purchase:\(sure(row.purchaseID))")
            #expect(record.effectiveAt == (try Date("2026-11-19T15:00:00Z", strategy: .iso8601)))
            #expect(
                record.lines.map { "\($0.side.rawValue) \($0.account.split(separator: "/")[0]) \($0.amount)" }
                    == ["D bank 967", "D gateway:fees 33", "C gateway:receivable 1000"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `an outstanding payment is as old as its whole days`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = CreditPurchase.sample(1)
            _ = try await ledger.credit(purchase)
            let day: TimeInterval = 86_400
            // The first is of a clock that is behind the gateway's.
            let ages = [
                (-1, 0), (0, 0), (3 * day - 0.001, 0), (3 * day, 1), (8 * day - 0.001, 1), (8 * day, 2),
                (31 * day - 0.001, 2), (31 * day, 3), (4000 * day, 3),
            ]
            for (age, place) in ages {
                let now = purchase.paidAt.addingTimeInterval(age)
                for found in [
                    try await ledger.settlements.outstandingByAge(at: now),
                    try await ledger.settlements.oldestOutstanding(at: now),
                ] {
                    #expect(found.map(\.payments) == (0..<4).map { $0 == place ? 1 : 0 }, "\(age)")
                    #expect(found[place].outstanding == 1000)
                }
            }
        }
    }

    @Test func `a refund that was kept back is booked the other way round`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.submit(
                ClawBack(user: .named("ann"), payment: CreditPurchase.sample(1).payment, cancelledAmount: 1000))
            let rows: [(String, Int64, Int64, Int64, String)] = [
                ("order_1", 1000, 30, 3, "2026-11-20"), ("order_1", -600, -18, 0, "2026-11-21"),
                // Two parts in one day, and a fee for giving back.
                ("order_1", -300, 0, 0, "2026-11-22"), ("order_1", -100, 10, 0, "2026-11-22"),
            ]
            #expect(try await ledger.settlements.book(.sample(rows), by: "finance").settledNow == 4)
            #expect(try await balances(test) == ["gateway:receivable": 0, "bank": -25, "gateway:fees": 25])
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same file books nothing again, under whatever name`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let first = try SettlementFileDraft.sample([
                ("imp_1", 1000, 30, 3, "2026-11-20"), ("imp_2", 1000, 30, 3, "2026-11-20"),
            ])
            var report = try await ledger.settlements.book(first, by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.unmatched] == 1)
            report = try await ledger.settlements.book(first, by: "somebody else")
            #expect(report.settledNow == 0 && report.file.lines[.settled] == 1 && report.file.importedBy == "finance")

            // What matched nothing is tried anew: its payment may have been credited since.
            _ = try await ledger.credit(.sample(2))
            report = try await ledger.settlements.book(first, by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.unmatched] == 0)
            #expect(try await test.number("SELECT count(*) FROM settlement_file") == 1)
            #expect(try await balances(test) == ["gateway:receivable": 0, "bank": 1934, "gateway:fees": 66])
            try await Audit.expectSound(test)
        }
    }

    @Test func `another file does not book the same payout again`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
            _ = try await ledger.settlements.book(
                .sample([("imp_1", 400, 0, 0, "2026-11-20"), ("imp_2", 1000, 0, 0, "2026-11-20")]), by: "finance")
            let again = try await ledger.settlements.book(
                .sample(
                    [
                        // By its other name, and with another amount: not one more payout.
                        ("order_1", 300, 0, 0, "2026-11-20"), ("imp_1", 600, 0, 0, "2026-11-21"),
                        // More than was paid.
                        ("imp_2", 1, 0, 0, "2026-11-21"), ("imp_3", 1000, 0, 0, "2026-11-20"),
                        ("imp_3", 1000, 0, 0, "2026-11-20"),
                    ], named: "b.csv"), by: "finance")
            #expect(again.settledNow == 2)
            let refused = try await ledger.settlements.listLines(of: again.file.id, .refused, limit: 10).elements
            #expect(refused.map(\.number) == [2, 4, 6])
            #expect(refused.map(\.reason) == ["settled_otherwise", "exceeds_payment", "exceeds_payment"])
            #expect(try await balances(test) == ["gateway:receivable": 0, "bank": 3000, "gateway:fees": 0])
            try await Audit.expectSound(test)
        }
    }

    /// What a file says of a payout of ₩1,000 that was paid on 2026-01-01, 09:00 in Seoul, and why it can't have been.
    private static let rows: [(gross: Int64, fee: Int64, tax: Int64, day: String, reason: String?)] = [
        (1000, 30, 3, "2126-11-20", "paid_out_in_future"),
        (-400, 0, 0, "2126-11-20", "paid_out_in_future"), (1000, 30, 3, "2025-12-31", "paid_out_before_payment"),
        (-400, 0, 0, "2025-12-01", "paid_out_before_payment"), (100, 101, 0, "2026-01-03", "fee_exceeds_gross"),
        (100, 60, 60, "2026-01-03", "fee_exceeds_gross"), (100, 500, -500, "2026-01-03", "fee_exceeds_gross"),
        (-100, -101, 0, "2026-01-03", "fee_exceeds_gross"), (0, 5001, 0, "2026-01-03", "fee_exceeds_gross"),
        // A flat fee may be above the refund that it is for, and above the payment.
        (-100, 5001, 0, "2026-01-03", "fee_exceeds_gross"), (-100, 4900, 490, "2026-01-03", "fee_exceeds_gross"),
        (-100, 300, 30, "2026-01-03", nil), (-100, 1500, 150, "2026-01-03", nil), (0, 1500, 150, "2026-01-03", nil),
        (-100, -100, 0, "2026-01-03", nil), (0, -1001, 0, "2026-01-03", "fee_exceeds_gross"),
        (1000, 30, 3, "2026-01-01", nil), (1000, 1000, 0, "2026-01-03", nil), (0, 100, 10, "2026-01-03", nil),
        (-100, -3, 0, "2026-01-03", nil),
    ]

    @Test func `a payout that can't have been is for a person, with the reason`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, line) in Self.rows.enumerated() {
                let purchase = try await ledger.buy(.sample(number, by: "user-\(number)"))
                let statement = try SettlementFileDraft.sample([
                    (purchase.payment.paymentID, line.gross, line.fee, line.tax, line.day)
                ])
                let report = try await ledger.settlements.book(statement, by: "finance")
                let rows = try await ledger.settlements.listLines(of: report.file.id, limit: 10).elements
                #expect(rows.map(\.status) == [line.reason == nil ? .settled : .refused], "\(line)")
                #expect(rows.map(\.reason) == [line.reason], "\(line)")
                let entries = try await test.number(
                    """
                    SELECT count(*) FROM journal_entry
                    WHERE kind = 'settlement' AND reference = 'purchase:\(purchase.id)'
                    """)
                #expect(entries == (line.reason == nil ? 1 : 0), "\(line)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `an id that names two payments books neither`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(1, merchantUID: "imp_2"))
            _ = try await ledger.credit(.sample(2))
            let report = try await ledger.settlements.book(
                .sample([("imp_2", 1000, 0, 0, "2026-11-20")]), by: "finance")
            let rows = try await ledger.settlements.listLines(of: report.file.id, limit: 10).elements
            #expect(rows.map(\.status) == [.refused] && rows.map(\.reason) == ["ambiguous"])
        }
    }

    @Test func `two processes that import one file at the same time book each row once`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...60 { _ = try await ledger.credit(.sample(number, by: "user-\(number)")) }
            let other = try await test.open()
            let rows = (1...60).map { ("imp_\($0)", Int64(1000), Int64(30), Int64(3), "2026-11-20") }
            let both = try SettlementFileDraft.sample(rows)
            async let here = ledger.settlements.book(both, by: "one")
            async let there = other.settlements.book(both, by: "two")
            let settled = try await here.settledNow + there.settledNow
            #expect(settled == 60)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'settlement'") == 60)
            #expect(try await balances(test) == ["gateway:receivable": 0, "bank": 58_020, "gateway:fees": 1980])
            await other.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `after a crash in the middle the same file goes on`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
            let file = try SettlementFileDraft.sample((1...3).map { ("imp_\($0)", 1000, 0, 0, "2026-11-20") })
            // What a process leaves that dies after the first row: all rows are stored, one is booked.
            let id = try await ledger.settlements.store(file, by: "finance") { _ in }.id
            let row = try #require(try await ledger.settlements.waiting(of: id, after: 0).first)
            _ = try await ledger.submit(
                Settle(user: .named("ann"), payment: CreditPurchase.sample(1).payment, lineID: row.id))
            let report = try await ledger.settlements.book(file, by: "finance")
            #expect(report.settledNow == 2 && report.file.lines[.settled] == 3)
            #expect(try await balances(test)["bank"] == 3000)
        }
    }

    @Test func `what is booked of a file can't be changed, nor removed`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.settlements.book(.sample([("imp_1", 1000, 0, 0, "2026-11-20")]), by: "finance")
            for connection in [try await test.connectAsOwner(), try await test.connectAsService()] {
                for statement in [
                    "UPDATE settlement_row SET gross = 1, net = 1", "UPDATE settlement_row SET status = 'waiting'",
                    "DELETE FROM settlement_row", "TRUNCATE settlement_row",
                ] {
                    let error = await connection.refusal(of: statement)
                    #expect(error?.sqlState == .insufficientPrivilege, "\(statement)")
                }
                await connection.close()
            }
        }
    }

    @Test func `the payments that are outstanding add up to what the receivable holds, now and then`() async throws {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: 7)
            var moments: [(at: Date, balance: Int64)] = []
            for round in 0..<6 {
                for number in 0..<20 {
                    let number = round * 20 + number
                    _ = try await ledger.credit(.sample(number, by: "user-\(number % 7)"))
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        let of = CreditPurchase.sample(Int.random(in: 0...number, using: &random))
                        guard let purchase = try await ledger.purchases.find(of: of.payment) else { continue }
                        _ = try await ledger.submit(
                            ClawBack(
                                user: purchase.user, payment: of.payment,
                                cancelledAmount: .random(in: 1...1000, using: &random)))
                    }
                }
                let rows: [(String, Int64, Int64, Int64, String)] = (0..<12).map { _ in
                    let number = Int.random(in: 0..<(round + 1) * 20, using: &random)
                    let gross = Int64.random(in: -300...700, using: &random)
                    return ("imp_\(number)", gross, 20, 2, "2026-11-\(10 + round)")
                }
                _ = try await ledger.settlements.book(.sample(rows, named: "\(round).csv"), by: "finance")
                moments.append(
                    (try await emptyMillisecond(), try await balances(test)["gateway:receivable"] ?? 0))
            }
            for moment in moments + [(Date().addingTimeInterval(60), moments.last?.balance ?? 0)] {
                var page = try await ledger.settlements.listOutstanding(asOf: moment.at, limit: 7)
                var sum: Int64 = 0
                while true {
                    #expect(page.balance == moment.balance)
                    #expect(page.payments.allSatisfy { $0.outstanding != 0 })
                    sum += page.payments.reduce(0) { $0 + $1.outstanding }
                    guard let next = page.next else { break }
                    page = try await ledger.settlements.listOutstanding(after: next, limit: 7)
                }
                #expect(sum == moment.balance)
            }
            #expect(
                try await ledger.settlements.listOutstanding(asOf: Date(timeIntervalSince1970: 0), limit: 7).payments
                    .isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a preview shows what would be booked, and writes nothing`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let preview = try await ledger.settlements.preview(
                .sample([("imp_1", 1000, 30, 3, "2026-11-20"), ("imp_9", 1000, 30, 3, "2026-11-20")]))
            #expect(preview.matched == 1 && preview.totals.net == 967)
            #expect(preview.unmatched.map(\.payment) == ["imp_9"] && preview.unmatchedCount == 1)
            #expect(try await test.number("SELECT count(*) FROM settlement_file") == 0)
        }
    }
}
