import Hummingbird
import Ledger
import LedgerServer
import WireFormats

// Lines without a payment: explained by one person, looked at by another, and booked if their payment comes.
extension SettlementPages {
    /// How many lines each list shows.
    private static let shown = 20

    /// Lines whose payment came after they were imported.
    func returned(_ visit: Visit) async throws -> [[String: Any]] {
        let lines = try await ledger.settlements.listReturned(limit: Self.shown).elements
        guard !lines.isEmpty else { return [] }
        var section: [String: Any] = ["rows": lines.map { Self.row($0.draft, $0, visit) }]
        if visit.may(.keepBooks) { section["match"] = ["once": RandomToken.make()] }
        return [section]
    }

    /// Explanations that wait for somebody else.
    func unchecked(_ visit: Visit) async throws -> [[String: Any]] {
        let lines = try await ledger.settlements.listUnchecked(limit: Self.shown).elements
        return Layout.section(
            lines.map { line in
                var row = Self.row(line.draft, line, visit)
                row["by"] = line.dismissal?.by ?? ""
                row["isOfTerminal"] = line.dismissal?.by.hasPrefix(TerminalDesk.prefix) ?? false
                row["kind"] = line.dismissal?.kind.map { visit.text("dismissal_\($0.rawValue)") } ?? ""
                let isOwn = line.dismissal.map { visit.person.identity.isSamePerson(as: $0.person) } ?? false
                if visit.may(.keepBooks), !isOwn {
                    row["check"] = ["id": String(line.fileID), "line": String(line.number), "once": RandomToken.make()]
                }
                return row
            })
    }

    private func line(_ visit: Visit) async throws -> SettlementLine {
        let (file, number) = (try visit.context.pathID(), try visit.context.pathID("line"))
        guard let line = try await ledger.settlements.find(line: number, of: file) else { throw Problem(.notFound) }
        return line
    }

    /// `GET …/lines/{line}/dismiss`: the line, and what it may be.
    func explanation(_ visit: Visit) async throws -> Response {
        let line = try await line(visit)
        var values = Self.row(line.draft, line, visit)
        values["id"] = String(line.fileID)
        values["fee"] = Show.won(line.fee)
        values["tax"] = Show.won(line.tax)
        if line.status == .unmatched {
            values["form"] = [
                "once": RandomToken.make(), "id": String(line.fileID), "line": String(line.number),
                "kinds": SettlementLine.Dismissal.Kind.allCases.map { kind in
                    ["value": kind.rawValue, "text": visit.text("dismissal_\(kind.rawValue)")]
                },
            ]
        }
        return await Layout.page(visit, title: visit.text("explainTitle"), Self.lineTemplate, values)
    }

    /// `POST …/lines/{line}/dismiss`.
    func dismiss(_ visit: Visit) async throws -> Response {
        let line = try await line(visit)
        guard let kind = SettlementLine.Dismissal.Kind(rawValue: try visit.form.text("kind")) else {
            let kinds = SettlementLine.Dismissal.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(member: "kind", "kind must be one of \(kinds)")
        }
        let reason = try visit.form.text("reason")
        _ = try await desk.perform(.dismissLine, on: Self.target(line), visit, reason: reason) { caller in
            try await ledger.settlements.dismiss(
                line.number, of: line.fileID, as: kind, because: reason, by: caller.caller.rawValue
            ).line
        }
        return visit.redirect(to: "/console/settlements", notice: ConsoleAct.dismissLine.notice())
    }

    /// `POST …/lines/{line}/check`.
    func check(_ visit: Visit) async throws -> Response {
        let line = try await line(visit)
        _ = try await desk.perform(.checkDismissal, on: Self.target(line), visit) { caller in
            try await ledger.settlements.checkDismissal(
                line.number, of: line.fileID, by: caller.caller.rawValue, named: visit.person.name
            ).line
        }
        return visit.redirect(to: "/console/settlements", notice: ConsoleAct.checkDismissal.notice())
    }

    /// `POST /console/settlements/match`.
    func match(_ visit: Visit) async throws -> Response {
        _ = try await desk.perform(.matchLines, on: "settlements", visit) { _ in
            try await ledger.settlements.matchAgain()
        }
        return visit.redirect(to: "/console/settlements", notice: ConsoleAct.matchLines.notice())
    }

    private static func target(_ line: SettlementLine) -> String { "settlement:\(line.fileID)/\(line.number)" }
}
