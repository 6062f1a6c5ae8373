import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Closing a month: what is open before it, one person's proposal, another person's closing, and the seal and files after it.
struct ClosingPages: Sendable {
    let ledger: Ledger
    let desk: ApprovalDesk
    /// The key that signs seals; nil: the books are not sealed.
    let sealKey: SealKey?

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("closing", needs: .readBooks, page)
        routes.page("closing/seals/{id}", needs: .readBooks, sealFile)
        routes.act(.proposeClosing, propose)
        routes.act(.withdrawClosing, withdraw)
        routes.act(.closeBooks, close)
        routes.act(.sealBooks, seal)
    }

    /// `GET /console/closing?month=2026-10`; by default the first whole month that is open.
    private func page(_ visit: Visit) async throws -> Response {
        let zone = visit.timeZone
        let closings = try await ledger.periods.list(limit: 12).elements
        let months = Self.months(in: zone)
        let chosen = try visit.query("month").map { try CivilMonth(asked: $0) }
        let month = chosen ?? Self.next(after: closings.first, of: months, in: zone)
        let until = month.next.start(in: zone)
        let checklist = try await ledger.periods.checklist(until: until, in: zone)
        let proposal = try await ledger.periods.waitingProposal()
        let isClosed = closings.first.map { $0.until >= until } ?? false
        let isOver = until <= Time.current.now
        var values: [String: Any] = [
            "month": month.description, "until": visit.show(until), "isClosed": isClosed, "isRunning": !isOver,
            "months": months.map { ["name": $0.description, "isChosen": $0 == month] as [String: Any] },
            "checklist": checklist.items.map { Self.row($0, visit) }, "isClear": checklist.isClear,
            "from": visit.show(checklist.from), "isEmpty": checklist.from >= until,
            "closings": closings.map { period in
                ["until": visit.show(period.until), "by": period.closedBy, "at": visit.show(period.closedAt)]
            },
            "seals": try await seals(visit),
        ]
        if let proposal {
            let ofProposal =
                proposal.until == until
                ? checklist : try await ledger.periods.checklist(until: proposal.until, in: zone)
            values["proposal"] = Self.values(proposal, openNow: ofProposal.openItems, visit)
        } else if !isClosed, isOver, visit.may(.keepBooks) {
            values["form"] = ["once": RandomToken.make(), "month": month.description]
        }
        if sealKey == nil { values["hasNoKey"] = true }
        if sealKey != nil, visit.may(.keepBooks) { values["sealForm"] = ["once": RandomToken.make()] }
        return await Layout.page(visit, title: "\(visit.text("closingTitle")) \(month)", Self.template, values)
    }

    /// The last twelve whole months, the last one first.
    private static func months(in zone: TimeZone) -> [CivilMonth] {
        ReportPeriod.choices(at: Time.current.now, in: zone).compactMap { CivilMonth($0) }
    }

    /// The first whole month that is not closed; if all are, the last one.
    private static func next(after last: ClosedPeriod?, of months: [CivilMonth], in zone: TimeZone) -> CivilMonth {
        let lastWhole = months.first ?? CivilMonth(of: Time.current.now, in: zone)
        guard let last else { return lastWhole }
        return min(CivilMonth(of: last.until, in: zone), lastWhole)
    }

    // MARK: - Values

    private static func row(_ item: ClosingChecklist.Item, _ visit: Visit) -> [String: Any] {
        let more = item.open.count > Int64(item.open.examples.count) ? ", …" : ""
        var row: [String: Any] = [
            "question": visit.text("check_\(item.question.rawValue)"),
            "help": visit.text("checkDo_\(item.question.rawValue)"),
            "path": path(of: item.question), "open": Show.number(item.open.count), "isOpen": item.open.count > 0,
            "since": visit.show(item.open.oldest),
        ]
        if item.open.count > 0 {
            row["which"] = item.open.examples.map { example(item.question, $0, visit) }.joined(separator: ", ") + more
        }
        return row
    }

    /// Where a person does something about it.
    ///
    /// - Parameter page: the page of the closing, if the link is on another one.
    static func path(of question: ClosingChecklist.Question, on page: String = "") -> String {
        switch question {
        case .openFindings: "/console/findings"
        case .waitingReceipts: "/console/receipts"
        case .pendingRefunds: "/console/refunds"
        case .uncomparedDays: "/console/reconciliations"
        case .unmatchedSettlementLines, .unsettledPayments: "/console/settlements"
        case .missingAdjustments: "/console/adjustments"
        case .unsealedPeriods: page + "#seal"
        }
    }

    /// What is open, in the person's language: an adjustment is `breakage of 2026-01`.
    private static func example(
        _ question: ClosingChecklist.Question, _ name: String, _ visit: Visit
    ) -> String {
        if question == .unsealedPeriods, let until = RFC3339.date(from: name) { return visit.show(until) }
        let parts = name.components(separatedBy: " of ")
        guard question == .missingAdjustments, parts.count == 2,
            let subject = AccountingPolicy.Subject(rawValue: parts[0])
        else { return name }
        return "\(visit.text("adjust_\(subject.rawValue)")) \(parts[1])"
    }

    /// - Parameter openNow: what is open before the proposal's moment, whatever month the page shows.
    private static func values(_ proposal: ClosingProposal, openNow: Int64, _ visit: Visit) -> [String: Any] {
        let isOwn = visit.person.identity.isSamePerson(as: proposal.proposer)
        var values: [String: Any] = [
            "id": String(proposal.id), "month": name(of: proposal, in: visit.timeZone), "by": proposal.proposedName,
            "at": visit.show(proposal.proposedAt), "reason": proposal.reason,
            "openThen": Show.number(proposal.openItems), "openNow": Show.number(openNow), "isOwn": isOwn,
        ]
        if !isOwn, visit.may(.approve) {
            values["close"] = [
                "once": RandomToken.make(), "id": String(proposal.id), "open_items": String(openNow),
            ]
        }
        if visit.may(.keepBooks) { values["withdraw"] = ["once": RandomToken.make(), "id": String(proposal.id)] }
        return values
    }

    /// The month that a proposal closes; the day before which it closes, if that is no end of a month.
    static func name(of proposal: ClosingProposal, in zone: TimeZone) -> String {
        let month = CivilMonth(of: proposal.until.addingTimeInterval(-1), in: zone)
        return month.next.start(in: zone) == proposal.until ? month.description : Show.time(proposal.until, in: zone)
    }

    private func seals(_ visit: Visit) async throws -> [[String: Any]] {
        try await ledger.seals.list(limit: 5).elements.map { kept in
            [
                "id": String(kept.id), "entries": Show.number(kept.seal.content.entries),
                "head": kept.seal.content.head, "at": visit.show(kept.seal.content.sealedAt),
            ]
        }
    }

    /// `GET …/seals/{id}`: the file, as of `GET /v1/seals/{id}`.
    private func sealFile(_ visit: Visit) async throws -> Response {
        guard let kept = try await ledger.seals.find(try visit.context.pathID()) else { throw Problem(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .contentDisposition: "attachment; filename=\"seal-\(kept.id).json\"", .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try kept.seal.file)))
    }

    // MARK: - Acts

    /// `POST /console/closing`: proposes to close a month whose name was typed.
    private func propose(_ visit: Visit) async throws -> Response {
        let month = try CivilMonth(asked: try visit.form.text("month"))
        try visit.confirm(month.description)
        let reason = try visit.form.text("reason")
        let until = month.next.start(in: visit.timeZone)
        let open = try await ledger.periods.checklist(until: until, in: visit.timeZone).openItems
        let draft = ClosingDraft(
            key: try visit.form.once(), until: until, openItems: open, reason: reason, proposer: visit.person)
        _ = try await desk.perform(
            .proposeClosing, on: "period:\(month)", visit, reason: reason, seen: ["open_items": .integer(open)]
        ) { _ in try await desk.desks.periods.propose(draft) }
        return Self.redirect(visit, to: month.description, after: .proposeClosing)
    }

    /// `POST …/{id}/close`: by another person than the proposer, who types the month again.
    ///
    /// - Throws: `changed_meanwhile` if more is open now than the page showed.
    private func close(_ visit: Visit) async throws -> Response {
        let proposal = try await find(visit)
        let name = Self.name(of: proposal, in: visit.timeZone)
        try visit.confirm(name)
        let shown = visit.form["open_items"].flatMap { Int64($0) } ?? proposal.openItems
        let open = try await ledger.periods.checklist(until: proposal.until, in: visit.timeZone).openItems
        _ = try await desk.perform(
            .closeBooks, on: "period:\(name)", visit, reason: proposal.reason,
            seen: ["open_items": .integer(open), "proposed_by": .string(proposal.proposedName)]
        ) { _ in
            guard open <= shown else { throw Problem(Refusal.changedMeanwhile) }
            return try await desk.desks.periods.close(proposal, by: visit.person)
        }
        return Self.redirect(visit, to: name, after: .closeBooks)
    }

    private func withdraw(_ visit: Visit) async throws -> Response {
        let proposal = try await find(visit)
        let (name, reason) = (Self.name(of: proposal, in: visit.timeZone), try visit.form.text("reason"))
        try await desk.perform(.withdrawClosing, on: "period:\(name)", visit, reason: reason) { _ in
            try await desk.desks.periods.withdraw(proposal, by: visit.person)
        }
        return Self.redirect(visit, to: name, after: .withdrawClosing)
    }

    /// `POST …/seal`: signs the present state of the books.
    private func seal(_ visit: Visit) async throws -> Response {
        guard let sealKey else { throw Problem(.notFound, "the books are not sealed: set LEDGERD_SEAL_KEY") }
        _ = try await desk.perform(.sealBooks, on: "books", visit) { _ in
            try await ledger.seals.make(with: sealKey)
        }
        return visit.redirect(to: "/console/closing", notice: ConsoleAct.sealBooks.notice())
    }

    private func find(_ visit: Visit) async throws -> ClosingProposal {
        guard let proposal = try await ledger.periods.findProposal(try visit.context.pathID()) else {
            throw Problem(.notFound, "the proposal does not exist")
        }
        return proposal
    }

    private static func redirect(_ visit: Visit, to month: String, after act: ConsoleAct) -> Response {
        let path = CivilMonth(month) == nil ? "/console/closing" : "/console/closing?month=\(month)"
        return visit.redirect(to: path, notice: act.notice())
    }
}

extension ClosingChecklist {
    /// The items of all questions, added up.
    var openItems: Int64 { items.reduce(0) { $0 &+ $1.open.count } }
}

extension Visit {
    /// Checks that the person typed what is to be closed.
    fileprivate func confirm(_ name: String) throws(Problem) {
        guard try form.text("confirm") == name else {
            throw .invalid(member: "confirm", "confirm must be \(name), which is what is closed")
        }
    }
}
