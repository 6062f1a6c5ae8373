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
    }

    /// `GET /console/approvals`.
    private func list(_ visit: Visit) async throws -> Response {
        let cursor = try visit.query("cursor").map { text throws(Problem) in
            try Cursor.decode(After<Int64>.self, from: text, of: "approvals")
        }
        let open = cursor == nil ? try await ledger.approvals.listOpen() : []
        let closed = try await ledger.approvals.listClosed(after: cursor, limit: Self.pageSize)
        var values: [String: Any] = [
            "isFirst": cursor == nil, "open": Self.section(open, visit), "closed": Self.section(closed.elements, visit),
        ]
        if let next = closed.next {
            values["next"] = "/console/approvals?cursor=" + (try Cursor.encode(next, of: "approvals"))
        }
        return Layout.page(visit, title: visit.text("approvalsTitle"), Self.listTemplate, values)
    }

    private static func section(_ approvals: [Approval], _ visit: Visit) -> [[String: Any]] {
        approvals.isEmpty ? [] : [["rows": approvals.map { row($0, visit) }]]
    }

    private static func row(_ approval: Approval, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(approval.id), "act": visit.text(ConsoleAct.text(of: approval.act)),
            "user": approval.user.rawValue,
            "userPath": CustomerPath.page(of: approval.user), "size": size(approval, visit), "reason": approval.reason,
            "proposer": approval.proposedName, "status": visit.text("approval_\(approval.status.rawValue)"),
            "tone": tone(approval.status), "decider": approval.decidedName ?? "",
            "decision": approval.decisionReason ?? "",
        ]
        row["proposed"] = visit.time(approval.proposedAt)
        row["decided"] = visit.time(approval.decidedAt)
        return row
    }

    /// What the act moves: money, coins, or both.
    private static func size(_ approval: Approval, _ visit: Visit) -> String {
        let seen = try? JSONParser.parse(Array(approval.seen.utf8))
        let parameters = try? JSONParser.parse(Array(approval.parameters.utf8))
        let coins = parameters?["coins"]?.integer.map { "\(Show.number($0)) \(visit.text("coins"))" }
        guard let amount = seen?["amount"]?.integer, let currency = seen?["currency"]?.text else { return coins ?? "" }
        return [Show.money(amount, currency), coins].compactMap(\.self).joined(separator: ", ")
    }

    private static func tone(_ status: Approval.Status) -> String {
        switch status {
        case .waiting, .approved: "wait"
        case .done: "good"
        case .declined, .refused: "bad"
        }
    }

    private func find(_ visit: Visit) async throws -> Approval {
        guard let approval = try await ledger.approvals.find(try visit.context.pathID()) else {
            throw Problem(.notFound)
        }
        return approval
    }

    /// `GET /console/approvals/{id}`.
    private func page(_ visit: Visit) async throws -> Response {
        let approval = try await find(visit)
        let balance = try await ledger.balances.find(of: approval.user)
        let isOpen = approval.status == .waiting || approval.status == .approved
        let isOwn = visit.person.proposed(approval)
        var values = Self.row(approval, visit)
        values["facts"] = Self.facts(approval.seen)
        values["now"] = [
            "available": Show.number(balance.available), "held": Show.number(balance.held),
            "debt": Show.number(balance.debt),
        ]
        values["outcome"] = Self.facts(approval.outcome ?? "{}")
        values["mayDecide"] = isOpen && !isOwn && visit.may(.approve)
        values["mayDecline"] = approval.status == .waiting
        values["isOwn"] = isOpen && isOwn
        values["isStuck"] = approval.status == .approved
        values["hasAccount"] = approval.account != nil
        values["once"] = RandomToken.make()
        return Layout.page(
            visit, title: "\(visit.text(ConsoleAct.text(of: approval.act))): \(approval.user.rawValue)",
            Self.pageTemplate, values)
    }

    /// The members of a JSON object, one by one.
    static func facts(_ json: String) -> [[String: String]] {
        guard case .object(let members)? = try? JSONParser.parse(Array(json.utf8)) else { return [] }
        return members.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value.text ?? $0.value.written] }
    }

    /// `POST /console/approvals/{id}/approve` and `…/decline`.
    private func decide(_ visit: Visit, approves: Bool) async throws -> Response {
        let approval = try await find(visit)
        let reason = try visit.form.text("reason")
        if approves {
            try await desk.approve(approval, because: reason, visit)
        } else {
            try await desk.decline(approval, because: reason, visit)
        }
        let act = approves ? ConsoleAct.approve : .decline
        return visit.redirect(to: "/console/approvals/\(approval.id)", notice: act.notice())
    }

    private static let columns = """
        <thead><tr><th scope="col">{{t.act}}</th><th scope="col">{{t.searchUser}}</th><th scope="col">{{t.size}}</th>
        <th scope="col">{{t.reason}}</th><th scope="col">{{t.proposer}}</th><th scope="col">{{t.decider}}</th>
        <th scope="col">{{t.status}}</th></tr></thead>
        """

    private static let rows = """
        {{#rows}}<tr><th scope="row"><a href="/console/approvals/{{id}}">{{act}} {{id}}</a></th>
        <td><a href="{{userPath}}">{{user}}</a></td><td>{{size}}</td><td>{{reason}}</td>
        <td>{{proposer}}<br>{{#proposed}}<time datetime="{{value}}">{{text}}</time>{{/proposed}}</td>
        <td>{{decider}}{{#decided}}<br><time datetime="{{value}}">{{text}}</time>{{/decided}}</td>
        <td><span class="status {{tone}}">{{status}}</span></td></tr>
        {{/rows}}
        """

    static let listTemplate = ConsoleTemplate(
        """
        {{#isFirst}}<h2>{{t.approvalsOpen}}</h2>
        {{^open}}<p class="quiet">{{t.none}}</p>{{/open}}
        {{#open}}<table class="stacked">\(columns)<tbody>\(rows)</tbody></table>{{/open}}{{/isFirst}}
        <h2>{{t.approvalsClosed}}</h2>
        {{^closed}}<p class="quiet">{{t.none}}</p>{{/closed}}
        {{#closed}}<table class="stacked">\(columns)<tbody>\(rows)</tbody></table>{{/closed}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <p><span class="status {{tone}}">{{status}}</span></p>
        <dl class="facts"><div><dt>{{t.searchUser}}</dt><dd><a href="{{userPath}}">{{user}}</a></dd></div>
        <div><dt>{{t.size}}</dt><dd>{{size}}</dd></div><div><dt>{{t.proposer}}</dt><dd>{{proposer}}</dd></div>
        {{#decided}}<div><dt>{{t.decider}}</dt><dd>{{decider}}</dd></div>{{/decided}}</dl>
        <h2>{{t.reason}}</h2><p>{{reason}}</p>
        {{#decided}}<h2>{{t.decision}}</h2><p>{{decision}}</p>{{/decided}}
        <h2>{{t.seenThen}}</h2>
        <dl class="facts">{{#facts}}<div><dt>{{name}}</dt><dd>{{value}}</dd></div>{{/facts}}</dl>
        {{#now}}<p class="quiet">{{t.seenNow}}: {{t.available}} {{available}}, {{t.held}} {{held}}, {{t.debt}} {{debt}}.</p>{{/now}}
        {{#hasAccount}}<p class="quiet">{{t.hasAccount}}</p>{{/hasAccount}}
        <dl class="facts">{{#outcome}}<div><dt>{{name}}</dt><dd>{{value}}</dd></div>{{/outcome}}</dl>
        {{#isOwn}}<p class="warning">{{t.ownProposal}}</p>{{/isOwn}}
        {{#isStuck}}<p class="warning">{{t.stuckProposal}}</p>{{/isStuck}}
        {{#mayDecide}}<form class="act" method="post" action="\(ConsoleAct.approve.action())">
        \(FormPart.hidden())
        \(FormPart.reason(label: "decisionReason"))
        <div><button class="first">{{t.approveButton}}</button>
        {{#mayDecline}}<button formaction="\(ConsoleAct.decline.action())">{{t.declineButton}}</button>{{/mayDecline}}</div>
        </form>{{/mayDecide}}
        """)

    static let texts: [ConsoleText] = [
        .init("approvalsTitle", "Approvals", "승인"), .init("approvalsOpen", "Waiting", "승인 대기"),
        .init("approvalsClosed", "Decided", "처리됨"), .init("act", "Act", "작업"), .init("size", "Amount", "금액"),
        .init("proposer", "Proposed by", "요청자"), .init("decider", "Decided by", "승인자"),
        .init("decision", "Reason of the decision", "승인/반려 사유"), .init("decisionReason", "Why", "사유"),
        .init("seenThen", "Seen by the proposer", "요청 시점의 상태"), .init("seenNow", "Now", "현재"),
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
            "problem_proposal_open", "The same is proposed already: it has to be decided and carried out first.",
            "같은 대상에 대한 요청이 이미 있습니다. 그 요청이 먼저 처리되어야 합니다."),
        .init(
            "problem_changed_meanwhile",
            "It has changed since you opened the page: nothing was done. Open the page again.",
            "페이지를 연 뒤 상태가 바뀌어 아무것도 처리하지 않았습니다. 페이지를 다시 여세요."),
        .init(
            "problem_exceeds_own_limit",
            "With what was done before, another person has to approve it: nothing was done. Open the page again.",
            "이전에 처리한 것과 합하면 다른 담당자의 승인이 필요하여 아무것도 처리하지 않았습니다. 페이지를 다시 여세요."),
        .init("approval_waiting", "waits", "대기"), .init("approval_approved", "approved", "승인됨"),
        .init("approval_declined", "declined", "반려됨"), .init("approval_done", "done", "처리됨"),
        .init("approval_refused", "refused", "거절됨"),
    ]
}
