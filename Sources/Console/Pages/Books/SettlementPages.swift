import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing
import WireFormats

/// The gateways' payouts: settlement files, what is outstanding, and lines without a payment.
struct SettlementPages: Sendable {
    let ledger: Ledger
    let desk: ApprovalDesk

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("settlements", needs: .readBooks, list)
        routes.page("settlements/{id}", needs: .readBooks, page)
        routes.upload("settlements/preview", needs: .keepBooks, preview)
        routes.act(.settle, book)
    }

    /// `GET /console/settlements`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await ledger.settlements.list(
            after: try visit.cursor(of: "settlements", as: SettlementCursor.self), limit: Self.pageSize)
        let ages = try await ledger.settlements.outstandingByAge(at: Time.current.now)
        let unmatched = try await ledger.settlements.listUnmatched(limit: 20)
        var values: [String: Any] = [
            "ages": ages.map { age in
                [
                    "days": age.toDays.map { "\(age.fromDays)–\($0)" } ?? "\(age.fromDays)+",
                    "payments": Show.number(age.payments), "outstanding": Show.money(age.outstanding, "KRW"),
                ]
            },
            "unmatched": Self.section(unmatched.elements.map { Self.row($0.draft, $0, visit) }),
            "hasMoreUnmatched": unmatched.next != nil,
            "files": Self.section(found.elements.map { Self.file($0, visit) }),
        ]
        if visit.may(.keepBooks) { values["upload"] = ["fields": Self.fields(visit), "once": RandomToken.make()] }
        values["next"] = try visit.next("/console/settlements", of: "settlements", found.next)
        return Layout.page(visit, title: visit.text("settlementsTitle"), Self.listTemplate, values)
    }

    private static func section(_ rows: [[String: Any]]) -> [[String: Any]] { rows.isEmpty ? [] : [["rows": rows]] }

    /// The fields of the mapping, with the names that Korean gateways give the columns.
    private static func fields(_ visit: Visit) -> [[String: Any]] {
        let usual: [SettlementMapping.Field: String] = [
            .payment: "주문번호", .gross: "거래금액", .fee: "수수료", .tax: "부가세", .net: "정산금액", .paidOutAt: "정산일",
        ]
        return SettlementMapping.Field.allCases.map { field in
            [
                "name": field.rawValue, "text": visit.text("column_\(field.rawValue)"), "value": usual[field] ?? "",
                "isRequired": field != .fee && field != .tax,
            ]
        }
    }

    private static func file(_ file: SettlementFile, _ visit: Visit) -> [String: Any] {
        [
            "id": String(file.id), "name": file.name, "by": file.importedBy,
            "time": visit.show(file.importedAt), "net": Show.money(file.settled.net, "KRW"),
            "settled": Show.number(file.lines[.settled] ?? 0), "unmatched": Show.number(file.lines[.unmatched] ?? 0),
            "refused": Show.number(file.lines[.refused] ?? 0), "dismissed": Show.number(file.lines[.dismissed] ?? 0),
        ]
    }

    private static func row(_ draft: SettlementLineDraft, _ line: SettlementLine?, _ visit: Visit) -> [String: Any] {
        [
            "line": String(draft.number), "payment": draft.payment, "gross": Show.money(draft.gross, "KRW"),
            "net": Show.money(draft.net, "KRW"), "day": draft.paidOutOn, "file": line.map { String($0.fileID) } ?? "",
            "status": line.map { visit.text("line_\($0.status.rawValue)") } ?? "",
            "reason": line?.dismissal?.reason ?? line?.reason.map { visit.text("lineReason_\($0)") } ?? "",
        ]
    }

    /// `GET /console/settlements/{id}`.
    private func page(_ visit: Visit) async throws -> Response {
        guard let file = try await ledger.settlements.find(try visit.context.pathID()) else {
            throw Problem(.notFound)
        }
        let name = "settlement \(file.id)"
        let found = try await ledger.settlements.listLines(
            of: file.id, after: try visit.cursor(of: name, as: SettlementCursor.self), limit: Self.pageSize)
        var values = Self.file(file, visit)
        values["gross"] = Show.money(file.settled.gross, "KRW")
        values["fee"] = Show.money(file.settled.fee, "KRW")
        values["tax"] = Show.money(file.settled.tax, "KRW")
        values["lines"] = Self.section(found.elements.map { Self.row($0.draft, $0, visit) })
        values["next"] = try visit.next("/console/settlements/\(file.id)", of: name, found.next)
        return Layout.page(visit, title: file.name, Self.pageTemplate, values)
    }

    // MARK: - Upload

    /// `POST /console/settlements/preview`: reads the file and books nothing.
    private func preview(_ visit: Visit) async throws -> Response {
        guard let file = visit.form.file, !file.bytes.isEmpty else {
            throw Problem.missingMember("/file", "choose a file")
        }
        let name = SettlementImport.name(of: file.name)
        let upload = try Upload(visit, name: name, bytes: file.bytes, isDryRun: true)
        var values: [String: Any] = [
            "name": name, "content": Base64URL.encode(file.bytes), "once": RandomToken.make(),
            "columns": SettlementMapping.Field.allCases.map { field in
                [
                    "name": field.rawValue, "text": visit.text("column_\(field.rawValue)"),
                    "value": upload.columns[field] ?? "",
                ]
            },
        ]
        switch try await upload.perform(by: visit.person, in: ledger) {
        case .previewed(let preview, let others):
            values["leftOut"] = others.leftOut.prefix(20).map { ["text": $0.text(in: visit.language)] }
            values["isReadable"] = [
                "matched": Show.number(preview.matched), "gross": Show.money(preview.totals.gross, "KRW"),
                "fee": Show.money(preview.totals.fee, "KRW"), "tax": Show.money(preview.totals.tax, "KRW"),
                "net": Show.money(preview.totals.net, "KRW"), "unmatchedCount": Show.number(preview.unmatchedCount),
                "first": Self.section(try upload.firstLines().map { Self.row($0, nil, visit) }),
                "unmatched": Self.section(preview.unmatched.prefix(20).map { Self.row($0, nil, visit) }),
            ]
        case .refused(let problems):
            values["problems"] = problems.prefix(20).map { ["text": $0.text(in: visit.language)] }
        case .imported: break
        }
        return Layout.page(visit, title: visit.text("previewTitle"), Self.previewTemplate, values)
    }

    /// `POST /console/settlements/book`: books the file that was previewed.
    private func book(_ visit: Visit) async throws -> Response {
        guard let bytes = visit.form["content"].flatMap({ Base64URL.decode($0.utf8) }) else {
            throw Problem.missingMember("/content", "choose the file again")
        }
        let name = try visit.form.text("name", most: SettlementImport.longestName)
        let upload = try Upload(visit, name: name, bytes: Array(bytes), isDryRun: false)
        let id = try await desk.perform(.settle, on: "settlement:\(name)", visit) { _ -> Int64 in
            switch try await upload.perform(by: visit.person, in: ledger) {
            case .imported(let report, _): return report.file.id
            case .refused(let problems): throw Problem(problems, in: visit.language)
            case .previewed: throw LedgerError.unexpected("a file was previewed instead of booked")
            }
        }
        return visit.redirect(to: "/console/settlements/\(id)", notice: ConsoleAct.settle.notice())
    }
}

