import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import PGVerifier

/// Payouts to providers: proposed by one person, approved by another, paid at the bank, and booked.
struct PayoutPages: Sendable {
    let desk: ApprovalDesk

    private static let pageSize = 30

    private var desks: Desks { desk.desks }
    private var payouts: Payouts { desks.ledger.payouts }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("payouts", needs: .readBooks, list)
        routes.page("payouts/{id}", needs: .readBooks, page)
        routes.page("payouts/{id}/file", needs: .readBooks, file)
        routes.act(.proposePayout, propose)
        routes.act(.approvePayout, approve)
        routes.act(.withdrawPayout, withdraw)
        routes.act(.payPayout, pay)
        routes.act(.takeBankFile, bankFile)
    }

    /// `GET /console/payouts`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await payouts.list(
            after: try visit.cursor(of: "payouts", as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "section": Layout.section(found.elements.map { Self.values($0, visit) })
        ]
        if visit.may(.keepBooks) { values["form"] = ["once": RandomToken.make()] }
        values["next"] = try visit.next("/console/payouts", of: "payouts", found.next)
        return await Layout.page(visit, title: visit.text("payoutsTitle"), Self.listTemplate, values)
    }

    private static func values(_ payout: Payout, _ visit: Visit) -> [String: Any] {
        [
            "id": String(payout.id), "status": visit.text("payout_\(payout.status.rawValue)"),
            "tone": payout.status == .paid ? "good" : payout.status == .withdrawn ? "bad" : "wait",
            "cutOff": visit.show(payout.cutOff), "providers": Show.number(payout.providers),
            "amount": Show.won(payout.amount), "withheld": Show.won(payout.withheld),
            "net": Show.won(payout.amount - payout.withheld), "note": payout.note ?? "",
        ]
    }

    /// `GET /console/payouts/{id}`: the sums, who decided what, and what each provider gets.
    private func page(_ visit: Visit) async throws -> Response {
        let payout = try await find(visit)
        let name = "payout \(payout.id)"
        let found = try await payouts.items(
            of: payout.id, after: try visit.cursor(of: name, as: PayoutItemCursor.self), limit: Self.pageSize)
        var values = Self.values(payout, visit)
        values["history"] = Self.history(payout, visit)
        values["items"] = found.elements.map { Self.row($0) }
        values["hasFile"] = payout.status.isForBank
        let isOwn = visit.person.identity.isSamePerson(as: payout.proposer)
        values["isOwn"] = payout.status == .proposed && isOwn
        if payout.status == .proposed, !isOwn, visit.may(.approve) { values["approve"] = ["once": RandomToken.make()] }
        if visit.may(.keepBooks) {
            if payout.status.isForBank {
                values["bankFile"] = [
                    "once": RandomToken.make(),
                    "layouts": BankLayout.allCases.map { layout in
                        ["value": layout.rawValue, "text": visit.text("bankLayout_\(layout.rawValue)")]
                    },
                ]
            }
            if payout.status == .approved { values["pay"] = ["once": RandomToken.make()] }
            if payout.status == .approved || payout.status == .proposed {
                values["withdraw"] = ["once": RandomToken.make()]
            }
        }
        values["next"] = try visit.next("/console/payouts/\(payout.id)", of: name, found.next)
        return await Layout.page(visit, title: "\(visit.text("payout")) \(payout.id)", Self.pageTemplate, values)
    }

    private static func history(_ payout: Payout, _ visit: Visit) -> [[String: Any]] {
        var steps: [[String: Any]] = []
        func add(_ status: Payout.Status, _ by: String, _ at: String, _ more: String = "") {
            steps.append(["status": visit.text("payout_\(status.rawValue)"), "by": by, "at": at, "more": more])
        }
        add(.proposed, payout.proposedBy, visit.show(payout.proposedAt), payout.note ?? "")
        if let done = payout.approval { add(.approved, done.by, visit.show(done.at)) }
        if let done = payout.withdrawal { add(.withdrawn, done.by, visit.show(done.at), done.reason ?? "") }
        if let done = payout.payment {
            add(.paid, done.by, visit.show(done.at), "\(visit.show(done.paidAt)), \(done.bankReference)")
        }
        return steps
    }

    private static func row(_ item: PayoutItem) -> [String: Any] {
        [
            "provider": item.provider.rawValue, "path": ProviderPages.path(of: item.provider),
            "amount": Show.won(item.amount), "incomeTax": Show.won(item.incomeTax),
            "localTax": Show.won(item.localTax), "net": Show.won(item.net),
            "shares": Show.number(item.shares),
        ]
    }

    /// `GET …/file`: the CSV for the bank, `?for=excel` for Excel.
    ///
    /// As `GET /v1/payouts/{id}/file`.
    private func file(_ visit: Visit) async throws -> Response {
        let style = try visit.request.csvStyle()
        return try await desks.payouts.fileResponse(of: try visit.context.pathID(), style)
    }

    // MARK: - Acts

    /// `POST /console/payouts`: what was recorded before the day of the form, or until now, to all or named providers.
    private func propose(_ visit: Visit) async throws -> Response {
        let field = try visit.form.emptiable("providers")
        let named = (field ?? "").split(whereSeparator: { $0.isWhitespace || $0 == "," })
        let providers = named.compactMap { UserID(rawValue: String($0)) }
        guard providers.count == named.count else {
            throw Problem.invalid(member: "providers", "providers must be ids of \(UserID.rule)")
        }
        // An empty field means all; one with nothing but commas is a mistake.
        let chosen = field == nil ? nil : providers
        try PayoutActs.check(chosen)
        let draft = PayoutDraft(
            key: try visit.actKey(), cutOff: try visit.cutOff(), providers: chosen,
            note: visit.form["note"] == nil ? nil : try visit.form.text("note"))
        let payout = try await desk.perform(.proposePayout, on: "payout:new", visit, reason: draft.note ?? "") { _ in
            try await desks.payouts.propose(draft).success
        }
        return Self.redirect(visit, to: payout, after: .proposePayout)
    }

    /// `POST …/approve`: by another person than the proposer.
    private func approve(_ visit: Visit) async throws -> Response {
        let payout = try await find(visit)
        _ = try await desk.perform(.approvePayout, on: "payout:\(payout.id)", visit) { _ in
            try await desks.payouts.approve(payout.id, by: visit.person.caller.rawValue, named: visit.person.name)
        }
        return Self.redirect(visit, to: payout, after: .approvePayout)
    }

    private func withdraw(_ visit: Visit) async throws -> Response {
        let (payout, reason) = (try await find(visit), try visit.form.text("reason"))
        _ = try await desk.perform(.withdrawPayout, on: "payout:\(payout.id)", visit, reason: reason) { _ in
            try await desks.payouts.withdraw(payout.id, because: reason, by: visit.person.caller.rawValue)
        }
        return Self.redirect(visit, to: payout, after: .withdrawPayout)
    }

    /// `POST …/pay`: the bank has paid it.
    ///
    /// As `POST /v1/payouts/{id}/payment`.
    private func pay(_ visit: Visit) async throws -> Response {
        let (payout, payment) = (try await find(visit), try visit.bankPayment())
        _ = try await desk.perform(.payPayout, on: "payout:\(payout.id)", visit, reason: payment.reference) {
            try await desks.payouts.pay(payout.id, payment, under: $0)
        }
        return Self.redirect(visit, to: payout, after: .payPayout)
    }

    private static func redirect(_ visit: Visit, to payout: Payout, after act: ConsoleAct) -> Response {
        visit.redirect(to: "/console/payouts/\(payout.id)", notice: act.notice())
    }

    /// `POST …/bank-file`: the payout in the layout of a bank, with the accounts that are kept, and those of an uploaded
    /// list, which is not kept, for the other providers.
    ///
    /// As `POST /v1/payouts/{id}/file?layout=`.
    private func bankFile(_ visit: Visit) async throws -> Response {
        let payout = try await find(visit)
        let layout: BankLayout = try visit.form.choice("layout")
        let list = try Self.list(in: visit)
        return try await desk.perform(.takeBankFile, on: "payout:\(payout.id)", visit, reason: layout.rawValue) { _ in
            let accounts = try await desks.payouts.accounts(of: payout.id, and: list)
            return try await desks.payouts.fileResponse(of: payout.id, in: layout, accounts)
        }
    }

    /// The uploaded list; nil: none was chosen.
    private static func list(in visit: Visit) throws(Problem) -> PayoutAccounts? {
        let bytes = visit.form.file?.bytes ?? visit.form["accounts"].map { Array($0.utf8) } ?? []
        guard !bytes.isEmpty else { return nil }
        do throws(PayoutAccounts.Invalid) { return try PayoutAccounts(bytes) } catch {
            throw Problem.invalid(member: "accounts", error.description)
        }
    }

    private func find(_ visit: Visit) async throws -> Payout {
        try await desks.payouts.find(try visit.context.pathID())
    }
}

extension Visit {
    /// The beginning of the form's day, if one is given.
    fileprivate func cutOff() throws(Problem) -> Date? {
        guard let text = try form.emptiable("cut_off") else { return nil }
        guard let date = CalendarMoment.date(text, in: timeZone) else {
            throw .invalid(member: "cut_off", "cut_off must be \(CalendarMoment.rule)")
        }
        return date
    }
}
