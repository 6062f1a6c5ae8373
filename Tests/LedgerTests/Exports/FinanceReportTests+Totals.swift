import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

// The trial balance of totals, and the sums of days.
extension FinanceReportTests {
    static func expectTotals(_ ledger: Ledger, _ journal: [Row]) async throws {
        let before = try await classes(ledger, until: middle)
        let after = try await classes(ledger, until: BusyMonth.period.to)
        var moved: [String: (debit: Int, credit: Int)] = [:]
        for row in journal where (row["effective_at"] ?? "") >= middle {
            let name = classification(row["account"] ?? "")
            moved[name, default: (0, 0)].debit += number(row["debit"])
            moved[name, default: (0, 0)].credit += number(row["credit"])
        }
        let export = try await ledger.export(.trialBalanceTotals, month.merging([.from: middle]) { $1 })
        let rows = export.records
        let header =
            "debit_balance,debit_total,debit_opening,account,currency,credit_opening,credit_total,credit_balance"
        #expect(export.text.hasPrefix(header + "\r\n"))
        for row in rows {
            let name = row["account"] ?? ""
            let opening = number(row["debit_opening"]) - number(row["credit_opening"])
            #expect(opening == before[name] ?? 0, "\(name)")
            #expect(number(row["debit_balance"]) - number(row["credit_balance"]) == after[name] ?? 0, "\(name)")
            #expect(number(row["debit_total"]) - number(row["debit_opening"]) == moved[name]?.debit ?? 0, "\(name)")
            #expect(number(row["credit_total"]) - number(row["credit_opening"]) == moved[name]?.credit ?? 0, "\(name)")
        }
        let touched = before.merging(after) { $1 }.filter { $0.value != 0 }.keys
        #expect(Set(rows.compactMap { $0["account"] }) == Set(touched).union(moved.keys))
        for column in ["balance", "total", "opening"] {
            for currency in ["KRW", "COIN"] {
                let sides = ["debit", "credit"].map { side in
                    rows.filter { $0["currency"] == currency }.reduce(0) { $0 + number($1["\(side)_\(column)"]) }
                }
                #expect(sides[0] == sides[1] && sides[0] > 0, "\(column) \(currency)")
            }
        }
        // Each account, and from the beginning.
        let all = try await ledger.export(.trialBalanceTotals, [.detail: "accounts"]).records
        #expect(all.count > rows.count && all.allSatisfy { number($0["debit_opening"]) == 0 })
        let wallets = all.filter { classification($0["account"] ?? "") == "wallet:paid" }
        #expect(wallets.reduce(0) { $0 + number($1["credit_balance"]) } == -(after["wallet:paid"] ?? 0))
    }

    private static func classification(_ account: String) -> String {
        let parts = account.split(separator: ":")
        return switch parts.first {
        case "wallet", "held": "\(parts[0]):\(parts[parts.count - 1])"
        case "debt", "earnings": String(parts[0])
        default: account
        }
    }

    static func expectDays(_ ledger: Ledger, _ journal: [Row]) async throws {
        let zone = try #require(TimeZone(identifier: BusyMonth.period.zone))
        let first = try #require(CivilDate(year: 2026, month: 11, day: 1))
        let end = try #require(CivilDate(year: 2026, month: 12, day: 1))
        try await ledger.addUpDays(in: zone)
        var expected: [String: [Int]] = [:]
        for row in journal {
            let name = classification(row["account"] ?? "")
            let sums = expected[name] ?? [0, 0]
            expected[name] = [sums[0] + number(row["debit"]), sums[1] + number(row["credit"])]
        }
        let totals = try await ledger.accountDays.totals(from: first, to: end, in: zone)
        var told: [String: [Int]] = [:]
        for row in totals where row.moved != .zero {
            told[row.account.name] = [Int(row.moved.debits), Int(row.moved.credits)]
        }
        #expect(told == expected)
        let balances = try await classes(ledger, until: BusyMonth.period.to)
        for row in totals {
            let sums = row.opening.adding(row.moved)
            #expect(Int(sums.debits - sums.credits) == balances[row.account.name] ?? 0, "\(row.account.name)")
        }
        let days = try await ledger.accountDays.days(of: ["coins:issued"], from: first, to: end, in: zone)
        for day in days {
            let issued = journal.filter {
                $0["account"] == "coins:issued" && $0["effective_at"]?.hasPrefix(day.day.description) == true
            }
            #expect(issued.reduce(0) { $0 + number($1["debit"]) } == Int(day.moved.debits), "\(day.day)")
        }
    }
}
