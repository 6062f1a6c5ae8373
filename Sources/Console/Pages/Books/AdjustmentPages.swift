import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Accounting policies, and the adjustments that they ask for at the ends of months.
struct AdjustmentPages: Sendable {
    let desk: ApprovalDesk
    let kept = KeptPreviews()

    private static let pageSize = 30
    /// Policies are few: one for each change of an estimate.
    private static let mostPolicies = 100
    /// Seconds until a page asks again for the preview that is being computed.
    private static let pause = 2

    private var adjustments: Adjustments { desk.desks.ledger.adjustments }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("adjustments", needs: .readBooks, list)
        routes.page("adjustments/preview", needs: .readBooks, preview)
        routes.page("adjustments/{id}", needs: .readBooks, page)
        routes.act(.bookAdjustment, book)
        routes.act(.setPolicy, setPolicy)
    }

    /// `GET /console/adjustments`: what is missing, the policies, and what was booked, the last one first.
    private func list(_ visit: Visit) async throws -> Response {
        let missing = try await adjustments.missing(until: Time.current.now, in: visit.timeZone, limit: Self.pageSize)
        let policies = try await adjustments.listPolicies(limit: Self.mostPolicies).elements
        let found = try await adjustments.list(
            after: try visit.cursor(of: "adjustments", as: AdjustmentCursor.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "missing": Layout.section(missing.map { Self.row($0, visit) }),
            "subjects": AccountingPolicy.Subject.allCases.map {
                ["value": $0.rawValue, "name": visit.text("adjust_\($0.rawValue)")]
            },
            "policies": Layout.section(policies.map { Self.values($0, visit) }),
            "booked": Layout.section(found.elements.map { Self.values($0, visit) }),
        ]
        if visit.may(.keepBooks) { values["form"] = ["once": RandomToken.make()] }
        values["next"] = try visit.next("/console/adjustments", of: "adjustments", found.next)
        return await Layout.page(visit, title: visit.text("adjustmentsTitle"), Self.listTemplate, values)
    }

    /// `GET /console/adjustments/preview?subject=&month=`: what would be booked; `&fresh=yes`: by the books of now.
    private func preview(_ visit: Visit) async throws -> Response {
        let (subject, month) = try Self.adjusted(visit.query("subject"), visit.query("month"))
        let now = Time.current.now
        let title = Self.title(subject, month, visit)
        guard let (preview, asOf) = try await find(subject, month, now, visit) else {
            var response = await Layout.page(visit, title: title, Self.computingTemplate)
            response.headers[.refresh] = "\(Self.pause); url=\(Self.path(subject, month))"
            return response
        }
        let policy = preview.policies[subject]
        let isOver = month.next.start(in: visit.timeZone) <= now
        var values: [String: Any] = [
            "booked": Show.won(preview.booked), "target": Show.won(preview.target),
            "amount": Show.won(preview.target - preview.booked), "isRunning": !isOver,
            "cohorts": Self.table(preview.cohorts, of: subject),
        ]
        values["policy"] = policy.map { Self.values($0, visit) }
        if asOf < now {
            values["kept"] = ["time": visit.show(asOf), "fresh": Self.path(subject, month, isFresh: true)]
        }
        values["observed"] = subject == .breakage ? preview.observedBreakage.map { Show.number($0) } : nil
        let isAsked = policy?.method.adjusts == true || preview.booked != 0
        if isAsked, isOver, visit.may(.keepBooks) {
            values["form"] = [
                "once": RandomToken.make(), "subject": subject.rawValue, "month": month.description,
                "target": String(preview.target),
            ]
        }
        return await Layout.page(visit, title: title, Self.previewTemplate, values)
    }

    /// The preview that a page shows, and its moment; nil: it is being computed.
    private func find(
        _ subject: AccountingPolicy.Subject, _ month: CivilMonth, _ now: Date, _ visit: Visit
    ) async throws -> (preview: AdjustmentPreview, asOf: Date)? {
        let read = { @Sendable [adjustments, zone = visit.timeZone] in
            try await adjustments.preview(subject, of: month, in: zone)
        }
        guard try await adjustments.hasMorePurchases(than: KeptPreviews.fewPurchases) else {
            return (try await read(), now)
        }
        var terms: KeptPreviews.Terms?
        if visit.query("fresh") != "yes" {
            terms = KeptPreviews.Terms(
                policies: try await adjustments.policies(in: month), booked: try await adjustments.booked(subject))
        }
        return try await kept.find(subject, of: month, on: terms, now: now, read)
    }

    /// `GET /console/adjustments/{id}`: what it comes from.
    private func page(_ visit: Visit) async throws -> Response {
        guard let adjustment = try await adjustments.find(try visit.context.pathID()) else {
            throw Problem(.notFound, "the adjustment does not exist")
        }
        var values = Self.values(adjustment, visit)
        values["cohorts"] = Self.table(try await adjustments.cohorts(of: adjustment.id), of: adjustment.subject)
        return await Layout.page(
            visit, title: Self.title(adjustment.subject, adjustment.month, visit), Self.pageTemplate, values)
    }

    // MARK: - Acts

    /// `POST /console/adjustments`: books the adjustment that was previewed, or shows the new one.
    ///
    /// As `POST /v1/adjustments`.
    private func book(_ visit: Visit) async throws -> Response {
        let (subject, month) = try Self.adjusted(visit.form["subject"], visit.form["month"])
        let act = try await adjustments.adjustment(subject, of: month, in: visit.timeZone, key: try visit.actKey())
        guard visit.form["target"] == String(act.target) else {
            return visit.redirect(
                to: Self.path(subject, month, isFresh: true), notice: ConsoleAct.bookAdjustment.notice("changed"))
        }
        let booked = try await desk.perform(
            .bookAdjustment, on: "adjustment:\(subject.rawValue)/\(month)", visit
        ) { _ in try await desk.desks.ledger.perform(act).success }
        return visit.redirect(
            to: "/console/adjustments/\(booked.adjustmentID)",
            notice: ConsoleAct.bookAdjustment.notice(booked.journalEntryID == nil ? "nothing" : nil))
    }

    /// `POST /console/adjustments/policies`.
    ///
    /// As `PUT /v1/accounting-policies/{subject}/{month}`.
    private func setPolicy(_ visit: Visit) async throws -> Response {
        let (method, month) = (try visit.form.policyMethod(), try CivilMonth(asked: visit.form["month"]))
        let reason = try visit.form.text("reason")
        _ = try await desk.perform(
            .setPolicy, on: "policy:\(method.subject.rawValue)/\(month)", visit, reason: reason
        ) { _ in
            let setting = try await adjustments.setPolicy(
                method, from: month, in: visit.timeZone, by: visit.person.caller.rawValue)
            return try setting.policy
        }
        return visit.redirect(to: "/console/adjustments", notice: ConsoleAct.setPolicy.notice())
    }

    private static func adjusted(
        _ subject: String?, _ month: String?
    ) throws(Problem) -> (AccountingPolicy.Subject, CivilMonth) {
        guard let subject = subject.flatMap(AccountingPolicy.Subject.init(rawValue:)) else {
            throw .invalid(member: "subject", "subject must be \(AccountingPolicy.Subject.rule)")
        }
        return (subject, try CivilMonth(asked: month))
    }
}

