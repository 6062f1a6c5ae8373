import CivilTime
import Foundation
import Hummingbird
package import Ledger
import LedgerWire
import Timing

/// The gateways' payouts, for finance.
struct SettlementsController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone
    let ages = KeptAges()

    /// The maximum size of a settlement file, 32 MiB, about three hundred thousand rows.
    static let maxBodySize = 32 << 20

    /// `POST /v1/settlements`: 201 if rows were booked, 200 if all were booked before, or for a preview.
    ///
    /// What is wrong with the file is told in the language of `Accept-Language`.
    func take(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let query = try Query(request, SettlementImport.parameters)
        let language = Language(preferredIn: request.headers[.acceptLanguage] ?? "")
        let work = try SettlementImport(query, timeZone, language)
        let name = try query.fileName()
        let body = try await request.file(["text/csv", SettlementImport.workbookType], limit: Self.maxBodySize)
        let result: SettlementImport.Result
        do {
            let importer = try context.requirePrincipal().subject
            result = try await work.perform(body, named: name, by: importer, in: ledger)
        } catch let problem as SettlementFileProblem {
            throw Problem([problem], in: language)
        }
        switch result {
        case .refused(let problems): throw Problem(problems, in: language)
        case .previewed(let preview, let others):
            return try Response(json: SettlementPreviewBody(preview, others, in: language))
        case .imported(let report, let others):
            return try Response(
                status: report.settledNow > 0 ? .created : .ok,
                headers: [.location: "/v1/settlements/\(report.file.id)"],
                json: SettlementReportBody(report, others, in: language))
        }
    }

    /// `GET /v1/settlements`: newest first; `?from=&to=` filters by import.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: SettlementCursor.self, filters: "from", "to")
        let found = try await ledger.settlements.list(
            in: try page.query.period(in: timeZone), after: page.after, limit: page.limit)
        return try page.answer("settlements", found.elements.map(SettlementBody.init), next: found.next)
    }

    /// `GET /v1/settlements/{id}`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: SettlementBody(try await file(context)))
    }

    /// `GET /v1/settlements/{id}/rows`; `?status=` filters by status.
    func rows(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let file = try await file(context)
        let page = try PageRequest(request, position: SettlementCursor.self, filters: "status")
        let found = try await ledger.settlements.listLines(
            of: file.id, try page.query.choice("status"), after: page.after, limit: page.limit)
        return try page.answer("rows", found.elements.map { SettlementRowBody($0) }, next: found.next)
    }

    /// `POST /v1/settlements/{id}/rows/{line}/dismissal`: the line is not ours; a repeat changes nothing.
    func dismiss(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: SettlementDismissalRequestBody.self, context: context)
        let dismissed = try await ledger.settlements.dismiss(
            try context.pathID("line"), of: try context.pathID(), as: try body.kind?.choice("/kind") ?? .other,
            because: body.reason.value, by: try context.requirePrincipal().subject)
        return try Response(json: SettlementRowBody(try dismissed.line))
    }

    /// `POST /v1/settlements/{id}/rows/{line}/dismissal/check`: another person looked at it and agrees.
    func check(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let checked = try await ledger.settlements.checkDismissal(
            try context.pathID("line"), of: try context.pathID(), by: try context.requirePrincipal().subject)
        return try Response(json: SettlementRowBody(try checked.line))
    }

    /// `POST /v1/settlements/match`: books the lines of ``returned(_:_:)``.
    func match(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let (booked, lines) = try await ledger.settlements.matchAgain()
        return try Response(json: SettlementMatchBody(booked: booked, lines: lines))
    }

    /// `GET /v1/settlements/returned`: lines without a payment whose payment is in the books by now, oldest first.
    func returned(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await lines(request) { try await ledger.settlements.listReturned(after: $0, limit: $1) }
    }

    /// `GET /v1/settlements/unchecked`: dismissed lines at which nobody else has looked, newest first.
    func unchecked(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await lines(request) { try await ledger.settlements.listUnchecked(after: $0, limit: $1) }
    }

    /// `GET /v1/settlements/outstanding`: the payments that make up what the gateways owe; `?as_of=` for a
    /// past moment.
    func outstanding(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: OutstandingCursor.self, filters: "as_of")
        let moment = try page.query.moment("as_of", in: timeZone)
        let found = try await ledger.settlements.listOutstanding(asOf: moment, after: page.after, limit: page.limit)
        let cursor = try page.cursor(found.next)
        return try Response(headers: page.link(cursor), json: OutstandingPageBody(found, nextCursor: cursor))
    }

    /// `GET /v1/settlements/outstanding/ages`: what is outstanding, by the age of the payments.
    func outstandingByAge(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let now = Time.current.now
        let found = try await ages.list(now: now) { [ledger] in
            try await ledger.settlements.outstandingByAge(at: now)
        }
        return try Response(
            json: OutstandingAgesBody(asOf: found.asOf, ages: found.ages.map(OutstandingAgeBody.init)))
    }

    /// `GET /v1/settlements/unmatched`: the lines of all files whose payment is not in the books, oldest first.
    func unmatched(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await lines(request) { try await ledger.settlements.listUnmatched(after: $0, limit: $1) }
    }

    /// A page of lines of all files.
    private func lines(
        _ request: Request,
        _ list: (SettlementCursor?, _ limit: Int) async throws -> Page<SettlementLine, SettlementCursor>
    ) async throws -> Response {
        let page = try PageRequest(request, position: SettlementCursor.self)
        let found = try await list(page.after, page.limit)
        let rows = found.elements.map { SettlementRowBody($0.draft, $0, namingFile: true) }
        return try page.answer(SettlementRowBody.listName, rows, next: found.next)
    }

    private func file(_ context: LedgerdRequestContext) async throws -> SettlementFile {
        guard let file = try await ledger.settlements.find(try context.pathID()) else {
            throw Problem(.notFound, "the settlement does not exist")
        }
        return file
    }
}

