import Ledger
import LedgerServer
import WireFormats

/// The proposals about an object, as a section of the object's own page: who asked for what, when, and what became of it.
///
/// A page puts ``template`` into its own, and ``section(_:_:)`` under `proposals` into its values.
enum ProposalPart {
    /// The value of a page for the proposals about it; none: there are none, and the section is left out.
    static func section(_ approvals: [Approval], _ visit: Visit) -> [[String: Any]] {
        Layout.section(approvals.map { row($0, visit) })
    }

    /// A proposal in words.
    static func row(_ approval: Approval, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(approval.id), "act": title(of: approval, visit), "amount": amount(of: approval) ?? "",
            "coins": coins(of: approval).map(Show.number) ?? "", "reason": approval.reason,
            "proposer": approval.proposedName, "decider": approval.decidedName ?? "",
            "status": visit.text("approval_\(approval.status.rawValue)"),
            "tone": tone(approval.status),
        ]
        row["proposed"] = visit.time(approval.proposedAt)
        // A row says also what it has not: a template would look for it in the page.
        row["customer"] = [approval.user].compactMap(\.self).map {
            ["name": $0.rawValue, "path": CustomerPath.page(of: $0)]
        }
        row["decided"] = [visit.time(approval.decidedAt ?? approval.withdrawnAt)].compactMap(\.self)
        row["decision"] = [approval.decisionReason].compactMap(\.self).filter { !$0.isEmpty }.map { ["text": $0] }
        row["withdraw"] = mayWithdraw(approval, visit) ? [["once": RandomToken.make()]] : []
        return row
    }

    /// What is proposed, without a number.
    static func title(of approval: Approval, _ visit: Visit) -> String {
        ProposalDescriber.of(approval.act) == nil
            ? visit.text(ConsoleAct.text(of: approval.act)) : visit.text("proposal_\(approval.act)")
    }

    /// The money that it moves; nil: it moves coins only.
    static func amount(of approval: Approval) -> String? {
        let seen = JSON.members(approval.seen)
        guard let amount = seen["amount"]?.integer, let currency = seen["currency"]?.text else { return nil }
        return Show.money(amount, currency, of: ProposalField.amountPaid("amount", in: seen))
    }

    /// The coins that it moves; nil: that is decided by the act.
    static func coins(of approval: Approval) -> Int64? { JSON.members(approval.parameters)["coins"]?.integer }

    /// What it moves, in one text for a title or a button.
    static func size(of approval: Approval, _ visit: Visit) -> String {
        amount(of: approval) ?? coins(of: approval).map { Show.coins($0, visit.language) } ?? ""
    }

    /// Whether the person made it and nobody has decided about it.
    static func mayWithdraw(_ approval: Approval, _ visit: Visit) -> Bool {
        approval.status == .waiting && approval.proposedBy == visit.person.subject
    }

    private static func tone(_ status: Approval.Status) -> String {
        switch status {
        case .waiting, .approved: "wait"
        case .done: "good"
        case .declined, .refused, .withdrawn: "bad"
        }
    }

    /// The button that withdraws a proposal.
    static let withdrawForm = """
        {{#withdraw}}<form method="post" action="\(ConsoleAct.withdraw.action())">\(FormPart.hidden())
        <button aria-label="{{t.withdrawButton}}: {{act}} {{id}}">{{t.withdrawButton}}</button></form>{{/withdraw}}
        """

    static let columns = """
        <thead><tr><th scope="col">{{t.act}}</th><th scope="col" class="number">{{t.amount}}</th>
        <th scope="col" class="number">{{t.coins}}</th><th scope="col">{{t.reason}}</th><th scope="col">{{t.proposer}}</th>
        <th scope="col">{{t.status}}</th></tr></thead>
        """

    /// The cells of a row, after the first one.
    static let cells = """
        <td class="number">{{amount}}</td><td class="number">{{coins}}</td><td>{{reason}}</td>
        <td>{{proposer}}<br>{{#proposed}}<time datetime="{{value}}">{{text}}</time>{{/proposed}}</td>
        <td><span class="status {{tone}}">{{status}}</span>{{#decided}}<br>{{decider}}
        <time datetime="{{value}}">{{text}}</time>{{/decided}}{{#decision}}<br><span class="quiet">{{text}}</span>{{/decision}}
        \(withdrawForm)</td>
        """

    /// The section, for the template of a page.
    static let template = """
        {{#proposals}}<section class="proposals"><h2>{{t.proposalsTitle}}</h2>
        <table class="stacked">\(columns)<tbody>
        {{#rows}}<tr id="approval-{{id}}"><th scope="row"><a href="/console/approvals/{{id}}">{{act}} {{id}}</a></th>
        \(cells)</tr>
        {{/rows}}</tbody></table></section>{{/proposals}}
        """

    static let texts: [ConsoleText] = [
        .init("proposalsTitle", "Asked for approval", "승인 요청"), .init("withdrawButton", "Withdraw", "요청 취소"),
        .init("yes", "yes", "예"), .init("no", "no", "아니요"),
    ]
}