// MARK: - Values

extension AdjustmentPages {
    /// - Parameter isFresh: whether no kept preview will do.
    private static func path(
        _ subject: AccountingPolicy.Subject, _ month: CivilMonth, isFresh: Bool = false
    ) -> String {
        "/console/adjustments/preview?subject=\(subject.rawValue)&month=\(month)\(isFresh ? "&fresh=yes" : "")"
    }

    private static func title(
        _ subject: AccountingPolicy.Subject, _ month: CivilMonth, _ visit: Visit
    ) -> String { "\(visit.text("adjust_\(subject.rawValue)")), \(month)" }

    private static func row(_ missing: MissingAdjustment, _ visit: Visit) -> [String: Any] {
        [
            "subject": visit.text("adjust_\(missing.subject.rawValue)"), "month": missing.month.description,
            "path": path(missing.subject, missing.month),
        ]
    }

    private static func values(_ policy: AccountingPolicy, _ visit: Visit) -> [String: Any] {
        let method = policy.method
        return [
            "subject": visit.text("adjust_\(method.subject.rawValue)"), "month": policy.month.description,
            "method": visit.text("policy_\(method.name)"), "figures": figures(method, visit), "by": policy.setBy,
            "at": visit.show(policy.setAt),
        ]
    }

    /// The figures of a method, each after its name; empty: it has none.
    private static func figures(_ method: AccountingPolicy.Method, _ visit: Visit) -> String {
        let named = [
            (visit.text("policyExpected"), method.expected), (visit.text("policyProbable"), method.highlyProbable),
            (visit.text("policyPrice"), method.bonusPrice),
        ]
        return named.compactMap { name, figure in figure.map { "\(name): \(Show.number($0))" } }
            .joined(separator: "; ")
    }

    private static func values(_ adjustment: Adjustment, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = [
            "id": String(adjustment.id), "subject": visit.text("adjust_\(adjustment.subject.rawValue)"),
            "month": adjustment.month.description, "amount": Show.won(adjustment.amount),
            "target": Show.won(adjustment.target), "by": adjustment.adjustedBy,
            "at": visit.show(adjustment.recordedAt),
        ]
        values["entry"] = adjustment.journalEntryID.map(String.init)
        return values
    }

    /// The cohorts as a table; empty: there are none.
    private static func table(_ parts: [AdjustmentCohort], of subject: AccountingPolicy.Subject) -> [[String: Any]] {
        guard !parts.isEmpty else { return [] }
        let rows = parts.map { part -> [String: Any] in
            let cohort = part.cohort
            let amounts = [
                "sold": cohort.sold, "refunded": cohort.refunded, "used": cohort.used, "expired": cohort.expired,
                "deferred": cohort.deferred, "allocated": cohort.allocated, "target": part.target,
            ]
            let row: [String: Any] = [
                "month": cohort.soldIn.description, "purchases": Show.number(cohort.purchases),
                "isAllocated": subject == .bonus,
            ]
            return row.merging(amounts.mapValues(Show.won)) { $1 }
        }
        return [["rows": rows, "isAllocated": subject == .bonus]]
    }
}

extension ConsoleForm {
    /// The method of a policy, with its figures.
    fileprivate func policyMethod() throws -> AccountingPolicy.Method {
        try .checked(
            self["method"] ?? "", expected: try number("expected"), highlyProbable: try number("highly_probable"),
            bonusPrice: try number("bonus_price"))
    }

    /// A whole number, if given.
    private func number(_ name: String) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text.replacing(",", with: "")) else {
            throw .invalid(member: name, "\(name) must be a whole number")
        }
        return number
    }
}
