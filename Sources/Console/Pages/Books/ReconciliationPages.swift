import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer

/// Comparisons of the gateways' payments with the books.
struct ReconciliationPages: Sendable {
    let ledger: Ledger
    /// The configured gateways.
    let gateways: [String]
    let desk: ApprovalDesk

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("reconciliations", needs: .readBooks, list)
        routes.page("reconciliations/{id}", needs: .readBooks, page)
        routes.act(.reconcile, start)
        routes.page("reconciliations/{id}/items/{line}", needs: .readBooks, difference)
        routes.act(.assignDifference, assign)
        routes.act(.noteDifference, note)
    }

    /// `GET /console/reconciliations`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await ledger.reconciliations.list(
            after: try visit.cursor(of: "reconciliations", as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "section": Layout.section(found.elements.map { Self.row($0, $0.counts, visit) }),
            "mayStart": visit.may(.keepBooks), "once": RandomToken.make(),
        ]
        values["next"] = try visit.next("/console/reconciliations", of: "reconciliations", found.next)
        return await Layout.page(visit, title: visit.text("reconciliationsTitle"), Self.listTemplate, values)
    }

    private static func row(
        _ run: ReconciliationRun, _ counts: ReconciliationCounts?, _ visit: Visit
    ) -> [String: Any] {
        [
            "id": String(run.id), "status": visit.text("run_\(run.status.rawValue)"),
            "from": visit.show(run.period.lowerBound),
            "to": visit.show(run.period.upperBound), "heals": run.heals,
            "payments": counts.map { Show.number($0.payments) } ?? "",
            "differences": counts.map { Show.number($0.differences) } ?? "",
            "healed": counts.map { Show.number($0.healed) } ?? "",
            "started": visit.show(run.startedAt), "failure": run.failure ?? "",
            "tone": run.status == .failed ? "bad" : run.status == .running ? "wait" : "good",
        ]
    }

    /// `GET /console/reconciliations/{id}`; `?kind=` for payments of one kind, by default the differences.
    private func page(_ visit: Visit) async throws -> Response {
        guard let run = try await ledger.reconciliations.find(try visit.context.pathID()) else {
            throw Problem(.notFound)
        }
        let chosen = visit.query("kind").flatMap(ReconciliationKind.init(rawValue:))
        let kinds = chosen.map { [$0] } ?? ReconciliationKind.allCases.filter(\.isDifference)
        let name = "reconciliation \(run.id) \(chosen?.rawValue ?? "")"
        let counts = try await ledger.reconciliations.counts(of: run)
        let found = try await ledger.reconciliations.listItems(
            of: run.id, kinds, after: try visit.cursor(of: name, as: After<Int64>.self), limit: Self.pageSize)
        var values = Self.row(run, counts, visit)
        values["kinds"] = ReconciliationKind.allCases.map { kind in
            [
                "path": "/console/reconciliations/\(run.id)?kind=\(kind.rawValue)",
                "text": visit.text("reconciled_\(kind.rawValue)"), "count": Show.number(counts.count(of: kind)),
            ]
        }
        let contexts = try await ledger.reconciliations.contexts(of: found.elements)
        let rows = found.elements.map { Self.item($0, contexts[$0.id], of: run.id, visit) }
        values["section"] = Layout.section(rows)
        values["next"] = try visit.next(
            "/console/reconciliations/\(run.id)", visit.given("kind"), of: name, found.next)
        let canHeal = run.status == .completed && !run.heals && counts.differences > 0
        if canHeal, visit.may(.keepBooks) {
            values["heal"] = [
                "fromValue": Self.moment(run.period.lowerBound), "toValue": Self.moment(run.period.upperBound),
                "once": RandomToken.make(), "plan": try await plan(run, visit),
                "healable": Show.number(
                    ReconciliationKind.allCases.filter(\.isHealable).reduce(0) { $0 + counts.count(of: $1) }),
            ]
        }
        return await Layout.page(visit, title: "\(visit.text("reconciliation")) \(run.id)", Self.pageTemplate, values)
    }

    private static func moment(_ date: Date) -> String { date.formatted(.iso8601) }

    static func item(
        _ item: ReconciliationItem, _ context: DifferenceContext?, of run: Int64, _ visit: Visit
    ) -> [String: Any] {
        let comparison = item.comparison
        var row: [String: Any] = [
            "kind": comparison.kind.map { visit.text("reconciled_\($0.rawValue)") } ?? "",
            "outcome": item.outcome.map { visit.text("healed_\($0.rawValue)") } ?? "",
            "impUID": comparison.payment.paymentID, "merchantUID": comparison.payment.merchantUID,
        ]
        row["path"] = "/console/reconciliations/\(run)/items/\(item.id)"
        row["owner"] = context?.owner ?? ""
        row["note"] = context?.note ?? ""
        row["finding"] = context?.finding.map(String.init)
        row["customer"] = context?.customer.map { CustomerPath.link(to: $0) }
        row["gateway"] = comparison.gateway.map { side in
            "\(side.status), \(Show.money(side.amount, side.currency)) − \(Show.money(side.cancelledAmount, side.currency))"
        }
        row["books"] = comparison.books.map { side in
            let transferred = side.transferredAmount ?? 0
            let explained =
                transferred == 0
                ? "" : " (\(Show.money(transferred, side.currency)) \(visit.text("reconciled_by_transfer")))"
            let refunded = Show.money(side.refundedAmount, side.currency)
            return "\(side.purchaseID), \(Show.money(side.amount, side.currency)) − \(refunded)\(explained)"
        }
        return row
    }

    /// `POST /console/reconciliations`.
    private func start(_ visit: Visit) async throws -> Response {
        // A person names the last day; the form that heals has the moments of its run.
        let isOfDays = visit.form["last"] != nil
        let to = isOfDays ? visit.endOfDay(try visit.moment("last")) : try visit.moment("to")
        let from = try visit.moment("from")
        if let fault = ReconciliationDraft.fault(of: (from, to)) {
            if isOfDays, fault == .isEmpty {
                throw Problem.invalid(member: "last", "the last day must not be before the first one")
            }
            let name = fault.isOfEnd ? (isOfDays ? "last" : "to") : "from"
            throw Problem.invalid(member: name, "\(name) \(fault.rule(from: "from"))")
        }
        let draft = ReconciliationDraft(
            period: from..<to, heals: visit.form["heal"] == "yes", gateways: gateways,
            key: try visit.actKey())
        let run = try await desk.perform(
            .reconcile, on: "period:\(Self.moment(from))/\(Self.moment(to))", visit
        ) { _ in
            guard let started = try await ledger.reconciliations.start(draft) else {
                throw Problem(.idempotencyKeyReused)
            }
            return started.run
        }
        return visit.redirect(to: "/console/reconciliations/\(run.id)", notice: ConsoleAct.reconcile.notice())
    }
}

extension Visit {
    /// A moment or the beginning of a day in a field of the form.
    fileprivate func moment(_ name: String) throws(Problem) -> Date {
        let text = try form.text(name)
        guard let date = CalendarMoment.date(text, in: timeZone) else {
            throw .invalid(member: name, "\(name) must be \(CalendarMoment.rule)")
        }
        return date
    }
}
