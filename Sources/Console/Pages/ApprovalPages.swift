import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// Acts above a limit, which wait for a second person.
struct ApprovalPages: Sendable {
    let ledger: Ledger
    let desk: ApprovalDesk

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("approvals", needs: .read, list)
        routes.page("approvals/{id}", needs: .read, page)
        routes.act(.approve) { try await decide($0, approves: true) }
        routes.act(.decline) { try await decide($0, approves: false) }
        routes.act(.withdraw, withdraw)
    }

    /// `GET /console/approvals`.
    private func list(_ visit: Visit) async throws -> Response {
        let cursor = try visit.cursor(of: "approvals", as: After<Int64>.self)
        let open = cursor == nil ? try await ledger.approvals.listOpen() : []
        let closed = try await ledger.approvals.listClosed(after: cursor, limit: Self.pageSize)
        var values: [String: Any] = [
            "isFirst": cursor == nil, "open": ProposalPart.section(open, visit),
            "closed": ProposalPart.section(closed.elements, visit),
        ]
        if cursor == nil, visit.may(.readBooks), let closing = try await ledger.periods.waitingProposal() {
            values["closing"] = [
                "month": ClosingPages.name(of: closing, in: visit.timeZone), "by": closing.proposedName,
            ]
        }
        let accounts = cursor == nil && visit.may(.readBooks) ? try await waitingAccounts() : []
        values["accounts"] = accounts
        values["isNone"] = open.isEmpty && accounts.isEmpty && values["closing"] == nil
        values["next"] = try visit.next("/console/approvals", of: "approvals", closed.next)
        return await Layout.page(visit, title: visit.text("approvalsTitle"), Self.listTemplate, values)
    }

    /// The bank accounts of providers that wait: each is decided on its provider's page.
    private func waitingAccounts() async throws -> [[String: String]] {
        try await ledger.providers.waitingAccounts(limit: Self.pageSize).map { waiting in
            [
                "path": ProviderPages.path(of: waiting.provider), "provider": waiting.provider.rawValue,
                "by": waiting.proposedBy,
            ]
        }
    }

    private func find(_ visit: Visit) async throws -> Approval {
        guard let approval = try await ledger.approvals.find(try visit.context.pathID()) else {
            throw Problem(.notFound)
        }
        return approval
    }

    /// `GET /console/approvals/{id}`: all that the second person needs, in words.
    private func page(_ visit: Visit) async throws -> Response {
        let approval = try await find(visit)
        let review = try await desk.review(of: approval)
        let isOwn = visit.person.proposed(approval)
        let isOutdated = approval.status == .waiting && (review?.isOutdated ?? false)
        let mayDecide = approval.isOpen && !isOwn && visit.may(.approve) && review != nil
        var values = ProposalPart.row(approval, visit)
        values["states"] = states(approval, review, visit)
        values["asked"] = asked(of: approval, visit)
        values["outcome"] = outcome(of: approval, visit)
        values["isOutdated"] = isOutdated
        values["mayApprove"] = mayDecide && !isOutdated
        values["mayDecline"] = approval.status == .waiting && !isOwn && visit.may(.approve)
        values["isOwn"] = approval.isOpen && isOwn
        values["isStuck"] = approval.status == .approved
        values["hasAccount"] = approval.account != nil
        values["once"] = RandomToken.make()
        values["onceDecline"] = RandomToken.make()
        values["approveLabel"] = visit.text(
            ProposalDescriber.of(approval.act) == nil ? "approveButton" : "proposalApprove_\(approval.act)")
        values["size"] = ProposalPart.size(of: approval, visit)
        if let review {
            let object = ProposalObject(desk: desk, approval: approval, review: review, visit: visit)
            values.merge(try await object.values()) { $1 }
        }
        return await Layout.page(
            visit, title: "\(ProposalPart.title(of: approval, visit)) \(ProposalPart.size(of: approval, visit))",
            Self.pageTemplate, values)
    }

    /// What the proposer saw, beside what is so now, as long as that decides something.
    private func states(_ approval: Approval, _ review: ProposalReview?, _ visit: Visit) -> [[String: Any]] {
        guard let describer = ProposalDescriber.of(approval.act) else { return [] }
        let then = review?.then ?? JSON.members(approval.seen)
        let now = approval.isOpen ? review?.now : nil
        let rows = describer.seen.compactMap { field -> [String: Any]? in
            guard let before = field.value(in: then, visit.language) else { return nil }
            let present = now.flatMap { field.value(in: $0, visit.language) }
            return [
                "label": field.label(visit.language), "then": before, "now": present ?? "",
                "isChanged": present.map { $0 != before } ?? false,
            ]
        }
        return rows.isEmpty ? [] : [["rows": rows, "isOpen": now != nil]]
    }

    /// What is asked for.
    private func asked(of approval: Approval, _ visit: Visit) -> [[String: String]] {
        guard let describer = ProposalDescriber.of(approval.act) else { return [] }
        return ProposalDescriber.facts(describer.asked, in: JSON.members(approval.parameters), visit.language)
    }

    /// What became of it.
    private func outcome(of approval: Approval, _ visit: Visit) -> [[String: String]] {
        guard let describer = ProposalDescriber.of(approval.act) else { return [] }
        return ProposalDescriber.facts(
            describer.made, in: JSON.members(approval.outcome),
            currency: JSON.members(approval.seen)["currency"]?.text, visit.language)
    }

    /// The members of a JSON object, one by one.
    static func facts(_ json: String) -> [[String: String]] {
        JSON.members(json).sorted { $0.key < $1.key }.map { name, value in
            ["name": name, "value": value.text ?? value.written]
        }
    }

    /// `POST /console/approvals/{id}/approve` and `…/decline`: who declines says why.
    private func decide(_ visit: Visit, approves: Bool) async throws -> Response {
        let approval = try await find(visit)
        if approves {
            _ = try await desk.approve(approval, because: try visit.form.note("reason"), by: try visit.sender)
        } else {
            try await desk.decline(approval, because: try visit.form.text("reason"), by: try visit.sender)
        }
        let act = approves ? ConsoleAct.approve : .decline
        return visit.redirect(to: "/console/approvals/\(approval.id)", notice: act.notice())
    }

    /// `POST /console/approvals/{id}/withdraw`: only by who proposed it.
    private func withdraw(_ visit: Visit) async throws -> Response {
        let approval = try await find(visit)
        try await desk.withdraw(approval, by: try visit.sender)
        return visit.redirect(to: "/console/approvals/\(approval.id)", notice: ConsoleAct.withdraw.notice())
    }

    private static let columns = """
        <thead><tr><th scope="col">{{t.act}}</th><th scope="col">{{t.searchUser}}</th>
        <th scope="col" class="number">{{t.amount}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col">{{t.reason}}</th><th scope="col">{{t.proposer}}</th><th scope="col">{{t.status}}</th></tr></thead>
        """

    private static let rows = """
        {{#rows}}<tr><th scope="row"><a href="/console/approvals/{{id}}">{{act}} {{id}}</a></th>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td>\(ProposalPart.cells)</tr>
        {{/rows}}
        """

    static let listTemplate = ConsoleTemplate(
        """
        {{#isFirst}}<h2>{{t.approvalsOpen}}</h2>
        {{#closing}}<p><a href="/console/closing">{{t.closingProposed}} {{month}}</a> ({{by}})</p>{{/closing}}
        {{#accounts}}<p><a href="{{path}}">{{t.accountTitle}}: {{provider}}</a> ({{by}})</p>{{/accounts}}
        {{#isNone}}\(FormPart.empty("approvalsNone")){{/isNone}}
        {{#open}}<table class="stacked">\(columns)<tbody>\(rows)</tbody></table>{{/open}}{{/isFirst}}
        <h2>{{t.approvalsClosed}}</h2>
        {{^closed}}<p class="quiet">{{t.noneClosed}}</p>{{/closed}}
        {{#closed}}<table class="stacked">\(columns)<tbody>\(rows)</tbody></table>{{/closed}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <p><span class="status {{tone}}">{{status}}</span></p>
        {{#isOwn}}<p class="warning">{{t.ownProposal}}</p>{{/isOwn}}
        {{#isStuck}}<p class="warning">{{t.stuckProposal}}</p>{{/isStuck}}
        {{#isOutdated}}<p class="warning" role="alert">{{t.outdatedProposal}}</p>{{/isOutdated}}
        <dl class="facts"><div><dt>{{t.searchUser}}</dt><dd>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</dd></div>
        {{#asked}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/asked}}
        <div><dt>{{t.proposer}}</dt><dd>{{proposer}}{{#proposed}}<br><time datetime="{{value}}">{{text}}</time>{{/proposed}}</dd></div>
        {{#decided}}<div><dt>{{t.decider}}</dt><dd>{{decider}}<br><time datetime="{{value}}">{{text}}</time></dd></div>{{/decided}}
        {{#outcome}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/outcome}}</dl>
        <h2>{{t.reason}}</h2><p>{{reason}}</p>
        {{#decision}}<h2>{{t.decision}}</h2><p>{{text}}</p>{{/decision}}
        {{#hasAccount}}<p class="quiet">{{t.hasAccount}}</p>{{/hasAccount}}
        \(ProposalObject.template)
        {{#states}}<h2>{{t.seenThen}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.seenWhat}}</th><th scope="col" class="number">{{t.seenBefore}}</th>
        {{#isOpen}}<th scope="col" class="number">{{t.seenNow}}</th>{{/isOpen}}</tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{label}}{{#isChanged}} <span class="status wait">{{t.seenChanged}}</span>{{/isChanged}}</th>
        <td class="number">{{then}}</td>{{#isOpen}}<td class="number">{{now}}</td>{{/isOpen}}</tr>
        {{/rows}}</tbody></table>{{/states}}
        {{#others}}<h2>{{t.otherProposals}}</h2>
        <table class="stacked">\(ProposalPart.columns)<tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/approvals/{{id}}">{{act}} {{id}}</a></th>\(ProposalPart.cells)</tr>
        {{/rows}}</tbody></table>{{/others}}
        {{#mayApprove}}<form class="act" method="post" action="\(ConsoleAct.approve.action())">\(FormPart.hidden())
        <div><button class="first">{{approveLabel}} {{size}}</button></div></form>{{/mayApprove}}
        {{#mayDecline}}\(ConsoleAct.decline.form("declineButton", once: "onceDecline", isFirst: false)){{/mayDecline}}
        \(ProposalPart.withdrawForm)
        """)

    static let texts: [ConsoleText] = [
        .init("approvalsTitle", "Approvals", "승인"),
        .init(
            "approvalsNone", "Nobody asks for approval. An act above a person's limit is here until it is decided.",
            "승인 요청이 없습니다. 단독 처리 한도를 넘는 작업이 여기에 표시됩니다."), .init("approvalsOpen", "Waiting", "승인 대기"),
        .init("approvalsClosed", "Decided", "처리됨"), .init("act", "Act", "작업"),
        .init("proposer", "Proposed by", "요청자"), .init("decider", "Decided by", "승인자"),
        .init("decision", "Reason of the decision", "승인/반려 사유"), .init("declineReason", "Why it is declined", "반려 사유"),
        .init("seenThen", "When it was proposed, and now", "요청 시점과 현재"), .init("seenWhat", "What", "항목"),
        .init("seenBefore", "When it was proposed", "요청 시점"), .init("seenNow", "Now", "현재"),
        .init("seenChanged", "changed", "변경됨"), .init("otherProposals", "Other proposals", "다른 승인 요청"),
        .init(
            "outdatedProposal",
            "It has changed since it was proposed, as the table shows: it can't be approved. Decline it, or let it be proposed again.",
            "아래 표와 같이 요청 이후 상태가 바뀌어 승인할 수 없습니다. 반려하거나 다시 요청하게 하세요."),
        .init(
            "hasAccount", "A bank account is given; it is shown to nobody, and erased afterwards.",
            "환불 계좌가 입력되어 있습니다. 표시되지 않으며 처리 후 삭제됩니다."),
        .init("ownProposal", "You proposed this: another person has to decide it.", "본인이 요청한 건입니다. 다른 담당자가 결정해야 합니다."),
        .init(
            "stuckProposal",
            "It is approved, and not carried out yet. If this lasts, approve it again: it is done once.",
            "승인되었지만 아직 처리되지 않았습니다. 계속되면 다시 승인하세요. 한 번만 처리됩니다."),
        .init("approveButton", "Approve", "승인"), .init("declineButton", "Decline", "반려"),
        .init(
            "problem_approval_outdated",
            "What it is about has changed since it was proposed: nothing was done. Look at it, and propose it again.",
            "요청한 뒤 대상의 상태가 바뀌어 아무것도 처리하지 않았습니다. 확인한 뒤 다시 요청하세요."),
        .init(
            "problem_proposal_open", "Something is proposed about this already: look at it first.",
            "같은 대상에 대한 승인 요청이 이미 있습니다. 먼저 확인하세요."),
        .init(
            "problem_not_the_proposer", "Only the person who proposed it can withdraw it.",
            "요청한 사람만 취소할 수 있습니다."),
        .init(
            "problem_changed_meanwhile",
            "It has changed since you opened the page: nothing was done. Open the page again.",
            "페이지를 연 뒤 상태가 바뀌어 아무것도 처리하지 않았습니다. 페이지를 다시 여세요."),
        .init(
            "problem_exceeds_own_limit",
            "With what was done before, another person has to approve it: nothing was done. Open the page again.",
            "이전에 처리한 것과 합하면 다른 담당자의 승인이 필요하여 아무것도 처리하지 않았습니다. 페이지를 다시 여세요."),
        .init("approval_waiting", "waits", "대기"), .init("approval_withdrawn", "withdrawn", "요청 취소됨"),
        .init("approval_approved", "approved", "승인됨"),
        .init("approval_declined", "declined", "반려됨"), .init("approval_done", "done", "처리됨"),
        .init("approval_refused", "refused", "거절됨"),
    ]
}
