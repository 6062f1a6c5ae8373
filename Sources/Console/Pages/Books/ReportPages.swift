import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// The reports of the books as files: one list for a month, a quarter or any days.
struct ReportPages: Sendable {
    let ledger: Ledger
    /// The accounts of an ERP, for vouchers.
    let voucherAccounts: VoucherAccounts?

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("reports", needs: .readBooks, list)
        routes.page("reports/{report}/file", needs: .readBooks, file)
        routes.page("reports/{report}/checksum", needs: .readBooks, checksum)
    }

    /// `GET /console/reports`; `?period=2026-10` or `2026-Q4`, or `?from=&to=`; by default the last whole month.
    private func list(_ visit: Visit) async throws -> Response {
        await show(try ReportPeriod(visit), visit)
    }

    /// `GET …/file?period=&from=&to=&format=`: the file, as of `GET /v1/exports/{report}`; by default for Excel.
    private func file(_ visit: Visit) async throws -> Response {
        let (report, period) = (try asked(visit), try ReportPeriod(visit))
        switch try await ledger.exports.begin(try request(report, period, visit)) {
        case .success(let export): return try await export.response(answering: visit.request, visit.context)
        case .failure(let refusal): return await show(period, visit, refusal: refusal, of: report)
        }
    }

    /// `GET …/checksum`: makes the same file, and shows its SHA-256, rows and sums.
    private func checksum(_ visit: Visit) async throws -> Response {
        let (report, period) = (try asked(visit), try ReportPeriod(visit))
        let request = try request(report, period, visit)
        switch try await ledger.exports.begin(request) {
        case .failure(let refusal): return await show(period, visit, refusal: refusal, of: report)
        case .success(let export):
            let trailer = try await export.run { _ in }
            return await Layout.page(
                visit, title: "\(Self.name(of: report, visit)), SHA-256", Self.checksumTemplate,
                [
                    "file": export.request.fileName, "sha256": trailer.sha256, "rows": Show.number(trailer.rows),
                    "sums": trailer.sums.map { sum in
                        [
                            "column": export.request.heading(of: sum.column),
                            "amount": sum.amount.map { Show.reportSum($0, sum.currency) } ?? "",
                        ]
                    },
                    "path": Self.path(of: report, period, ["format": request.format.rawValue]),
                    "back": "/console/reports?" + period.query,
                ])
        }
    }

    /// The report of the path that the person may read.
    private func asked(_ visit: Visit) throws(Problem) -> Report {
        guard let report = visit.context.parameters.get("report").flatMap(Report.init(rawValue:)) else {
            throw Problem(.notFound, "the report is unknown")
        }
        guard report != .audit || visit.may(.audit) else { throw Problem(.forbidden) }
        return report
    }

    private func request(_ report: Report, _ period: ReportPeriod, _ visit: Visit) throws -> ExportRequest {
        var options = period.options(of: report)
        options[.format] = visit.query("format") ?? ExportFormat.xlsx.rawValue
        if options[.format] == ExportFormat.csv.rawValue { options[.program] = "excel" }
        options[.language] = visit.headingLanguage(of: options[.format])
        return try ExportRequest(report, options, in: visit.timeZone, accounts: voucherAccounts)
    }

    // MARK: - The list

    private func show(
        _ period: ReportPeriod, _ visit: Visit, refusal: ExportRefusal? = nil, of refused: Report? = nil
    ) async -> Response {
        var values: [String: Any] = [
            "choices": ReportPeriod.choices(at: Time.current.now, in: visit.timeZone).map { name in
                ["name": name, "isChosen": name == period.name] as [String: Any]
            },
            "from": period.first.description, "last": period.last.description,
            "period": period.name ?? "\(period.first) – \(period.last)",
            "reports": Report.all.filter { $0 != .audit || visit.may(.audit) }.map { row($0, period, visit) },
        ]
        if let refusal, let refused {
            values["refusal"] = [
                "report": Self.name(of: refused, visit), "text": Self.text(of: refusal, visit.language),
            ]
        }
        let status: HTTPResponse.Status =
            switch refusal {
            case nil: .ok
            case .tooMany: .tooManyRequests
            default: .notFound
            }
        return await Layout.page(visit, title: visit.text("reportsTitle"), status: status, Self.template, values)
    }

    private func row(_ report: Report, _ period: ReportPeriod, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "name": Self.name(of: report, visit), "about": visit.text("reportAbout_\(report.rawValue)"),
            "covers": visit.text(report.coverage.text), "code": report.rawValue,
        ]
        if report == .vouchers, voucherAccounts == nil {
            row["missing"] = Self.text(of: .noAccounts, visit.language)
        } else {
            row["paths"] = [
                "excel": Self.path(of: report, period, [:]),
                "csv": Self.path(of: report, period, ["format": "csv"]),
                "checksum": Self.path(of: report, period, [:], page: "checksum"),
            ]
        }
        return row
    }

    private static func path(
        of report: Report, _ period: ReportPeriod, _ more: [String: String], page: String = "file"
    ) -> String {
        let query = [period.query] + more.map { "\($0.key)=\($0.value)" }
        return "/console/reports/\(report.rawValue)/\(page)?" + query.joined(separator: "&")
    }

    private static func name(of report: Report, _ visit: Visit) -> String { visit.text("report_\(report.rawValue)") }

    /// Why a report can't be made, with the setting that would make it.
    static func text(of refusal: ExportRefusal, _ language: Language) -> String {
        switch refusal {
        case .tooMany: Texts.text("reportRefused_tooMany", language)
        case .noAccounts: Texts.text("reportRefused_noAccounts", language)
        case .vatIsOff: Texts.text("reportRefused_vatIsOff", language)
        case .noPolicy: Texts.text("reportRefused_noPolicy", language)
        case .noCompletedRun, .noSuchRun, .runNotCompleted: Texts.text("reportRefused_noRun", language)
        case .unmappedAccounts(let accounts):
            "\(Texts.text("reportRefused_unmapped", language)) \(accounts.joined(separator: ", "))"
        }
    }
}

