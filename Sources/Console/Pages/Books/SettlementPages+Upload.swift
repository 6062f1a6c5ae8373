import Foundation
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

// The upload of a settlement file: its columns, what each line will do, and its booking.
extension SettlementPages {
    /// How many lines a preview shows: those that will not be booked first.
    private static let shownLines = 300

    /// `POST /console/settlements/preview`: reads the file and books nothing.
    func preview(_ visit: Visit) async throws -> Response {
        let file = try Self.file(visit)
        let gateway = visit.form["gateway"].flatMap { gateways.contains($0) ? $0 : nil }
        var values: [String: Any] = [
            "name": file.name, "content": Base64URL.encode(file.bytes), "once": RandomToken.make(),
            "gateway": gateway ?? Self.store(visit)?.rawValue ?? "",
        ]
        var columns = Self.columns(of: visit.form)
        do {
            if let source = try Self.storesFile(visit) {
                values["paidOutOn"] = visit.form["paid_out_on"]
                values["payout"] = ForeignPayout.Part.allCases.compactMap { part in
                    visit.form[part.rawValue].map { ["name": part.rawValue, "value": $0] }
                }
                let work = SettlementImport(source, skipsBadRows: false, isDryRun: true)
                let lines = try await work.read(file.bytes, named: file.name, in: ledger)
                values["canSkip"] = !lines.problems.isEmpty && !lines.lines.isEmpty && !visit.skipsBadRows
                try await show(.success(lines), visit, &values)
            } else {
                columns = try await choose(columns, file, gateway, visit, &values)
            }
        } catch let problem as SettlementFileProblem {
            values["problems"] = [["text": problem.text(in: visit.language)]]
        }
        values["columns"] = columns.map { ["name": $0.key.rawValue, "value": $0.value] }
        return await Layout.page(visit, title: visit.text("previewTitle"), Self.previewTemplate, values)
    }

    /// Shows a file by its columns: those in the form, the gateway's last ones if the file has them, or those that the names
    /// of its header tell.
    ///
    /// - Returns: the columns that it is shown by.
    private func choose(
        _ given: [SettlementMapping.Field: String], _ file: (name: String, bytes: [UInt8]), _ gateway: String?,
        _ visit: Visit, _ values: inout [String: Any]
    ) async throws -> [SettlementMapping.Field: String] {
        var known: SettlementColumns?
        if given.isEmpty, let gateway { known = try await ledger.settlements.columns()[gateway] }
        let reading = try await SettlementReading.shared.read { [known, zone = visit.timeZone] in
            try UploadReading(file.bytes, named: file.name, given, known?.columns, in: zone)
        }
        if let known, reading.header.has(known.columns) {
            values["remembered"] = ["by": known.savedBy, "time": visit.show(known.savedAt)]
        }
        values["choose"] = Self.choice(reading.header, reading.columns, visit)
        do {
            try await show(reading.lines, visit, &values)
        } catch let problem as SettlementFileProblem {
            values["problems"] = [["text": problem.text(in: visit.language)]]
        }
        return reading.columns
    }

    /// The store whose file it is; nil: the form has no day of a payout, so the file has columns to map.
    private static func store(_ visit: Visit) -> SettlementImport.Source.Store? {
        guard visit.form["paid_out_on"] != nil else { return nil }
        return visit.form["gateway"].flatMap(SettlementImport.Source.Store.init(rawValue:)) ?? .googlePlay
    }

    /// A store's file; nil: it is none.
    fileprivate static func storesFile(_ visit: Visit) throws -> SettlementImport.Source? {
        let store = store(visit)
        let format = store.flatMap { SettlementImport.Format(rawValue: $0.rawValue) } ?? .columns
        let payout = try SettlementImport.payout(for: format) { visit.form[$0.rawValue] }
        guard let store, let day = visit.form["paid_out_on"] else { return nil }
        let source = SettlementImport.Source(of: store, paidOutOn: day, in: visit.timeZone, payout: payout)
        guard let source else {
            throw Problem.invalid(member: "paid_out_on", "the day of the payout must be such as 2026-12-15")
        }
        return source
    }

    /// The uploaded file, or the one that the preview's form carries.
    private static func file(_ visit: Visit) throws(Problem) -> (name: String, bytes: [UInt8]) {
        if let file = visit.form.file, !file.bytes.isEmpty {
            return (SettlementImport.name(of: file.name), file.bytes)
        }
        guard let bytes = visit.form["content"].flatMap({ Base64URL.decode($0.utf8) }), !bytes.isEmpty else {
            throw Problem.missingMember("/file", "choose a file")
        }
        return (try visit.form.text("name", most: SettlementImport.longestName), Array(bytes))
    }

