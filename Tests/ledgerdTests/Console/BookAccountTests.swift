import CivilTime
import Foundation
import Testing

@testable import Console
@testable import Ledger

/// The names of accounts, and the days of the books.
@Suite(.timeLimit(.minutes(20))) struct BookAccountTests {
    @Test func `each account has its own name in both languages, and a place`() {
        for account in SystemAccount.allCases {
            let named = BookAccount.named(account.rawValue)
            #expect(named?.currency == account.currency && named?.normalSide == account.normalSide)
            #expect((named?.group == .coins) == (account.currency == .coin), "\(account)")
        }
        for names in [BookAccount.all.map(\.name), BookAccount.all.map(\.english), BookAccount.all.map(\.korean)] {
            #expect(Set(names).count == names.count && names.allSatisfy { !$0.isEmpty })
        }
        for group in BookAccount.Group.allCases {
            #expect(Texts.table(.korean)["accountGroup_\(group.rawValue)"] != nil)
        }
        for report in Report.all {
            #expect(Texts.table(.korean)["report_\(report.rawValue)"] != nil, "\(report.rawValue)")
            #expect(Texts.table(.english)["reportAbout_\(report.rawValue)"] != nil, "\(report.rawValue)")
        }
        for question in ClosingChecklist.Question.allCases {
            #expect(Texts.table(.korean)["checkDo_\(question.rawValue)"] != nil, "\(question)")
        }
    }

    @Test(arguments: [
        ("bank/7", "bank", "bank"), ("coins:issued/12", "coins:issued", "coins:issued"),
        ("wallet:a/3:paid", "wallet:a/3:paid", "wallet:paid"), ("held:a:b:bonus", "held:a:b:bonus", "held:bonus"),
        ("debt:a/3", "debt:a/3", "debt"), ("earnings:zoe/1", "earnings:zoe", "earnings"),
        ("payable:zoe/0/1", "payable:zoe/0", "payable"), ("bank/", "bank/", nil), ("x/", "x/", nil), ("", "", nil),
    ])
    func `a code without its stripe is the account of reports`(code: String, name: String, account: String?) {
        #expect(BookAccount.withoutStripe(code) == name)
        #expect(BookAccount.holding(code)?.name == account)
    }

    @Test func `the days of the books are flows by day, and a level that goes on`() {
        func moved(_ day: Int64, _ name: String, _ debits: Int64, _ credits: Int64) -> AccountDays.DayTotals {
            AccountDays.DayTotals(
                day: CivilDate(daysSince1970: day), account: AccountClass(name: name, currency: "KRW"),
                moved: ChainTotal(debits: debits, credits: credits))
        }
        let sums = AccountDays.Sums(
            totals: [
                AccountDays.Totals(
                    account: AccountClass(name: "coins:deferred-revenue", currency: "KRW"),
                    opening: ChainTotal(debits: 50, credits: 550), moved: .zero)
            ],
            days: [
                moved(100, "coins:deferred-revenue", 0, 1000), moved(102, "coins:deferred-revenue", 300, 0),
                moved(102, "revenue:coins", 0, 200), moved(102, "revenue:commission", 0, 100),
                moved(102, "coins:redeemed", 0, 20), moved(102, "earnings", 0, 10), moved(99, "revenue:coins", 0, 7),
            ], isBehind: true)
        let books = DailyBooks(
            sums, first: CivilDate(daysSince1970: 100), end: CivilDate(daysSince1970: 104))
        #expect(books.days.count == 4 && books.liability == [1500, 1500, 1200, 1200])
        #expect(books.revenue == [0, 0, 300, 0] && books.coinsSpent == [0, 0, 30, 0])
        #expect(books.isBehind)
        #expect(books.split(last: 2).before == 0..<2 && books.split(last: 2).period == 2..<4)
    }

    @Test func `months, quarters and years are periods`() {
        for (name, first, end) in [
            ("2026-12", "2026-12-01", "2027-01-01"), ("2026-Q4", "2026-10-01", "2027-01-01"),
            ("2028-02", "2028-02-01", "2028-03-01"), ("2026-Q1", "2026-01-01", "2026-04-01"),
            ("2026", "2026-01-01", "2027-01-01"),
        ] {
            let period = ReportPeriod(named: name)
            #expect(period?.first.description == first && period?.end.description == end, "\(name)")
        }
        for name in ["2026-13", "2026-Q0", "2026-Q5", "2026-Q01", "20266", "202", "year", "-Q1-", "", "2026-Q", "-Q1"] {
            #expect(ReportPeriod(named: name) == nil, "\(name)")
        }
        let january = ReportPeriod.choices(at: Date(timeIntervalSince1970: 1_768_435_200), in: .gmt)
        #expect(january.prefix(2) == ["2025-12", "2025-11"] && january.count == 18)
        #expect(january.suffix(6) == ["2025-Q4", "2025-Q3", "2025-Q2", "2025-Q1", "2025", "2024"])
        #expect(january.allSatisfy { ReportPeriod(named: $0) != nil })
    }
}
