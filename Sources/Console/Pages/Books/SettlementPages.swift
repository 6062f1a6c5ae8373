import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing
import WireFormats

/// The gateways' payouts: settlement files, what is outstanding, and lines without a payment.
struct SettlementPages: Sendable {
    let ledger: Ledger
    /// The configured gateways.
    let gateways: [String]
    let desk: ApprovalDesk

    private static let pageSize = 30
    /// The files on a page, each with the sums of its lines, which can be thousands.
    private static let files = 8

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("settlements", needs: .readBooks, list)
        routes.page("settlements/{id}", needs: .readBooks, page)
        routes.upload("settlements/preview", needs: .keepBooks, preview)
        routes.act(.settle, book)
        routes.page(of: .dismissLine, explanation)
        routes.act(.dismissLine, dismiss)
        routes.act(.checkDismissal, check)
        routes.act(.matchLines, match)
    }

    /// `GET /console/settlements`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await ledger.settlements.list(
            after: try visit.cursor(of: "settlements", as: SettlementCursor.self), limit: Self.files)
        let ages = try await ledger.settlements.oldestOutstanding(at: Time.current.now)
        let owed = try await ledger.figures.owedByGateways()
        let unmatched = try await ledger.settlements.listUnmatched(limit: 20)
        var values: [String: Any] = [
            "ages": ages.map { age in
                [
                    "days": age.toDays.map { "\(age.fromDays)–\($0)" } ?? "\(age.fromDays)+",
                    "payments": Show.number(age.payments), "outstanding": Show.won(age.outstanding),
                ]
            },
            "owed": Show.won(owed),
            "unmatched": Layout.section(unmatched.elements.map { Self.row($0.draft, $0, visit) }),
            "returned": try await returned(visit), "unchecked": try await unchecked(visit),
            "hasMoreUnmatched": unmatched.next != nil,
            "files": Layout.section(found.elements.map { Self.file($0, visit) }),
        ]
        if visit.may(.keepBooks) { values["upload"] = ["gateways": gateways.map { ["name": $0] }] }
        values["next"] = try visit.next("/console/settlements", of: "settlements", found.next)
        return await Layout.page(visit, title: visit.text("settlementsTitle"), Self.listTemplate, values)
    }

    private static func file(_ file: SettlementFile, _ visit: Visit) -> [String: Any] {
        [
            "id": String(file.id), "name": file.name, "by": file.importedBy,
            "time": visit.show(file.importedAt), "net": Show.won(file.settled.net),
            "settled": Show.number(file.lines[.settled] ?? 0), "unmatched": Show.number(file.lines[.unmatched] ?? 0),
            "refused": Show.number(file.lines[.refused] ?? 0), "dismissed": Show.number(file.lines[.dismissed] ?? 0),
        ]
    }

    static func row(_ draft: SettlementLineDraft, _ line: SettlementLine?, _ visit: Visit) -> [String: Any] {
        [
            "line": String(draft.number), "payment": draft.payment, "gross": Show.gross(of: draft),
            "net": Show.won(draft.net), "day": draft.paidOutOn, "file": line.map { String($0.fileID) } ?? "",
            "number": String(draft.number), "status": line.map { visit.text("line_\($0.status.rawValue)") } ?? "",
            "exchange": line.flatMap { exchange($0, visit) } ?? "",
            "mayExplain": line?.status == .unmatched && visit.may(.keepBooks),
            "reason": line?.dismissal?.reason ?? line?.reason.map { visit.text("lineReason_\($0)") } ?? "",
        ]
    }

    /// What the won of the payout gained or lost; nil: nothing, or the line is not booked.
    private static func exchange(_ line: SettlementLine, _ visit: Visit) -> String? {
        guard let carried = line.carried, carried != line.gross else { return nil }
        let gain = line.gross - carried
        return "\(visit.text(gain < 0 ? "exchangeLoss" : "exchangeGain")) \(Show.won(abs(gain)))"
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
        values["gross"] = Show.won(file.settled.gross)
        values["fee"] = Show.won(file.settled.fee)
        values["tax"] = Show.won(file.settled.tax)
        values["lines"] = Layout.section(found.elements.map { Self.row($0.draft, $0, visit) })
        values["next"] = try visit.next("/console/settlements/\(file.id)", of: name, found.next)
        return await Layout.page(visit, title: file.name, Self.pageTemplate, values)
    }
}
