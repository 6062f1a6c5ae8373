import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What a person tells of Apple's payout, beside what a report in a foreign currency tells.
@Suite(.timeLimit(.minutes(20))) struct ForeignPayoutTests {
    /// Rows in dollars: product, kind, pieces, share.
    private static func file(
        _ rows: [(product: String, kind: String, pieces: String, share: String)]
    ) -> FinanceReportFile {
        var file = FinanceReportFile()
        for row in rows { file.add(row.product, row.kind, row.pieces, row.share, currency: "USD", customers: "USD") }
        return file
    }

    @Test func `a report in a foreign currency needs the payout of that currency`() throws {
        var file = Self.file([("c100", "S", "1", "0.69")])
        #expect(throws: SettlementFileProblem(.payoutMissing("USD"))) { try file.report() }
        file.add("c100", "S", "1", "70", currency: "JPY", customers: "JPY")
        #expect(throws: SettlementFileProblem(.payoutMissing("JPY, USD"))) { try file.report() }
        let euros = try ForeignReportTests.payout("1600", "1104", of: "EUR")
        #expect(throws: SettlementFileProblem(.nothingInCurrency("EUR"))) { try file.report(payout: euros) }
        let yen = try ForeignReportTests.payout("9.5", "665", of: "JPY")
        #expect(try file.report(payout: yen).sold["c100"]?.millionths == 665_000_000)
    }

    /// Of $100: the rate and the proceeds, and whether these can be true.
    private static let proceeds: [(rate: String, proceeds: String, isTrue: Bool)] = [
        ("1387.4", "138740", true), ("1387.4", "138,755", true), ("1387.4", "138756", false),
        ("1387.4", "138725", true), ("1387.4", "138724", false),
        // More digits leave less open.
        ("1387.40000", "138750", true), ("1387.40000", "138751", false), ("1387.40000", "138729", false),
        // The rate of another payment, one upside down, and what a bank took off.
        ("1391.15", "138740", false), ("0.00072078", "138740", false), ("1387.4", "128740", false),
        ("1387.4", "0", false), ("1387.4", "-138740", false),
    ]

    @Test(arguments: proceeds.indices)
    func `proceeds that the shares are not worth at the rate refuse the report`(place: Int) throws {
        let (rate, proceeds, isTrue) = Self.proceeds[place]
        let payout = try ForeignReportTests.payout(rate, proceeds)
        let file = Self.file([("c100", "S", "60", "60.00"), ("c500", "S", "10", "40.00")])
        guard isTrue else {
            #expect {
                try file.report(payout: payout)
            } throws: { error in
                guard
                    case .proceedsDiffer(let share, "USD", let used, _, payout.proceeds)? =
                        (error as? SettlementFileProblem)?.fault
                else { return false }
                return share == "100.00" && used == rate
            }
            return
        }
        // What the rate's digits leave open is spread: in all it is what the bank got.
        let sold = try file.report(payout: payout).sold
        let (small, large) = (sold["c100"]?.millionths ?? 0, sold["c500"]?.millionths ?? 0)
        #expect(small + large == Int128(payout.proceeds) * 1_000_000 && small * 2 == large * 3)
    }

    @Test func `what was given back is taken off the proceeds, also if nothing is left of them`() throws {
        let file = Self.file([("c100", "S", "150", "150.00"), ("c100", "R", "-50", "-50.00")])
        let report = try file.report(payout: try ForeignReportTests.payout("1387.4", "138746"))
        #expect(report.sold["c100"]?.millionths == 208_114_500_000)
        #expect(report.returned["c100"]?.millionths == 69_368_500_000)
        let even = Self.file([("c100", "S", "50", "50.00"), ("c100", "R", "-50", "-50.00")])
        let none = try even.report(payout: try ForeignReportTests.payout("1387.4", "0"))
        #expect(none.sold["c100"]?.millionths == 69_370_000_000)
        #expect(none.returned["c100"]?.millionths == 69_370_000_000)
    }

    @Test func `amounts that are not of this world are refused, and stop nothing`() throws {
        let most = String(repeating: "9", count: 12)
        let file = Self.file([("c100", "S", "1", "\(most).99"), ("c100", "R", "-1", "-\(most).99")])
        for rate in [most, "0.00000001"] {
            let payout = try ForeignReportTests.payout(rate, "0")
            _ = try file.report(payout: payout)
            #expect(throws: SettlementFileProblem.self) {
                try Self.file((0..<20).map { _ in ("c100", "S", "1", "\(most).99") }).report(payout: payout)
            }
            #expect(payout.worth(ofPaid: ForeignPayment.highest) == (rate == most ? nil : 100_000))
        }
    }

    @Test func `won of what was paid are rounded half-even, by the currency's decimals`() throws {
        for (code, rate, paid, won) in [
            ("USD", "1400", 99, 1386), ("JPY", "9.5012", 120, 1140), ("KWD", "4512.3", 300, 1354),
            ("USD", "1450", 1, 14), ("USD", "1450", 3, 44),
        ] as [(String, String, Int64, Int64)] {
            #expect(try ForeignReportTests.payout(rate, "1", of: code).worth(ofPaid: paid) == won, "\(code)")
        }
    }

    private static let incomplete: [(parts: [ForeignPayout.Part: String], fault: ForeignPayout.Part)] = [
        ([.rate: "1400", .proceeds: "966"], .currency), ([.currency: "KRW", .rate: "1", .proceeds: "1"], .currency),
        ([.currency: "usd", .rate: "1400", .proceeds: "966"], .currency),
        ([.currency: "ZZZ", .rate: "1400", .proceeds: "966"], .currency),
        ([.currency: "USD", .proceeds: "966"], .rate), ([.currency: "USD", .rate: "1,400", .proceeds: "966"], .rate),
        ([.currency: "USD", .rate: "0", .proceeds: "966"], .rate), ([.currency: "USD", .rate: "1400"], .proceeds),
        ([.currency: "USD", .rate: "1400", .proceeds: "0.69"], .proceeds),
    ]

    @Test(arguments: incomplete.indices)
    func `a part that is missing or can't be read is named`(place: Int) {
        #expect(throws: ForeignPayout.Fault(part: Self.incomplete[place].fault)) {
            try ForeignPayout(Self.incomplete[place].parts)
        }
    }

    @Test func `without any part, the report is in won`() throws { #expect(try ForeignPayout([:]) == nil) }
}