extension Query {
    /// The name of the file, for people.
    fileprivate func fileName() throws(Problem) -> String {
        let name = self["name"] ?? "statement"
        guard (1...SettlementImport.longestName).contains(name.unicodeScalars.count) else {
            throw .invalid(member: "name", "name must have 1 to \(SettlementImport.longestName) characters")
        }
        return name
    }
}

extension SettlementImport {
    /// The names of the query's parameters.
    fileprivate static let parameters =
        SettlementMapping.Field.allCases.map(\.rawValue) + [
            "name", "format", "paid_out_on", "time_zone", "date_format", "encoding", "skip_bad_rows", "dry_run",
        ] + ForeignPayout.Part.allCases.map(\.rawValue)

    /// Reads the query: the columns, and the format of the file.
    fileprivate init(_ query: Query, _ timeZone: TimeZone, _ language: Language) throws(Problem) {
        let zone = try query.parsed("time_zone", TimeZone.nameRule, TimeZone.init(name:)) ?? timeZone
        let encodings = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        let encoding = try query.parsed("encoding", "one of \(encodings)") { TextEncoding(rawValue: $0) } ?? .auto
        let format = try query.choice("format") ?? Format.columns
        let payout = try Self.payout(query, format)
        source =
            if let store = Source.Store(rawValue: format.rawValue) {
                try Self.file(of: store, query, zone, encoding, payout)
            } else {
                .rows(try Self.mapped(query, zone, encoding, language))
            }
        skipsBadRows = try query.parsed("skip_bad_rows", "true or false") { Bool($0) } ?? false
        isDryRun = try query.parsed("dry_run", "true or false") { Bool($0) } ?? false
    }

    private static func payout(_ query: Query, _ format: Format) throws(Problem) -> ForeignPayout? {
        do throws(InputFault) {
            return try payout(for: format) { query[$0.rawValue] }
        } catch {
            throw .invalid(member: error.field, "\(error.field) \(error.rule)")
        }
    }

    private static func mapped(
        _ query: Query, _ zone: TimeZone, _ encoding: TextEncoding, _ language: Language
    ) throws(Problem) -> SettlementFileReader {
        guard query["paid_out_on"] == nil else {
            throw .invalid(member: "paid_out_on", "paid_out_on is for files of stores; a column tells it here")
        }
        var columns: [SettlementMapping.Field: String] = [:]
        for field in SettlementMapping.Field.allCases { columns[field] = query[field.rawValue] }
        guard let days = DayText(format: query["date_format"], in: zone) else {
            throw .invalid(member: "date_format", "date_format must be \(DayText.rule)")
        }
        do throws(SettlementFileProblem) {
            return SettlementFileReader(mapping: try SettlementMapping(columns), days: days, encoding: encoding)
        } catch {
            throw .invalid(member: "query", error.text(in: language))
        }
    }

    /// The file has columns of its own.
    private static func file(
        of store: Source.Store, _ query: Query, _ zone: TimeZone, _ encoding: TextEncoding, _ payout: ForeignPayout?
    ) throws(Problem) -> Source {
        for name in SettlementMapping.Field.allCases.map(\.rawValue) + ["date_format"] where query[name] != nil {
            throw .invalid(member: name, "\(name) is for format=columns; the file of a store has its own columns")
        }
        let source = query["paid_out_on"].flatMap {
            Source(of: store, paidOutOn: $0, in: zone, encoding, payout: payout)
        }
        guard let source else {
            throw .invalid(member: "paid_out_on", "paid_out_on must be the day of the payout, such as 2026-12-15")
        }
        return source
    }
}

extension Problem {
    /// A settlement file was refused.
    package init(_ problems: [SettlementFileProblem], in language: Language) {
        let first = problems.first?.text(in: language) ?? ""
        let more = problems.count - 1
        self.init(
            .statementInvalid, more > 0 ? first + language.andMore(more) : first,
            members: [
                "problems": .strings(problems.prefix(50).map { $0.text(in: language) }),
                "problem_count": .integer(Int64(problems.count)),
            ])
    }
}

extension Settlements.Checked {
    /// The line as it is now.
    ///
    /// - Throws: `forbidden` for the person who dismissed it; `settlement_line_status_conflict`; `not_found`.
    package var line: SettlementLine {
        get throws(Problem) {
            switch self {
            case .done(let line): return line
            case .ownDismissal: throw Problem(.forbidden, "somebody else than who explained the line has to look at it")
            case .notDismissed:
                throw Problem(.settlementLineStatusConflict, "the line is not dismissed: there is nothing to look at")
            case .notFound: throw Problem(.notFound, "the settlement line does not exist")
            }
        }
    }
}

extension Settlements.Dismissed {
    /// The line as it is now.
    ///
    /// - Throws: `settlement_line_status_conflict`; `not_found`.
    package var line: SettlementLine {
        get throws(Problem) {
            switch self {
            case .done(let line): return line
            case .refused(let status):
                throw Problem(
                    .settlementLineStatusConflict,
                    "the line is \(status.rawValue): only an unmatched line can be dismissed",
                    members: ["settlement_line_status": .string(status.rawValue)])
            case .notFound: throw Problem(.notFound, "the settlement line does not exist")
            }
        }
    }
}

extension Language {
    fileprivate func andMore(_ count: Int) -> String {
        switch self {
        case .english: "; and \(count) more"
        case .korean: " 외 \(count)건"
        }
    }
}
