import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

// The report of prepaid coins.
extension FinanceReportTests {
    /// Which column an act belongs to; the moves between wallet and hold belong to none.
    private static let columns = [
        "purchase": "issued", "grant": "issued", "spend": "used", "capture": "used", "debt_payment": "used",
        "spend_reversal": "used", "capture_reversal": "used", "refund": "refunded", "claw_back": "refunded",
        "claw_back_reversal": "refunded",
        "expiry": "expired",
    ]

    static func expectPrepaid(_ ledger: Ledger, _ journal: [Row]) async throws {
        var expected: [String: Int] = [:]
        for row in journal {
            guard let account = row["account"], let kind = row["kind"], let day = row["effective_at"]?.prefix(10) else {
                continue
            }
            let isWon = account == "coins:deferred-revenue"
            guard isWon || account.hasPrefix("wallet:") || account.hasPrefix("held:") else { continue }
            let purse = isWon || account.hasSuffix(":paid") ? "paid" : "bonus"
            guard let column = columns[kind] else { continue }
            let change = number(row["credit"]) - number(row["debit"])
            expected["\(day) \(purse) \(column)\(isWon ? "_won" : "")", default: 0] +=
                column == "issued" ? change : -change
        }
        let rows = try await ledger.export(.prepaid, month).records
        #expect(rows.count == 60 && rows.first?["day"] == "2026-11-01" && rows.last?["kind"] == "bonus")
        var reported: [String: Int] = [:]
        for row in rows {
            for column in Set(columns.values) {
                for unit in ["", "_won"] {
                    let value = number(row[column + unit])
                    if value != 0 { reported["\(row["day"] ?? "") \(row["kind"] ?? "") \(column)\(unit)"] = value }
                }
            }
        }
        #expect(reported == expected.filter { $0.value != 0 })
        for column in ["issued", "used", "refunded", "expired"] {
            #expect(reported.contains { $0.key.hasSuffix("paid \(column)") && $0.value > 0 }, "nothing was \(column)")
        }
        try await expectOutstanding(ledger, rows)
        // From the middle on, what was outstanding before is carried forward.
        let half = try await ledger.export(.prepaid, month.merging([.from: middle]) { $1 }).records
        #expect(half == Array(rows.suffix(30)))
    }

    /// At the end of each day, coins and won are those of the trial balance.
    private static func expectOutstanding(_ ledger: Ledger, _ rows: [Row]) async throws {
        let days = stride(from: 0, to: rows.count, by: 2).map { rows[$0]["day"] ?? "" }
        for (day, end) in zip(days, days.dropFirst() + [BusyMonth.period.to]) {
            let balances = try await classes(ledger, until: end)
            for kind in ["paid", "bonus"] {
                let row = rows.first { $0["day"] == day && $0["kind"] == kind }
                let coins = (balances["wallet:\(kind)"] ?? 0) + (balances["held:\(kind)"] ?? 0)
                #expect(number(row?["outstanding"]) == -coins, "\(day) \(kind)")
                let won = kind == "paid" ? -(balances["coins:deferred-revenue"] ?? 0) : 0
                #expect(number(row?["outstanding_won"]) == won, "\(day) \(kind)")
            }
        }
    }
}
