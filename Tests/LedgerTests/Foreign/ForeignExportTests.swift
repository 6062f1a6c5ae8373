import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What accounting programs and ERPs get of foreign currencies.
@Suite(.timeLimit(.minutes(20))) struct ForeignExportTests {
    private static func day(_ month: Int64, _ day: Int64) -> CivilDate {
        sure(CivilDate(year: 2026, month: month, day: day))
    }

    /// The prices in a file, without what is around them.
    private static func prices(_ ledger: Ledger, _ options: [ExportOption: String]) async throws -> [String] {
        try await ledger.export(.journal, options).text.split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("P ") || $0.contains(" price ") }
    }

    @Test func `a currency is declared with its published rates, of each day the newest, with all digits`() async throws
    {
        try await TestLedger.with { ledger, _ in
            let dollar = try await ledger.publish("1387.40")
            try await ledger.publish("1390.00", on: Self.day(1, 2))
            try await ledger.publish("1390.05", on: Self.day(1, 2))
            let yen = try await ledger.publish("951.25", per: 100, of: "JPY")
            try await ledger.publish("1600", of: "EUR")
            _ = try await ledger.buy(.sample(1, at: dollar))
            _ = try await ledger.buy(.sample(2, paying: 1_000, at: yen))
            #expect(
                try await Self.prices(ledger, [.format: "hledger"]).sorted() == [
                    "P 2025-12-31 JPY 9.5125 KRW", "P 2025-12-31 USD 1387.40 KRW", "P 2026-01-02 USD 1390.05 KRW",
                ], "no entry is in euros")
            #expect(
                try await Self.prices(ledger, [.format: "beancount"]).sorted() == [
                    "2025-12-31 price JPY 9.5125 KRW", "2025-12-31 price USD 1387.40 KRW",
                    "2026-01-02 price USD 1390.05 KRW",
                ])
            let text = try await ledger.export(.journal, [.format: "hledger"]).text
            #expect(text.contains("\ncommodity 1000.00 USD\nP 2025-12-31 USD 1387.40 KRW\nP 2026-01-02"))
            #expect(
                try await Self.prices(ledger, [.format: "hledger", .to: "2026-01-02"]) == [
                    "P 2025-12-31 USD 1387.40 KRW", "P 2025-12-31 JPY 9.5125 KRW",
                ])
        }
    }

    @Test func `a journal in won alone has the same bytes after rates are published`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.buy(.sample(1))
            let formats = ["csv", "jsonl", "xlsx", "hledger", "beancount"]
            func exported() async throws -> [[UInt8]] {
                var files: [[UInt8]] = []
                for format in formats { files.append(try await ledger.export(.journal, [.format: format]).bytes) }
                return files
            }
            let before = try await (exported(), Self.vouchers(ledger).bytes)
            try await ledger.publish("1387.40")
            let after = try await (exported(), Self.vouchers(ledger).bytes)
            #expect(before.0 == after.0 && before.1 == after.1)
        }
    }

    @Test(arguments: ["hledger", "beancount"])
    func `a rate that is corrected after its day was closed changes no file of the closed period`(
        format: String
    ) async throws {
        try await TestLedger.with { ledger, _ in
            let rate = try await ledger.publish("1387.40")
            try await ledger.publish("1390", on: Self.day(1, 2))
            _ = try await ledger.buy(.sample(1, at: rate))
            _ = try await ledger.periods.close(until: CivilMonth.named("2026-02").start(in: .gmt), by: "kim")
            let options: [ExportOption: String] = [.format: format, .to: "2026-02-01"]
            let before = try await ledger.export(.journal, options).bytes
            try await ledger.publish("1391", on: Self.day(1, 2))
            try await ledger.publish("1392", on: Self.day(1, 3))
            #expect(try await ledger.export(.journal, options).bytes == before)
            try await ledger.publish("1393", on: Self.day(2, 2))
            #expect(try await Self.prices(ledger, [.format: format]).count == 3, "of the open month")
        }
    }

    @Test func `hledger values what is open at the carrying amounts, and Beancount takes the prices`() async throws {
        try await TestLedger.with { ledger, test in
            let dollar = try await ledger.publish("1387.40")
            let yen = try await ledger.publish("951", per: 100, of: "JPY")
            _ = try await ledger.buy(.sample(1, paying: 10_000, at: dollar))
            _ = try await ledger.buy(.sample(2, paying: 1_000, at: yen))
            let file = try AccountingFile(try await ledger.export(.journal, [.format: "hledger"]), "journal")
            _ = try await file.run("hledger", ["-f", file.path, "check", "--strict"])
            let valued = try await file.run(
                "hledger",
                [
                    "-f", file.path, "balance", "app-store:receivable:", "--value=2026-02-01,KRW", "--flat", "-N", "-O",
                    "csv",
                ])
            let owner = try await test.connectAsOwner()
            for (currency, won) in [("USD", 138_740), ("JPY", 9_510)] {
                let line = valued.split(separator: "\n").first { $0.contains("app-store:receivable:\(currency)") }
                #expect(line?.contains("\(won) KRW") == true, "\(valued)")
                let carried = PostgresQuery<Int64>.one(
                    "SELECT sum(balance)::bigint FROM account WHERE code LIKE 'fx:clearing:\(currency):KRW/%'")
                #expect(try await owner.run(carried) == Int64(won))
            }
            await owner.close()
            let ledgerFile = try AccountingFile(try await ledger.export(.journal, [.format: "beancount"]), "beancount")
            #expect(try await ledgerFile.run("bean-check", [ledgerFile.path]) == "")
        }
    }

    // MARK: - Vouchers

    private static func vouchers(_ ledger: Ledger) async throws -> Exported {
        let names = [
            "app-store:receivable", "gateway:receivable", "coins:deferred-revenue", "fx:clearing:USD:KRW",
            "fx:clearing:KWD:KRW", "fx:clearing:VND:KRW",
        ]
        let file = "account,code,name\n" + names.enumerated().map { "\($1),\($0 + 101),\($1)\n" }.joined()
        let request = try ExportRequest(
            .vouchers, [.from: "2026-01-01", .to: "2026-02-01"], in: .gmt,
            accounts: try VoucherAccounts(Array(file.utf8)))
        return try await ledger.exports.begin(request).get().read()
    }

    @Test func `what is worth no won has no line in a voucher`() async throws {
        try await TestLedger.with { ledger, _ in
            let dong = try await ledger.publish("5.45", per: 100, of: "VND")
            let sold = try await ledger.buy(.sample(1, payment: .sample(), paying: 26_000, at: dong, coins: 33))
            // A day later.
            let cancelledAt = Date(timeIntervalSince1970: 1_767_312_000)
            let part = try await ledger.submit(ClawBack.sample(of: sold, 18, cancelledAt: cancelledAt))
            #expect(part.clawedBack != nil)
            let rows = try await Self.vouchers(ledger).records
            #expect(!rows.isEmpty && rows.allSatisfy { $0["text"] == "purchase" }, "\(rows)")
        }
    }

    @Test func `vouchers have the foreign currency beside its carrying amount, if one moved`() async throws {
        try await TestLedger.with { ledger, _ in
            let dollar = try await ledger.publish("1387.40")
            let dinar = try await ledger.publish("4500", of: "KWD")
            _ = try await ledger.buy(.sample(1))
            let inWon = try await Self.vouchers(ledger).records
            #expect(!inWon.isEmpty && inWon.allSatisfy { $0["foreign_currency"] == nil })
            _ = try await ledger.buy(.sample(2, paying: 297, at: dollar, coins: 300))
            _ = try await ledger.buy(.sample(3, paying: 99, at: dollar))
            _ = try await ledger.buy(.sample(4, paying: 1_500, at: dinar))
            let rows = try await Self.vouchers(ledger).records
            let members = [
                "text", "account_name", "debit", "credit", "foreign_currency", "foreign_amount", "foreign_rate",
            ]
            var lines: [String] = []
            #expect(Set(rows.with("foreign_currency").compactMap { $0["foreign_currency"] }) == ["USD", "KWD"])
            for row in rows where row["account_name"]?.hasPrefix("fx:") == true {
                lines.append(members.map { row[$0] ?? "?" }.joined(separator: " "))
            }
            // 4121 and 1374 won for $2.97 and $0.99; KWD has three decimals.
            #expect(
                lines == [
                    "purchase fx:clearing:USD:KRW 5495 0 USD 3.96 1387.6263",
                    "purchase fx:clearing:KWD:KRW 6750 0 KWD 1.500 4500.0000",
                ], "\(rows)")
            #expect(
                rows.allSatisfy {
                    $0["foreign_currency"]?.isEmpty == $0["foreign_amount"]?.isEmpty
                        && $0["foreign_currency"]?.isEmpty == $0["foreign_rate"]?.isEmpty
                })
            let sides = ["debit", "credit"].map { side in rows.reduce(0) { $0 + (Int($1[side] ?? "") ?? 0) } }
            #expect(sides[0] == sides[1])
        }
    }
}