    fileprivate static func columns(of form: ConsoleForm) -> [SettlementMapping.Field: String] {
        var columns: [SettlementMapping.Field: String] = [:]
        for field in SettlementMapping.Field.allCases { columns[field] = form[field.rawValue] }
        return columns
    }

    /// A select for each field, with the file's own columns.
    private static func choice(
        _ header: SettlementHeader, _ columns: [SettlementMapping.Field: String], _ visit: Visit
    ) -> [String: Any] {
        let fields = SettlementMapping.Field.allCases.map { field -> [String: Any] in
            [
                "name": field.rawValue, "text": visit.text("column_\(field.rawValue)"),
                "isRequired": !field.isOptional,
                "options": header.columns.map { column -> [String: Any] in
                    let name = column.name.isEmpty ? column.value : column.name
                    let number = column.value.hasPrefix("#") && !column.name.isEmpty ? " \(column.value)" : ""
                    let sample = column.sample.isEmpty ? "" : " (\(column.sample))"
                    return [
                        "value": column.value, "label": name + number + sample,
                        "isSelected": columns[field] == column.value,
                    ]
                },
            ]
        }
        return [
            "fields": fields,
            "header": header.line.map { "\(visit.text("headerLine")): \($0)" } ?? visit.text("headerMissing"),
        ]
    }

    /// What the file's lines will do, or why they can't be read.
    private func show(
        _ lines: Result<SettlementFileDraft, SettlementFileProblem>, _ visit: Visit, _ values: inout [String: Any]
    ) async throws {
        let file = try lines.get()
        values["problems"] = file.problems.prefix(50).map { ["text": $0.text(in: visit.language)] }
        guard file.problems.isEmpty || visit.skipsBadRows else { return }
        values["skipsBadRows"] = visit.skipsBadRows
        values["leftOut"] = file.leftOut.prefix(100).map { ["text": $0.text(in: visit.language)] }
        values["isReadable"] = Self.summary(try await ledger.settlements.preview(file), visit)
    }

    private static func summary(_ preview: SettlementPreview, _ visit: Visit) -> [String: Any] {
        let booked = preview.lines.filter { $0.outcome == .booked }
        let others = preview.lines.filter { $0.outcome != .booked }
        let shown = (others.prefix(shownLines) + booked.prefix(max(20, shownLines - others.count)))
        let sums: [(String, Int64)] = [
            ("column_gross", booked.reduce(0) { $0 + $1.draft.gross }),
            ("column_fee", booked.reduce(0) { $0 + $1.draft.fee }),
            ("column_tax", booked.reduce(0) { $0 + $1.draft.tax }),
            ("column_net", booked.reduce(0) { $0 + $1.draft.net }),
        ]
        let outcomes = Dictionary(grouping: preview.lines, by: \.outcome).sorted { $0.value.count > $1.value.count }
        return [
            "sums": sums.map { ["text": visit.text($0.0), "amount": Show.won($0.1)] },
            "outcomes": outcomes.map { outcome, lines in
                [
                    "text": outcome.text(visit), "count": Show.number(Int64(lines.count)),
                    "net": Show.won(lines.reduce(0) { $0 + $1.draft.net }),
                ]
            },
            "lines": Layout.section(
                shown.map { line in
                    var row = row(line.draft, nil, visit)
                    row["status"] = line.outcome.text(visit)
                    if let user = line.user {
                        row["customer"] = CustomerPath.link(to: user)
                    }
                    return row
                }),
            "hasMore": shown.count < preview.lines.count,
        ]
    }

