import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Payments that need a decision by a person, and what people do about them.
struct FindingPages: Sendable {
    let acts: ApprovalDesk

    var desk: FindingActs { acts.desks.findings }

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("findings", needs: .read, list)
        routes.page("findings/{id}", needs: .read, page)
        routes.act(.assignFinding, assign)
        routes.act(.noteFinding, note)
        routes.act(.resolveFinding, resolve)
        routes.act(.claimFinding, claim)
        routes.act(.refundFinding, refund)
    }

    /// `GET /console/findings`; `?user=&payment=&order=&kind=&status=&age=&whose=&person=` filter, `?sort=` orders.
    private func list(_ visit: Visit) async throws -> Response {
        let given = visit.given("user", "payment", "order", "kind", "status", "age", "whose", "person", "sort")
        let name = "findings " + ConsolePath.query(given)
        let filter = try Self.filter(visit)
        let age = visit.query("age").flatMap { Self.ages.contains($0) ? TimeInterval($0) : nil }
        let period = Period(from: nil, to: age.map { Time.current.now - $0 * 86_400 })
        let found = try await desk.crediter.ledger.findings.list(
            in: period, filter, after: try visit.cursor(of: name, as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "kinds": Self.choices(Finding.Kind.all.map(\.rawValue), visit.query("kind")) {
                visit.text("finding_\($0)")
            },
            "statuses": Self.choices(Finding.Status.allCases.map(\.rawValue), filter.status.rawValue) {
                visit.text("findingStatus_\($0)")
            },
            "owners": Self.choices(["nobody", "mine", Self.finance], visit.query("whose")) {
                visit.text("findingWhose_\($0)")
            },
            "ages": Self.choices(Self.ages, visit.query("age")) { visit.text("findingAge_\(Self.ageNames[$0] ?? $0)") },
            "sorts": Self.choices(
                FindingFilter.Sort.allCases.map(\.rawValue),
                visit.query("sort") ?? (filter.status == .open ? "oldest" : "newest")
            ) { visit.text("findingSort_\($0)") },
            "user": visit.query("user") ?? "", "paymentName": filter.payment ?? "", "order": filter.order ?? "",
            "personName": filter.person ?? "", "isFiltered": !given.isEmpty,
            "isNamed": !visit.given("user", "payment", "order", "person").isEmpty,
            "section": Layout.section(found.elements.map { Self.row($0, visit) }),
        ]
        values["next"] = try visit.next("/console/findings", given, of: name, found.next)
        return await Layout.page(visit, title: visit.text("findingsTitle"), Self.listTemplate, values)
    }

    /// How many days ago a finding was found at least.
    private static let ages = ["1", "3", "7", "30"]
    private static let ageNames = ["1": "day", "3": "days", "7": "week", "30": "month"]

    private static func filter(_ visit: Visit) throws(Problem) -> FindingFilter {
        let whose = visit.query("whose")
        var filter = FindingFilter(
            status: visit.query("status").flatMap(Finding.Status.init(rawValue:)) ?? .open,
            kind: visit.query("kind").map(Finding.Kind.init(rawValue:)),
            assignee: whose == "mine" ? visit.person.name : whose == finance ? finance : nil,
            isAssigned: whose == "nobody" ? false : nil,
            person: visit.query("person"), sort: visit.query("sort").flatMap(FindingFilter.Sort.init(rawValue:)),
            payment: visit.query("payment"), order: visit.query("order"))
        filter.user = try visit.user("user")
        return filter
    }

    private static func choices(
        _ values: [String], _ chosen: String?, _ text: (String) -> String
    ) -> [[String: Any]] {
        values.map { ["value": $0, "text": text($0), "isChosen": $0 == chosen] }
    }

    private static func row(_ finding: Finding, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(finding.id), "kind": visit.text("finding_\(finding.kind.rawValue)"),
            "assignee": finding.assignee ?? "",
        ]
        if let payment = finding.payment, let amount = finding.amount, let currency = finding.currency {
            row["payment"] = [
                "amount": Show.money(amount, currency), "merchantUID": payment.merchantUID, "impUID": payment.paymentID,
                "gateway": payment.gateway,
            ]
        }
        if let excess = finding.excess {
            let show: (Int64) -> String = {
                excess.kind == .liabilityAboveLimit ? Show.won($0) : Show.coins($0, visit.language)
            }
            row["excess"] = [
                "hour": visit.show(excess.hour), "measured": show(excess.measured), "limit": show(excess.limit),
            ]
        }
        if let endpoint = finding.endpointID { row["endpoint"] = String(endpoint) }
        row["found"] = visit.time(finding.foundAt)
        row["paid"] = visit.time(finding.paidAt)
        if let user = finding.user ?? finding.claims.first?.user {
            row["customer"] = CustomerPath.link(to: user)
        }
        return row
    }

    /// `GET /console/findings/{id}`.
    private func page(_ visit: Visit) async throws -> Response {
        let (finding, acts) = try await desk.find(try visit.context.pathID())
        var values = Self.row(finding, visit)
        values["status"] = visit.text("findingStatus_\((finding.isOpen ? Finding.Status.open : .resolved).rawValue)")
        values["tone"] = finding.isOpen ? "wait" : "good"
        values["kinds"] = finding.kinds.map { ["text": visit.text("finding_\($0.rawValue)")] }
        values["proposals"] = ProposalPart.section(
            try await self.acts.desks.ledger.approvals.list(about: "finding:\(finding.id)"), visit)
        if let wrong = try await desk.crediter.wrongAmount(of: finding) {
            values["wrongAmount"] = Self.words(for: wrong, visit.language)
        }
        values["claims"] = finding.claims.map { claim in
            [
                "name": claim.user.rawValue, "path": CustomerPath.page(of: claim.user),
                "time": visit.show(claim.claimedAt),
            ]
        }
        values["acts"] = acts.map { act in
            [
                "act": visit.text("findingAct_\(act.kind.rawValue)"), "by": act.by, "whom": act.whom ?? "",
                "reason": act.reason ?? "", "time": visit.show(act.actedAt),
            ]
        }
        if visit.may(.workOnFindings) { values["forms"] = forms(finding, visit) }
        return await Layout.page(
            visit, title: "\(visit.text("findingTitle")) \(finding.id)", Self.pageTemplate, values)
    }

    // MARK: - Acts

    /// `POST …/take`, `…/leave` and `…/send`.
    private func assign(_ visit: Visit) async throws -> Response {
        let verb = visit.request.uri.path.split(separator: "/").last
        if verb == "send" { return try await send(visit) }
        let takes = verb == "take"
        return try await act(
            visit, takes ? .assign : .unassign, .assignFinding, whom: takes ? visit.person.name : nil)
    }

    private func note(_ visit: Visit) async throws -> Response {
        try await act(visit, .note, .noteFinding, reason: try visit.form.text("reason"))
    }

    private func resolve(_ visit: Visit) async throws -> Response {
        try await act(visit, .resolve, .resolveFinding, reason: try visit.form.text("reason"))
    }

    func act(
        _ visit: Visit, _ kind: FindingAct.Kind, _ act: ConsoleAct, whom: String? = nil, reason: String? = nil
    ) async throws -> Response {
        let finding = try await desk.find(try visit.context.pathID()).finding
        _ = try await acts.perform(
            act, on: "finding:\(finding.id)", visit, user: finding.user, reason: reason ?? ""
        ) {
            try await desk.act(kind, on: finding.id, by: $0.caller.rawValue, whom: whom, reason: reason)
        }
        return visit.redirect(to: "/console/findings/\(finding.id)", notice: act.notice())
    }

    private func claim(_ visit: Visit) async throws -> Response {
        let finding = try await desk.find(try visit.context.pathID()).finding
        let reason = try visit.form.text("reason")
        guard let user = UserID(rawValue: try visit.form.text("user")) else {
            throw Problem.invalid(member: "user", "user must be \(UserID.rule)")
        }
        _ = try FindingActs.payment(of: finding)
        try Self.requireAmount(of: finding, in: visit)
        let isNewUser = try await desk.isNew(user, to: finding)
        if isNewUser, visit.form["new_user"] != user.rawValue {
            return await Self.askAgain(visit, finding, user, reason)
        }
        return try await acts.perform(
            ClaimOrder(finding: finding.id, isNewUser: isNewUser), of: user, visit,
            seen: try await acts.seen(of: finding, for: user), needsApproval: acts.needsSecondPerson(finding),
            backTo: "/console/findings/\(finding.id)")
    }

    /// Asks once more before a payment is credited to a user of whom there is no record: the id may be a slip.
    private static func askAgain(
        _ visit: Visit, _ finding: Finding, _ user: UserID, _ reason: String
    ) async -> Response {
        var values = row(finding, visit)
        values["user"] = user.rawValue
        values["amountValue"] = amountValue(finding)
        values["reason"] = reason
        values["onceClaim"] = visit.form["once"] ?? ""
        return await Layout.page(
            visit, title: "\(visit.text("findingTitle")) \(finding.id)", status: .conflict, newUserTemplate, values)
    }
}
