import CivilTime
package import Foundation
import WireFormats

/// A request for an export.
///
/// HTTP and the command line have the same options as text. They are parsed and checked here.
package struct ExportRequest: Sendable {
    package let report: Report
    package let format: ExportFormat
    /// The period of the entries, purchases or lots.
    ///
    /// A balance has no beginning.
    let period: ExportPeriod
    /// The time up to which records count; nil: when the export begins.
    let asOf: Moment?
    /// The time zone of written times and of dates without a time.
    let zone: ExportZone
    /// The reconciliation run; nil: the last completed one.
    var run: Int64?
    /// Whether a trial balance lists every account.
    let isDetailed: Bool
    /// How a CSV file is written.
    let style: CSVStyle
    /// The language of the headings of a CSV or an Excel file.
    package let language: HeadingLanguage
    /// The accounts of an ERP, which vouchers need.
    let accounts: VoucherAccounts?
    /// The prices of foreign currencies, which accounting programs get; read when the export begins.
    var prices: [CommodityPrice] = []
    /// Whether vouchers have columns for foreign currencies; known when the export begins.
    var hasForeignVouchers = false

    /// Parses the options.
    ///
    /// - Parameters:
    ///   - timeZone: the default time zone, and that of quarters.
    ///   - accounts: the accounts of an ERP, for vouchers.
    /// - Throws: ``ExportOptionError`` for the first invalid option.
    package init(
        _ report: Report, _ options: [ExportOption: String] = [:], in timeZone: TimeZone,
        accounts: VoucherAccounts? = nil
    ) throws(ExportOptionError) {
        self.report = report
        format = try Self.choice(options[.format], of: .format, default: .csv)
        zone = try Self.zone(options[.timeZone], default: timeZone)
        period = try Self.period(options, in: zone, quartersIn: timeZone)
        // A time with a fraction comes from ledgerd, which rounds times down to milliseconds. The end of the
        // millisecond includes everything recorded in it.
        let asOf = try Self.border(options[.asOf], of: .asOf, in: zone)
        self.asOf = options[.asOf]?.contains(".") == true ? asOf?.endOfMillisecond : asOf
        run = try Self.id(options[.run], of: .run)
        isDetailed = try Self.choice(options[.detail], of: .detail, default: Detail.classes) == .accounts
        style = try CSVStyle(options)
        language = try Self.choice(options[.language], of: .language, default: .english)
        self.accounts = accounts
        try check(options)
    }

    private enum Detail: String, CaseIterable { case classes, accounts }

    /// Checks that the options fit the report and the format.
    private func check(_ options: [ExportOption: String]) throws(ExportOptionError) {
        guard format.holds(report) else {
            throw ExportOptionError(.format, "must be csv, jsonl or xlsx: only the journal has entries")
        }
        if let given = report.coverage.strangers.first(where: { options[$0] != nil }) {
            throw ExportOptionError(given, "does not apply to \(report.rawValue), which needs \(report.coverage.words)")
        }
        if let from = period.from, let to = period.to, from >= to {
            throw ExportOptionError(.to, "must be later than from")
        }
        if isDetailed, report != .trialBalance, report != .trialBalanceTotals {
            throw ExportOptionError(.detail, "applies only to trial-balance and trial-balance-totals")
        }
        if report.isByDay { try checkDays() }
        if style.isForExcel, format != .csv { throw ExportOptionError(.program, "applies only to csv") }
        if style.hasByteOrderMark, format != .csv { throw ExportOptionError(.byteOrderMark, "applies only to csv") }
        if language != .english, format != .csv, format != .xlsx {
            throw ExportOptionError(.language, "applies only to csv and xlsx")
        }
    }

    private func checkDays() throws(ExportOptionError) {
        guard let from = period.from else { throw ExportOptionError(.from, "is required for \(report.rawValue)") }
        guard let to = period.to else { throw ExportOptionError(.to, "is required for \(report.rawValue)") }
        guard to.microseconds - from.microseconds <= Self.mostDays * 86_400_000_000 else {
            throw ExportOptionError(.to, "must be at most \(Self.mostDays) days after from")
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String?, of option: ExportOption, default: Choice
    ) throws(ExportOptionError) -> Choice {
        guard let text else { return `default` }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ExportOptionError(option, "must be one of \(names)")
        }
        return choice
    }

    private static func zone(
        _ text: String?, default timeZone: TimeZone
    ) throws(ExportOptionError) -> ExportZone {
        guard let text else { return ExportZone(timeZone) }
        guard let zone = ExportZone(name: text) else {
            throw ExportOptionError(.timeZone, "must be \(TimeZone.nameRule)")
        }
        return zone
    }

    private static func id(_ text: String?, of option: ExportOption) throws(ExportOptionError) -> Int64? {
        guard let text else { return nil }
        guard let id = Int64(digits: text) else {
            throw ExportOptionError(option, "must be the id of a reconciliation, such as 17")
        }
        return id
    }

    /// The period by its ends, or by its quarter: that of the books, in whichever time zone times are written.
    private static func period(
        _ options: [ExportOption: String], in zone: ExportZone, quartersIn timeZone: TimeZone
    ) throws(ExportOptionError) -> ExportPeriod {
        guard let text = options[.quarter] else {
            return ExportPeriod(
                from: try border(options[.from], of: .from, in: zone), to: try border(options[.to], of: .to, in: zone))
        }
        guard options[.from] == nil, options[.to] == nil else {
            throw ExportOptionError(.quarter, "stands for from and to, and can't be combined with them")
        }
        guard let quarter = ExportPeriod(quarter: text, in: ExportZone(timeZone)) else {
            throw ExportOptionError(.quarter, ExportPeriod.rule)
        }
        return quarter
    }

    private static func border(
        _ text: String?, of option: ExportOption, in zone: ExportZone
    ) throws(ExportOptionError) -> Moment? {
        guard let text else { return nil }
        guard let moment = Moment(text: text, in: zone) else {
            throw ExportOptionError(option, "must be \(CalendarMoment.rule), in a year from 1970 to 9999 of UTC")
        }
        return moment
    }
}

extension Report.Coverage {
    /// The options that do not apply.
    fileprivate var strangers: [ExportOption] {
        switch self {
        case .period, .days: [.run]
        case .moment: [.from, .quarter, .run]
        case .run: [.from, .to, .quarter, .asOf]
        }
    }

    /// What the report needs, and the options for it.
    fileprivate var words: String {
        switch self {
        case .period, .days: "a period: use from and to, or quarter"
        case .moment: "a moment: use to or as_of"
        case .run: "a run: use run"
        }
    }
}

extension ExportRequest {
    /// What stands above a column.
    package func heading(of column: String) -> String { report.heading(of: column, in: language) }

    /// The file name, such as `journal_2026-01-01_2026-02-01.csv`.
    package var fileName: String {
        func name(_ moment: Moment) -> String { zone.fileNamePart(of: moment) }
        var parts = [report.rawValue]
        switch (period.from, period.to) {
        case (let from?, let to?): parts += [name(from), name(to)]
        case (let from?, nil): parts += ["from", name(from)]
        case (nil, let to?): parts += ["until", name(to)]
        case (nil, nil): break
        }
        if let run { parts += ["run", String(run)] }
        if let asOf { parts += ["as-of", name(asOf.startOfMillisecond)] }
        return parts.joined(separator: "_") + "." + format.fileExtension
    }
}