/// A settlement file of a form, with its mapping.
private struct Upload {
    let columns: [SettlementMapping.Field: String]
    private let name: String
    private let bytes: [UInt8]
    private let work: SettlementImport

    /// - Throws: `invalid_request` for a mapping without a required column.
    init(_ visit: Visit, name: String, bytes: [UInt8], isDryRun: Bool) throws(Problem) {
        var columns: [SettlementMapping.Field: String] = [:]
        for field in SettlementMapping.Field.allCases { columns[field] = visit.form[field.rawValue] }
        self.columns = columns
        self.name = name
        self.bytes = bytes
        let mapping: SettlementMapping
        do throws(SettlementFileProblem) {
            mapping = try SettlementMapping(columns)
        } catch {
            throw .invalid(member: "columns", error.text(in: visit.language))
        }
        guard let days = DayText(format: nil, in: visit.timeZone) else {
            throw .invalid(member: "columns", "days can't be read")
        }
        work = SettlementImport(
            reader: SettlementFileReader(mapping: mapping, days: days), skipsBadRows: false, isDryRun: isDryRun)
    }

    func perform(by person: Person, in ledger: Ledger) async throws -> SettlementImport.Result {
        do {
            return try await work.perform(bytes, named: name, by: person.caller.rawValue, in: ledger)
        } catch let problem as SettlementFileProblem {
            return .refused([problem])
        }
    }

    /// The first lines, as they are read.
    func firstLines() throws -> [SettlementLineDraft] {
        Array(try work.reader.read(bytes, named: name).lines.prefix(5))
    }
}