extension Visit {
    /// The language of the headings of a file of this format: the reader's, where there are headings for people.
    func headingLanguage(of format: String?) -> String? {
        let forPeople = [ExportFormat.csv.rawValue, ExportFormat.xlsx.rawValue]
        return format.map(forPeople.contains) == true ? language.rawValue : nil
    }
}

extension Report.Coverage {
    /// The key of what the report covers of a period.
    fileprivate var text: String {
        switch self {
        case .period, .days: "reportCoversPeriod"
        case .moment: "reportCoversEnd"
        case .run: "reportCoversRun"
        }
    }
}

extension Show {
    /// A sum of a report: won with their sign, coins as a number.
    static func reportSum(_ amount: Int64, _ currency: String) -> String {
        currency == "COIN" ? number(amount) : money(amount, currency)
    }
}

/// The days that reports are made of: a month, a quarter, a year, or any.
struct ReportPeriod: Sendable {
    /// `2026-10`, `2026-Q4` or `2026`; nil: other days.
    let name: String?
    let first: CivilDate
    /// The day after the last one.
    let end: CivilDate

    var last: CivilDate { CivilDate(daysSince1970: end.daysSince1970 - 1) }

    /// The period of a page's query; without any, the last whole month.
    init(_ visit: Visit) throws(Problem) {
        let zone = visit.timeZone
        // Dates that were filled in count more than the period that was chosen before.
        if Self.hasDays(visit), visit.query("period") == nil {
            guard let from = try visit.day("from"), let to = try visit.endOfDays() else {
                throw .invalid(member: "to", "the first and the last day are needed together")
            }
            try self.init(first: CivilDate(of: from, in: zone), end: CivilDate(of: to, in: zone))
            return
        }
        let name = visit.query("period") ?? Self.choices(at: Time.current.now, in: zone)[0]
        guard let period = ReportPeriod(named: name) else {
            throw .invalid(
                member: "period", "period must be a month, quarter or year, such as 2026-10, 2026-Q4 or 2026")
        }
        self = period
    }

    /// Whether the query of a page has days of a period.
    static func hasDays(_ visit: Visit) -> Bool { ["from", "to", "last"].contains { visit.query($0) != nil } }

    private init(first: CivilDate, end: CivilDate) throws(Problem) {
        guard first.daysSince1970 < end.daysSince1970 else {
            throw .invalid(member: "to", "the last day must not be before the first one")
        }
        (name, self.first, self.end) = (nil, first, end)
    }

    /// - Returns: nil for a text that names no month, quarter or year.
    init?(named name: String) {
        if let month = CivilMonth(name) {
            self.init(name, from: month, to: month.next)
            return
        }
        if name.utf8.count == 4, let start = CivilMonth("\(name)-01"), let last = CivilMonth("\(name)-12") {
            self.init(name, from: start, to: last.next)
            return
        }
        let parts = name.split(separator: "-Q", omittingEmptySubsequences: false)
        guard parts.count == 2, let quarter = Int(parts[1]), (1...4).contains(quarter), parts[1].utf8.count == 1,
            let start = CivilMonth("\(parts[0])-\(["01", "04", "07", "10"][quarter - 1])")
        else { return nil }
        self.init(name, from: start, to: start.next.next.next)
    }

    private init(_ name: String, from start: CivilMonth, to end: CivilMonth) {
        (self.name, first, self.end) = (name, start.firstDay, end.firstDay)
    }

    /// The last twelve whole months, four whole quarters and two whole years, the last one first.
    static func choices(at now: Date, in zone: TimeZone) -> [String] {
        let today = CivilDate(of: now, in: zone)
        let present = today.year * 12 + today.month - 1
        let months = (1...12).map { back in
            let month = present - Int64(back)
            return "\(month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)"
        }
        let quarter = present / 3
        let quarters = (1...4).map { back in "\((quarter - Int64(back)) / 4)-Q\((quarter - Int64(back)) % 4 + 1)" }
        return months + quarters + (1...2).map { "\(today.year - Int64($0))" }
    }

    /// The period in the query of a page.
    var query: String { name.map { "period=\($0)" } ?? "from=\(first)&to=\(end)" }

    /// The options of an export: a report of a moment is made as of the end.
    func options(of report: Report) -> [ExportOption: String] {
        switch report.coverage {
        case .period, .days: [.from: first.description, .to: end.description]
        case .moment: [.to: end.description]
        case .run: [:]
        }
    }
}

extension CivilMonth {
    /// The month in a field or parameter of that name.
    ///
    /// - Throws: `invalid_request` for another text, and for none.
    init(asked text: String?) throws(Problem) {
        guard let month = text.flatMap({ CivilMonth($0) }) else {
            throw .invalid(member: "month", "month must be \(CivilMonth.rule)")
        }
        self = month
    }
}
