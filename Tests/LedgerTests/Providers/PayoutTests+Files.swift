import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

extension PayoutTests {
    @Test func `taxes are withheld, each rounded down to 10 won`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 10_000, withholding: .businessIncome)
            try await ledger.setTerms("yan", 10_000)
            try await ledger.setTerms("xia", 10_000, withholding: .businessIncome)
            for (number, provider) in ["zoe", "yan", "xia"].enumerated() {
                _ = try await ledger.credit(
                    .sample(number, by: provider, bonus: 0, won: provider == "xia" ? 333 : 1_234_567))
                _ = try await ledger.capture("c-\(provider)", of: provider, 100, for: provider)
            }
            let payout = try await ledger.approved()
            let items = try await ledger.payouts.items(of: payout.id, limit: 10).elements
            // 3 % of 1,234,567 is 37,037.01; 10 % of 37,030 is 3,703. 3 % of 333 is 9.99.
            #expect(items.map(\.incomeTax) == [0, 0, 37_030] && items.map(\.localTax) == [0, 0, 3_700])
            #expect(items.map(\.net) == [333, 1_234_567, 1_193_837])
            let paid = try #require(try await ledger.pay(payout).payoutPaid)
            #expect(paid.withheld == 40_730 && paid.amount == 333 + 1_234_567 + 1_193_837)
            #expect(try await test.balance(of: .withholding) == 40_730)
            #expect(try await test.balance(of: .bank) == -paid.amount)
            let file = String(decoding: try await ledger.payouts.file(of: payout.id).get(), as: UTF8.self)
            #expect(file.hasSuffix("\(payout.id),zoe,1234567,37030,3700,1193837\r\n"))
            let report = try await ledger.export(.payouts).records
            #expect(report.map { $0["provider"] } == ["xia", "yan", "zoe"])
            let columns = ["amount", "income_tax", "local_tax", "net"]
            #expect(columns.map { report.last?[$0] } == ["1234567", "37030", "3700", "1193837"])
            #expect(report.allSatisfy { $0["payout"] == "\(payout.id)" && $0["bank_reference"]?.isEmpty == false })
            let year = try await ledger.export(.withholding)
            #expect(year.records.map { $0["provider"] } == ["xia", "yan", "zoe"])
            #expect(columns.map { year.records.last?[$0] } == ["1234567", "37030", "3700", "1193837"])
            #expect(year.records.last?["payments"] == "1")
            #expect(year.records.allSatisfy { $0["year"]?.count == 4 })
            #expect(try await ledger.export(.withholding, [.to: "2000-01-01"]).records.isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was withheld is of the time at which the bank paid, also if it was booked after a closing`()
        async throws
    {
        try await Self.withEarnings { ledger, test in
            let payout = try await ledger.approved()
            let closed = Date() - 3600
            _ = try await ledger.periods.close(until: closed, by: "kim")
            _ = try await ledger.pay(payout, paidAt: Date() - 7200)
            let late = "SELECT count(*) FROM journal_entry WHERE kind = 'payout' AND late_for IS NULL"
            #expect(try await test.number(late) == 0)
            let border = closed.formatted(.iso8601)
            #expect(try await ledger.export(.withholding, [.to: border]).records.count == 2)
            #expect(try await ledger.export(.withholding, [.from: border]).records.isEmpty)
            // By its entries, it is of the open period.
            #expect(try await ledger.export(.payouts, [.from: border]).records.count == 2)
        }
    }

    @Test func `a payout's file carries the accounts that it is given, for each provider, and keeps none`() async throws
    {
        try await Self.withEarnings { ledger, test in
            let payout = try await ledger.approved()
            let list =
                "holder,account,bank,provider,memo\n홍길동,00123456789,신한,zoe,a\n=cmd,110-1,국민,yan,b\nx,1,y,other,\n"
            let accounts = try PayoutAccounts(Array(list.utf8))
            #expect("\(accounts)" == "****" && String(reflecting: accounts) == "****")
            var file = String(decoding: try await ledger.payouts.file(of: payout.id, accounts).get(), as: UTF8.self)
            #expect(
                file == """
                    payout_id,provider,amount,income_tax,local_tax,net,bank,account,holder\r
                    \(payout.id),yan,400,0,0,400,국민,110-1,'=cmd\r
                    \(payout.id),zoe,640,0,0,640,신한,00123456789,홍길동\r

                    """)
            let excel = try CSVStyle([.program: "excel"])
            file = String(decoding: try await ledger.payouts.file(of: payout.id, accounts, excel).get(), as: UTF8.self)
            #expect(file.hasPrefix("\u{FEFF}payout_id") && file.contains(#",신한,"=""00123456789""",홍길동"#), "\(file)")
            let only = try PayoutAccounts(Array("provider,bank,account,holder\nzoe,a,b,c\n".utf8))
            guard case .failure(let missing) = try await ledger.payouts.file(of: payout.id, only) else {
                Issue.record("a provider without an account is in the file")
                return
            }
            #expect(missing.providers == [.named("yan")])
            #expect(try await test.number("SELECT count(*) FROM provider_account") == 0)
        }
    }

    @Test(arguments: [
        ("", "first line"), ("provider,bank,account\n", "first line"),
        ("provider,bank,account,holder,bank\n", "first line"),
        ("provider,bank,account,holder\n,a,b,secret\n", "line 2: provider"),
        ("provider,bank,account,holder\nzoe,a,,secret\n", "line 2: account"),
        ("provider,bank,account,holder\nzoe,a,b\n", "line 2: holder"),
        ("provider,bank,account,holder\nzoe,a,1,secret\nzoe,a,2,secret\n", "line 3: the provider"),
        ("provider,bank,account,holder\nzoe,a,b,\"secret\n", "line 2"),
        ("PK\u{3}\u{4}xl/", "Excel workbook (xlsx)"),
    ])
    func `a list of accounts that can't be used is refused by its place, without what it says`(
        list: String, says: String
    ) {
        let invalid = #expect(throws: PayoutAccounts.Invalid.self) { try PayoutAccounts(Array(list.utf8)) }
        #expect(invalid?.description.contains(says) ?? false, "\(String(describing: invalid))")
        #expect(invalid?.description.contains("secret") == false)
    }

    @Test(arguments: BankLayout.allCases)
    func `a bank's layout has its columns, accounts without dashes, and only who gets won`(
        layout: BankLayout
    ) async throws {
        try await Self.withEarnings { ledger, _ in
            let payout = try await ledger.approved()
            let list = "provider,bank,account,holder\nzoe,신한,110-123 456,홍길동\nyan,국민,00123,=cmd\n"
            let accounts = try PayoutAccounts(Array(list.utf8))
            let bytes = try await ledger.payouts.file(of: payout.id, in: layout, accounts).get()
            let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]) && rows.count == 3)
            #expect(rows[0].contains(layout.columns.map(\.name).joined(separator: ",")))
            let fields = rows.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            let account = try #require(layout.columns.firstIndex { $0.name.contains("계좌") })
            #expect(fields.map { $0[account] } == ["00123", "110123456"])
            #expect(fields.allSatisfy { $0.count == layout.columns.count } && rows[1].contains("'=cmd"))
            let only = try PayoutAccounts(Array("provider,bank,account,holder\nzoe,a,b,c\n".utf8))
            guard case .failure(let missing) = try await ledger.payouts.file(of: payout.id, in: layout, only) else {
                Issue.record("a provider without an account is in the file")
                return
            }
            #expect(missing.providers == [.named("yan")])
        }
    }
}