    /// `POST /console/settlements/book`: books the file that was previewed, and remembers its columns.
    func book(_ visit: Visit) async throws -> Response {
        let file = try Self.file(visit)
        let gateway = visit.form["gateway"].flatMap { gateways.contains($0) ? $0 : nil }
        let columns = Self.columns(of: visit.form)
        let storesFile = try Self.storesFile(visit)
        let upload: SettlementUpload
        do throws(SettlementFileProblem) {
            upload = try SettlementUpload(columns, storesFile, visit, name: file.name, bytes: file.bytes)
        } catch {
            throw Problem.invalid(member: "columns", error.text(in: visit.language))
        }
        let id = try await desk.perform(.settle, on: "settlement:\(file.name)", visit) { _ -> Int64 in
            switch try await upload.perform(by: visit.person, in: ledger) {
            case .imported(let report, _):
                if let gateway, let mapping = upload.mapping { await remember(mapping, of: gateway, visit) }
                return report.file.id
            case .refused(let problems): throw Problem(problems, in: visit.language)
            case .previewed: throw LedgerError.unexpected("a file was previewed instead of booked")
            }
        }
        return visit.redirect(to: "/console/settlements/\(id)", notice: ConsoleAct.settle.notice())
    }
}

extension SettlementPages {
    /// Remembers the columns of a booked file for the gateway's next one; if that fails, the file is booked nevertheless.
    private func remember(_ mapping: SettlementMapping, of gateway: String, _ visit: Visit) async {
        do {
            try await ledger.settlements.remember(mapping, of: gateway, by: visit.person.caller.rawValue)
        } catch {
            visit.context.logger.warning(
                "the columns of a settlement file could not be remembered",
                metadata: ["gateway": "\(gateway)", "error": "\(error)"])
        }
    }
}

extension Visit {
    /// Whether a person has seen which rows of a store's file can't be booked, and books the others.
    fileprivate var skipsBadRows: Bool { form["paid_out_on"] != nil && form["skip_bad_rows"] == "true" }
}

extension PreviewedLine.Outcome {
    fileprivate func text(_ visit: Visit) -> String {
        switch self {
        case .booked: visit.text("willBook")
        case .unmatched: visit.text("line_unmatched")
        case .refused("already_settled"): visit.text("lineReason_already_settled")
        case .refused(let reason): "\(visit.text("line_refused")): \(visit.text("lineReason_\(reason)"))"
        }
    }
}

/// What one reading of an uploaded file tells.
private struct UploadReading: Sendable {
    let header: SettlementHeader
    /// The columns that the lines are read by.
    let columns: [SettlementMapping.Field: String]
    /// The lines, or why they can't be read by these columns.
    let lines: Result<SettlementFileDraft, SettlementFileProblem>

    /// - Parameters:
    ///   - given: the columns that a person chose; empty: nobody chose yet.
    ///   - known: those of the gateway's last file, which are taken if the file has them.
    /// - Throws: ``SettlementFileProblem`` for a file without a header.
    init(
        _ bytes: [UInt8], named name: String, _ given: [SettlementMapping.Field: String],
        _ known: [SettlementMapping.Field: String]?, in zone: TimeZone
    ) throws(SettlementFileProblem) {
        let sheets = try SettlementSheets(bytes)
        let header = try SettlementHeader.find(in: sheets)
        let likely = known.flatMap { header.has($0) ? $0 : nil } ?? header.likely
        let columns = given.isEmpty ? likely : given
        self.header = header
        self.columns = columns
        lines = Result { () throws(SettlementFileProblem) in
            let mapping = try SettlementMapping(columns)
            return try SettlementFileReader(mapping: mapping, days: DayText(in: zone)).read(sheets, named: name)
        }
    }
}

/// A settlement file of a form.
private struct SettlementUpload {
    /// Nil: the file is a store's, whose columns are always the same.
    let mapping: SettlementMapping?
    private let name: String
    private let bytes: [UInt8]
    private let work: SettlementImport

    /// - Throws: ``SettlementFileProblem`` for a mapping without a required column.
    init(
        _ columns: [SettlementMapping.Field: String], _ storesFile: SettlementImport.Source?, _ visit: Visit,
        name: String, bytes: [UInt8]
    ) throws(SettlementFileProblem) {
        let source: SettlementImport.Source
        if let storesFile {
            (mapping, source) = (nil, storesFile)
        } else {
            let mapping = try SettlementMapping(columns)
            self.mapping = mapping
            source = .rows(SettlementFileReader(mapping: mapping, days: DayText(in: visit.timeZone)))
        }
        self.name = name
        self.bytes = bytes
        work = SettlementImport(source, skipsBadRows: visit.skipsBadRows, isDryRun: false)
    }

    func perform(by person: Person, in ledger: Ledger) async throws -> SettlementImport.Result {
        do {
            return try await work.perform(bytes, named: name, by: person.caller.rawValue, in: ledger)
        } catch let problem as SettlementFileProblem {
            return .refused([problem])
        }
    }
}
