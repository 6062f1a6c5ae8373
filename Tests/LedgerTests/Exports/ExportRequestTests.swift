import Foundation
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ExportRequestTests {
    @Test(arguments: [
        (Report.journal, ["format": "xml"], "format"), (.journal, ["format": ""], "format"),
        (.lots, ["format": "hledger"], "format"), (.trialBalance, ["format": "beancount"], "format"),
        (.journal, ["from": "yesterday"], "from"), (.journal, ["from": "2026-02-30"], "from"),
        (.journal, ["from": "2026-1-1"], "from"), (.journal, ["to": "2026-01-01T00:00:00"], "to"),
        (.journal, ["to": "1969-12-31"], "to"), (.journal, ["from": "20260101T1"], "from"),
        (.journal, ["from": "2026-01-01", "to": "2026-01-01"], "to"),
        (.journal, ["from": "2026-01-02", "to": "2026-01-01T23:00:00Z"], "to"),
        (.trialBalance, ["from": "2026-01-01"], "from"),
        (.liability, ["from": "2026-01-01", "to": "2026-02-01"], "from"),
        (.liability, ["as_of": "9999-12-31T23:59:59-23:59"], "as_of"),
        (.journal, ["to": "9999-12-31T23:59:59-00:01"], "to"),
        (.liability, ["as_of": "now"], "as_of"), (.journal, ["tz": "Asia/Seul"], "tz"), (.journal, ["tz": ""], "tz"),
        (.journal, ["tz": "UTC\u{0}x"], "tz"), (.journal, ["tz": "UTC\n"], "tz"), (.breakage, ["tz": "IST"], "tz"),
        (.withholding, ["tz": "GMT+1"], "tz"),
        (.journal, ["bom": "1"], "bom"), (.journal, ["bom": "true", "format": "jsonl"], "bom"),
        (.journal, ["run": "1"], "run"), (.liability, ["run": "1"], "run"), (.reconciliation, ["run": "one"], "run"),
        (.reconciliation, ["run": "-1"], "run"), (.reconciliation, ["run": "99999999999999999999"], "run"),
        (.reconciliation, ["run": ""], "run"), (.reconciliation, ["as_of": "2026-01-01"], "as_of"),
        (.reconciliation, ["format": "hledger"], "format"), (.reconciliation, ["from": "2026-01-01"], "from"),
        (.prepaid, ["to": "2026-02-01"], "from"), (.vouchers, ["from": "2026-02-01"], "to"),
        (.prepaid, ["from": "2006-02-01", "to": "2026-02-01"], "to"), (.userBalances, ["from": "2026-01-01"], "from"),
        (.journal, ["for": "word"], "for"), (.journal, ["for": "excel", "format": "hledger"], "for"),
        (.vat, ["quarter": "2026-Q4", "from": "2026-10-01"], "quarter"),
        (.vat, ["quarter": "2026-Q4", "to": "2027-01-01"], "quarter"), (.vat, ["quarter": "2026-Q5"], "quarter"),
        (.vat, ["quarter": "2026-Q0"], "quarter"), (.vat, ["quarter": "2026Q4"], "quarter"),
        (.vat, ["quarter": "26-Q4"], "quarter"), (.vat, ["quarter": "2026-q4"], "quarter"),
        (.vat, ["quarter": "2026-Q4-Q1"], "quarter"), (.vat, ["quarter": "1970-Q1"], "quarter"),
        (.vat, ["quarter": "9999-Q4"], "quarter"), (.vat, ["quarter": ""], "quarter"),
        (.trialBalance, ["quarter": "2026-Q4"], "quarter"), (.reconciliation, ["quarter": "2026-Q4"], "quarter"),
        (.journal, ["language": "de"], "language"), (.journal, ["language": "ko", "format": "jsonl"], "language"),
        (.journal, ["language": "ko", "format": "hledger"], "language"),
        (.journal, ["detail": "accounts"], "detail"), (.trialBalance, ["detail": "all"], "detail"),
    ])
    func `an option that can't be is refused by name`(report: Report, options: [String: String], wrong: String) {
        let error = #expect(throws: ExportOptionError.self) {
            try ExportRequest(report, Self.options(options), in: .gmt)
        }
        #expect(error?.option.rawValue == wrong)
        #expect(error?.rule.isEmpty == false)
    }

    @Test(arguments: Report.all)
    func `each column has one Korean heading of its own, and its name in English`(report: Report) throws {
        let days: [ExportOption: String] = report.isByDay ? [.from: "2026-01-01", .to: "2026-02-01"] : [:]
        let columns = report.rows(try ExportRequest(report, days, in: .gmt)).columns.filter(\.isShown).map(\.name)
        #expect(columns.allSatisfy { Report.koreanHeading(of: $0, in: report) != nil }, "\(columns)")
        let korean = columns.map { report.heading(of: $0, in: .korean) }
        #expect(Set(korean).count == columns.count, "\(korean)")
        // A heading is a field of a CSV as it is.
        #expect(korean.joined().allSatisfy { !"\",\r\n".contains($0) }, "\(korean)")
        #expect(columns.map { report.heading(of: $0, in: .english) } == columns)
    }

    @Test(arguments: [
        (Report.journal, [:], "journal.csv"),
        (.journal, ["from": "2026-01-01", "to": "2026-02-01"], "journal_2026-01-01_2026-02-01.csv"),
        (.journal, ["from": "2026-01-01", "tz": "Asia/Seoul", "format": "jsonl"], "journal_from_2026-01-01.jsonl"),
        (
            .journal, ["to": "2026-01-01T09:30:00+09:00", "tz": "Asia/Seoul", "format": "hledger"],
            "journal_until_2026-01-01T093000.journal"
        ),
        (.liability, ["as_of": "2026-01-31T15:00:00.000Z", "tz": "Asia/Seoul"], "liability_as-of_2026-02-01.csv"),
        (.trialBalance, ["to": "2026-02-01"], "trial-balance_until_2026-02-01.csv"),
        (.liability, ["as_of": "9999-12-31T23:59:59Z"], "liability_as-of_9999-12-31T235959.csv"),
        (.journal, ["format": "beancount"], "journal.beancount"), (.lots, ["format": "xlsx"], "lots.xlsx"),
        (.reconciliation, ["run": "17"], "reconciliation_run_17.csv"),
    ])
    func `the file is named after what it holds`(report: Report, options: [String: String], name: String) throws {
        #expect(try ExportRequest(report, Self.options(options), in: .gmt).fileName == name)
    }

    @Test(arguments: [
        ("2026-Q1", "2026-01-01", "2026-04-01"), ("2026-Q2", "2026-04-01", "2026-07-01"),
        ("2026-Q3", "2026-07-01", "2026-10-01"), ("2026-Q4", "2026-10-01", "2027-01-01"),
        ("1971-Q1", "1971-01-01", "1971-04-01"), ("9998-Q4", "9998-10-01", "9999-01-01"),
    ])
    func `a quarter is the period of its days in the books' time zone`(quarter: String, from: String, to: String) throws
    {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        for report in [Report.vat, .journal, .trialBalanceTotals] {
            let byDays = try ExportRequest(report, [.from: from, .to: to], in: seoul)
            let byQuarter = try ExportRequest(report, [.quarter: quarter], in: seoul)
            #expect(byQuarter.period == byDays.period && byQuarter.fileName == byDays.fileName)
            // Times can be written in another zone.
            #expect(
                try ExportRequest(report, [.quarter: quarter, .timeZone: "UTC"], in: seoul).period == byDays.period)
        }
        #expect(try ExportRequest(.prepaid, [.quarter: "2026-Q4"], in: seoul).days.count == 92)
    }

    @Test func `the year of what was withheld is headed as that of the payment, not as that of the income`() {
        #expect(Report.withholding.heading(of: "year", in: .korean) == "지급 연도")
    }

    @Test func `times are read to the microsecond`() throws {
        let moment = try #require(Moment(text: "2026-01-31T15:00:00.123456Z", in: ExportZone(.gmt)))
        #expect(moment.microseconds == 1_769_871_600_123_456)
        #expect(moment.sqlLiteral == "TIMESTAMPTZ '2026-01-31T15:00:00.123456Z'")
        #expect(Moment(text: "2026-02-01T00:00:00+09:00", in: ExportZone(.gmt))?.microseconds == 1_769_871_600_000_000)
        // A written time stands for all of its millisecond.
        let request = try ExportRequest(.liability, [.asOf: "2026-01-31T15:00:00.123Z"], in: .gmt)
        #expect(request.asOf?.microseconds == 1_769_871_600_123_999)
        #expect(
            try ExportRequest(.liability, [.asOf: "2026-01-31"], in: .gmt).asOf?.microseconds == 1_769_817_600_000_000)
    }

    @Test(arguments: ["UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/Dublin"])
    func `offsets are the zone's own, at any time of a century`(identifier: String) throws {
        let zone = try #require(ExportZone(name: identifier))
        let truth = try #require(TimeZone(identifier: identifier))
        var random = SplitMix64(seed: 5)
        for _ in 0..<2000 {
            let second = Int64.random(in: 0..<4_000_000_000, using: &random)
            let offset = zone.offset(at: Moment(microseconds: second * 1_000_000))
            #expect(offset == Int64(truth.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))))
        }
    }

    @Test(arguments: ["UTC", "Asia/Seoul", "America/St_Johns", "Asia/Kathmandu"])
    func `times are read as they are written`(identifier: String) throws {
        let zone = try #require(ExportZone(name: identifier))
        var random = SplitMix64(seed: 6)
        for _ in 0..<2000 {
            let moment = Moment(microseconds: .random(in: 0..<4_000_000_000_000_000, using: &random))
            var text = ByteText()
            text.append(time: moment, offset: zone.offset(at: moment), fraction: .microseconds)
            let written = String(decoding: text.bytes, as: UTF8.self)
            #expect(Moment(text: written, in: ExportZone(.gmt)) == moment, "\(written)")
            let date = try Date(written, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(abs(date.microsecondsSince1970 - moment.microseconds) <= 1, "\(written)")
        }
    }

    static func options(_ names: [String: String]) -> [ExportOption: String] {
        Dictionary(uniqueKeysWithValues: names.map { (sure(ExportOption(rawValue: $0)), $1) })
    }
}
