import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// The reports for finance of a month in which much happened, compared with its journal, line by line.
@Suite(.timeLimit(.minutes(20))) struct FinanceReportTests {
    typealias Row = [String: String]
    static let month: [ExportOption: String] = [
        .from: BusyMonth.period.from, .to: BusyMonth.period.to, .timeZone: BusyMonth.period.zone,
    ]
    static let middle = "2026-11-16"

    @Test func `prepaid, totals, vouchers, users and accruals are what the journal says`() async throws {
        try await TestLedger.with(at: BusyMonth.dawn) { ledger, test, clock in
            var month = BusyMonth(seed: 20_261_102, customers: 40)
            try await month.pass(acts: Effort.count(1200, upTo: 4000), in: ledger, clock)
            let journal = try await ledger.export(.journal, Self.month).records
            try await Self.expectPrepaid(ledger, journal)
            try await Self.expectTotals(ledger, journal)
            try await Self.expectVouchers(ledger, journal)
            try await Self.expectUsers(ledger)
            try await Self.expectAccruals(ledger, test)
            try await Self.expectSettlements(ledger, journal)
            try await Self.expectDays(ledger, journal)
        }
    }

    /// The balance of each kind of account, debits positive.
    static func classes(_ ledger: Ledger, until end: String) async throws -> [String: Int] {
        let records = try await ledger.export(.trialBalance, [.to: end, .timeZone: BusyMonth.period.zone]).records
        return Dictionary(
            uniqueKeysWithValues: records.map { ($0["account"] ?? "", number($0["debit"]) - number($0["credit"])) })
    }

    // MARK: - Vouchers

    private static func expectVouchers(_ ledger: Ledger, _ journal: [Row]) async throws {
        let won = journal.filter { $0["currency"] == "KRW" }
        let names = Set(won.compactMap { $0["account"] }).sorted()
        let lines = names.enumerated().map { "\($1),0\($0 + 101),계정 \"\"\($1)\"\"" }.map { line in
            let fields = line.split(separator: ",", maxSplits: 2)
            return "\(fields[0]),\(fields[1]),\"\(fields[2])\""
        }
        let file = "account,code,name\r\n" + lines.joined(separator: "\r\n")
        let accounts = try VoucherAccounts(Array(file.utf8))
        let rows = try await export(vouchersWith: accounts, ledger).get().records
        let codes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, "0\($0 + 101)") })
        var expected: [String: Int] = [:]
        for row in won {
            let side = row["debit"]?.isEmpty == false ? 3 : 4
            let key = [
                String(row["effective_at"]?.prefix(10) ?? ""), row["kind"] ?? "", codes[row["account"] ?? ""] ?? "",
                String(side),
            ]
            expected[key.joined(separator: " "), default: 0] += number(row["debit"]) + number(row["credit"])
        }
        var reported: [String: Int] = [:]
        var vouchers: [String: Int] = [:]
        for row in rows {
            let day = ["year", "month", "day"].map { row[$0] ?? "" }.joined(separator: "-")
            let key = [day, row["text"] ?? "", row["account_code"] ?? "", row["side"] ?? ""].joined(separator: " ")
            reported[key, default: 0] += number(row["debit"]) + number(row["credit"])
            #expect(row["account_name"]?.hasPrefix("계정 \"") == true)
            vouchers["\(day) \(row["voucher"] ?? "")", default: 0] += number(row["debit"]) - number(row["credit"])
        }
        #expect(reported == expected && rows.count == reported.count, "one line for each account and side")
        #expect(vouchers.count > 60 && vouchers.values.allSatisfy { $0 == 0 }, "each voucher balances")

        let some = try VoucherAccounts(Array("account,code,name\nbank,103,보통예금\n".utf8))
        let missing = names.filter { $0 != "bank" }
        #expect(try await export(vouchersWith: some, ledger).refusal == .unmappedAccounts(missing))
        #expect(try await export(vouchersWith: nil, ledger).refusal == .noAccounts)
    }

    private static func export(
        vouchersWith accounts: VoucherAccounts?, _ ledger: Ledger
    ) async throws -> Result<Exported, ExportRefusal> {
        switch try await ledger.exports.begin(try ExportRequest(.vouchers, month, in: .gmt, accounts: accounts)) {
        case .success(let export): .success(try await export.read())
        case .failure(let refusal): .failure(refusal)
        }
    }

    @Test(arguments: [
        ("", "first line"), ("account,name\nbank,b", "first line"), ("account,code,name\nbank,,b", "line 2"),
        ("account,code,name\nbank,1,b\nbank,2,c", "line 3 maps bank"), ("account,code,name\n\"bank,1,b", "line 2"),
    ])
    func `a file of accounts that can't be used is refused with its line`(file: String, says: String) {
        let error = #expect(throws: VoucherAccounts.Invalid.self) { try VoucherAccounts(Array(file.utf8)) }
        #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    }

    // MARK: - Users

    private static func expectUsers(_ ledger: Ledger) async throws {
        for end in [middle, BusyMonth.period.to] {
            let options: [ExportOption: String] = [.to: end, .timeZone: BusyMonth.period.zone]
            let accounts = try await ledger.export(.trialBalance, options.merging([.detail: "accounts"]) { $1 }).records
            var coins: [String: Int] = [:]
            for row in accounts {
                let parts = (row["account"] ?? "").split(separator: ":")
                guard ["wallet", "held"].contains(parts.first) else { continue }
                coins["\(parts[1]) \(parts[2])", default: 0] += number(row["credit"])
            }
            let rows = try await ledger.export(.userBalances, options).records
            #expect(rows.count > 20 && Set(rows.compactMap { $0["user"] }).count == rows.count)
            for row in rows {
                for kind in ["paid", "bonus"] {
                    #expect(number(row[kind]) == coins["\(row["user"] ?? "") \(kind)"] ?? 0)
                }
            }
            #expect(rows.reduce(0) { $0 + number($1["paid"]) + number($1["bonus"]) } == coins.values.reduce(0, +))
            let won = try await classes(ledger, until: end)["coins:deferred-revenue"] ?? 0
            #expect(rows.reduce(0) { $0 + number($1["deferred"]) } == -won)
        }
    }

    // MARK: - Accruals

    private static func expectAccruals(_ ledger: Ledger, _ test: TestLedger) async throws {
        for end in [middle, BusyMonth.period.to] {
            let options: [ExportOption: String] = [.to: end, .timeZone: BusyMonth.period.zone]
            let rows = try await ledger.export(.feeAccrual, options).records
            func sum(_ column: String) -> Int { rows.reduce(0) { $0 + number($1[column]) } }
            let receivable = try await classes(ledger, until: end)["gateway:receivable"]
            #expect(rows.count == 2 && sum("outstanding") == receivable)
            func kept(_ column: String) async throws -> Int {
                Int(
                    try await test.number(
                        """
                        SELECT sum(\(column))::bigint FROM settlement_row
                        JOIN journal_entry AS entry ON entry.id = journal_entry_id
                        WHERE effective_at < '\(end)T00:00:00+09'
                        """))
            }
            #expect(try await kept("gross") == sum("settled"))
            #expect(try await kept("fee + tax") == sum("fees"))
            for row in rows {
                let (owed, gross, fees) = (number(row["outstanding"]), number(row["settled"]), number(row["fees"]))
                #expect(fees > 0 && number(row["accrual"]) == Int((Double(owed * fees) / Double(gross)).rounded()))
                #expect(row["debit_account"] == "gateway:fees" && row["credit_account"] == "accrued-expenses")
            }
        }
        let now = try await ledger.export(.feeAccrual).records
        let receivable = try await classes(ledger, until: "2027-01-01")["gateway:receivable"]
        #expect(now.reduce(0) { $0 + number($1["outstanding"]) } == receivable)
    }

    @Test func `a gateway without payouts has no estimate`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(1))
            let row = try #require(try await ledger.export(.feeAccrual).records.first)
            #expect(row["outstanding"] == "1000" && row["percent"] == "" && row["accrual"] == "")
        }
    }

    // MARK: - Settlements

    private static func expectSettlements(_ ledger: Ledger, _ journal: [Row]) async throws {
        let rows = try await ledger.export(.settlements, month).records
        let booked = journal.filter { $0["kind"] == "settlement" }
        func posted(_ account: String) -> Int {
            booked.filter { $0["account"] == account }.reduce(0) { $0 + number($1["debit"]) - number($1["credit"]) }
        }
        func sum(_ column: String) -> Int { rows.reduce(0) { $0 + number($1[column]) } }
        #expect(!rows.isEmpty && Set(rows.map { $0["entry"] }) == Set(booked.map { $0["entry"] }))
        #expect(sum("net") == posted("bank") && sum("gross") == -posted("gateway:receivable"))
        #expect(sum("fee") + sum("tax") - sum("input_vat") == posted("gateway:fees"))
        let half = try await ledger.export(.settlements, month.merging([.from: middle]) { $1 }).records
        #expect(half == rows.filter { ($0["settled_at"] ?? "") >= middle })
    }

    @Test func `texts of settlements and payouts that begin as formulas stay texts in a CSV`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.setTerms("+zoe", 8000)
            _ = try await ledger.credit(.sample(1, by: "ann", paymentID: "=1+1", bonus: 0))
            _ = try await ledger.capture("c-1", of: "ann", 10, for: "+zoe")
            let payout = try await ledger.approved()
            let payment = try #require(
                try await ledger.payouts.payment(
                    of: payout.id, key: .named("k"), paidAt: Date(), bankReference: "@ref"))
            _ = try await ledger.submit(payment)
            let file = try SettlementFileDraft.sample([("=1+1", 1000, 30, 3, "2026-11-20")], named: "=HYPERLINK(1)")
            #expect(try await ledger.settlements.book(file, by: "finance").settledNow == 1)
            for (report, texts) in [
                (Report.settlements, ["file": "=HYPERLINK(1)", "payment": "=1+1"]),
                (.payouts, ["provider": "+zoe", "bank_reference": "@ref"]),
            ] {
                let records = try await ledger.export(report).records
                let objects = try await ledger.export(report, [.format: "jsonl"]).objects
                #expect(records.count == 1 && objects.count == 1)
                for (column, text) in texts {
                    #expect(records.first?[column] == "'" + text && objects.first?[column] as? String == text)
                }
            }
        }
    }

    // MARK: - Excel

    @Test func `a CSV for Excel has a mark, plain times, and texts that stay texts`() async throws {
        try await TestLedger.with { ledger, _ in
            for (number, user) in ["00123", "may1", "TRUE", "유저", "=1+1", "1\"2", "ann"].enumerated() {
                _ = try await ledger.credit(.sample(number, by: user))
            }
            let export = try await ledger.export(.purchases, [.program: "excel", .timeZone: "Asia/Seoul"])
            #expect(export.bytes.starts(with: [0xEF, 0xBB, 0xBF]) && export.sha256OfBody == export.trailer.sha256)
            let rows = export.records
            #expect(
                rows.map { $0["user"] }
                    == [#"="00123""#, #"="may1""#, #"="TRUE""#, "유저", "'=1+1", #"="1""2""#, "ann"])
            #expect(rows.first?["paid_at"] == "2026-01-01 09:00:00" && rows.first?["amount"] == "1000")
            #expect(!export.text.replacing("\r\n", with: "").contains("\n"))
            let unmarked = try await ledger.export(.purchases, [.program: "excel", .byteOrderMark: "false"])
            #expect(!unmarked.bytes.starts(with: [0xEF]))
            #expect(throws: ExportOptionError.self) {
                try ExportRequest(.purchases, [.program: "excel", .format: "jsonl"], in: .gmt)
            }
        }
    }

    static func number(_ text: String?) -> Int { text.flatMap(Int.init) ?? 0 }
}

extension Result where Failure == ExportRefusal {
    fileprivate var refusal: ExportRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
}
