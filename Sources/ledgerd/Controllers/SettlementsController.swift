import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// What the gateways paid out, for finance.
struct SettlementsController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone

    /// The largest statement taken, 32 MiB: some three hundred thousand rows.
    static let maxBodySize = 32 << 20

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.post("settlements", use: take)
        group.get("settlements", use: list)
        group.get("settlements/outstanding", use: outstanding)
        group.get("settlements/{id}", use: show)
        group.get("settlements/{id}/rows", use: rows)
    }

    /// `POST /v1/settlements`: 201 when rows were booked, 200 when they were before, or for a dry run.
    private func take(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let statement = try StatementImport(request, timeZone)
        let name = try request.statementName()
        let body = try await request.statement(limit: Self.maxBodySize)
        let result: StatementImport.Result
        do {
            let importer = try context.requirePrincipal().subject
            result = try await statement.perform(body, named: name, by: importer, in: ledger)
        } catch let problem as StatementProblem {
            throw Problem([problem])
        }
        switch result {
        case .refused(let problems): throw Problem(problems)
        case .previewed(let preview, let skipped):
            return try Response(json: SettlementPreviewBody(preview, skipped: skipped))
        case .imported(let report, let skipped):
            return try Response(
                status: report.settledNow > 0 ? .created : .ok,
                headers: [.location: "/v1/settlements/\(report.file.id)"],
                json: SettlementReportBody(report, skipped: skipped))
        }
    }

    /// `GET /v1/settlements`: newest first.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: SettlementCursor.self)
        let found = try await ledger.settlements.files(after: page.after, limit: page.limit)
        return try request.list("settlements", found.elements.map(SettlementBody.init), next: found.next)
    }

    /// `GET /v1/settlements/{id}`.
    private func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: SettlementBody(try await file(context)))
    }

    /// `GET /v1/settlements/{id}/rows`, `?status=` for those that stand so.
    private func rows(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let file = try await file(context)
        let page = try Page(request, position: SettlementCursor.self)
        let found = try await ledger.settlements.rows(
            of: file.id, try request.rowStatus(), after: page.after, limit: page.limit)
        return try request.list("rows", found.elements.map { SettlementRowBody($0) }, next: found.next)
    }

    /// `GET /v1/settlements/outstanding`, `?as_of=` for a past moment: the payments that explain what
    /// `gateway:receivable` holds.
    private func outstanding(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: OutstandingCursor.self)
        let moment = try request.moment("as_of", in: timeZone)
        let found = try await ledger.outstanding(asOf: moment, after: page.after, limit: page.limit)
        let body = try OutstandingPageBody(found)
        let links: HTTPFields = body.nextCursor.map { [.link: request.nextPageLink(cursor: $0)] } ?? [:]
        return try Response(headers: links, json: body)
    }

    private func file(_ context: LedgerdRequestContext) async throws -> SettlementFile {
        guard let file = try await ledger.settlements.file(try context.pathID()) else {
            throw Problem(.notFound, "there is no such statement")
        }
        return file
    }
}

extension StatementImport {
    /// Reads the query: a column for each field, and how the file is written.
    fileprivate init(_ request: Request, _ timeZone: TimeZone) throws(Problem) {
        var columns: [SettlementMapping.Field: String] = [:]
        for field in SettlementMapping.Field.allCases { columns[field] = request.queryItem(field.rawValue) }
        let mapping: SettlementMapping
        do throws(StatementProblem) {
            mapping = try SettlementMapping(columns)
        } catch {
            throw .invalid(member: "query", error.message)
        }
        let zone = try request.parsed("time_zone", "a name such as Asia/Seoul") { TimeZone(identifier: $0) }
        guard let days = DayText(format: request.queryItem("date_format"), in: zone ?? timeZone) else {
            throw .invalid(member: "date_format", "date_format must be \(DayText.rule)")
        }
        let encodings = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        let encoding = try request.parsed("encoding", "one of \(encodings)") { TextEncoding(rawValue: $0) }
        reader = StatementReader(mapping: mapping, days: days, encoding: encoding ?? .auto)
        skipsBadRows = try request.parsed("skip_bad_rows", "true or false") { Bool($0) } ?? false
        isDryRun = try request.parsed("dry_run", "true or false") { Bool($0) } ?? false
    }
}

extension Request {
    fileprivate func parsed<Value>(
        _ name: String, _ rule: String, _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = queryItem(name) else { return nil }
        guard let value = parse(text) else { throw .invalid(member: name, "\(name) must be \(rule)") }
        return value
    }

    fileprivate func rowStatus() throws(Problem) -> SettlementRow.Status? {
        let known = SettlementRow.Status.allCases.map(\.rawValue).joined(separator: ", ")
        return try parsed("status", "one of \(known)") { SettlementRow.Status(rawValue: $0) }
    }

    /// What the statement is called: for people, so that they find it again.
    fileprivate func statementName() throws(Problem) -> String {
        let name = queryItem("name") ?? "statement"
        guard (1...200).contains(name.unicodeScalars.count),
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .invalid(member: "name", "name must have 1 to 200 characters, none a control character") }
        return name
    }

    /// The body, which must be CSV.
    fileprivate func statement(limit: Int) async throws -> [UInt8] {
        let type = (headers[.contentType] ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        guard type.filter({ $0 != " " }) == "text/csv" else {
            throw Problem(.unsupportedMediaType, "the content type must be text/csv")
        }
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        return Array(try await body.collect(upTo: limit).readableBytesView)
    }
}

extension Problem {
    /// A statement of which nothing was booked.
    fileprivate init(_ problems: [StatementProblem]) {
        let first = problems.first?.description ?? ""
        self.init(
            .statementInvalid, problems.count > 1 ? "\(first); and \(problems.count - 1) more" : first,
            members: [
                "problems": .strings(problems.prefix(50).map(\.description)),
                "problem_count": .integer(Int64(problems.count)),
            ])
    }
}
