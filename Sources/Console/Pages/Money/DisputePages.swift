import Hummingbird
import Ledger
import LedgerServer
import PGVerifier

/// Disputes of payments, and how they ended.
struct DisputePages: Sendable {
    let desk: ApprovalDesk

    private static let pageSize = 30

    private var desks: Desks { desk.desks }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("disputes", needs: .readBooks, list)
        routes.act(.decideDispute, decide)
    }

    /// `GET /console/disputes`; `?status=` open (default), won or lost.
    private func list(_ visit: Visit) async throws -> Response {
        let status = visit.query("status").flatMap(Dispute.Status.init(rawValue:)) ?? .open
        let name = "disputes \(status.rawValue)"
        let found = try await desks.ledger.disputes.list(
            status, after: try visit.cursor(of: name, as: DisputeCursor.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "section": Layout.section(found.elements.map { Self.row($0, visit) }),
            "statuses": Dispute.Status.allCases.map { other in
                [
                    "text": visit.text("dispute_\(other.rawValue)"), "isChosen": other == status,
                    "path": "/console/disputes?status=\(other.rawValue)",
                ] as [String: Any]
            },
        ]
        values["next"] = try visit.next("/console/disputes", [("status", status.rawValue)], of: name, found.next)
        return await Layout.page(visit, title: visit.text("disputesTitle"), Self.template, values)
    }

    private static func row(_ disputed: DisputedPurchase, _ visit: Visit) -> [String: Any] {
        let (dispute, purchase) = (disputed.dispute, disputed.purchase)
        var row: [String: Any] = [
            "id": String(dispute.id), "user": dispute.user.rawValue,
            "path": CustomerPath.page(of: dispute.user) + "#purchase-\(purchase.id)",
            "payment": purchase.payment.merchantUID, "reason": dispute.reason,
            "amount": Show.money(purchase.amount - purchase.refundedAmount, purchase.currency.code),
            "opened": visit.show(dispute.openedAt), "decided": visit.show(dispute.decidedAt),
        ]
        // One that was won can be lost later, and one that a person booked as lost can be won.
        let (mayWin, mayLose) = (dispute.mayBeWon, dispute.status != .lost)
        if mayWin || mayLose, visit.may(.keepBooks) {
            row["form"] = ["once": RandomToken.make(), "mayWin": mayWin, "mayLose": mayLose] as [String: Any]
        }
        return row
    }

    /// `POST …/decide`: what the gateway does not tell.
    ///
    /// As `POST /v1/disputes/{id}/decisions`.
    private func decide(_ visit: Visit) async throws -> Response {
        let found = try await desks.disputes.find(try visit.context.pathID())
        let reason = try visit.form.text("reason")
        let outcome: DisputeOutcome = try visit.form.choice("outcome")
        _ = try await desk.perform(
            .decideDispute, on: "dispute:\(found.dispute.id)", visit, user: found.dispute.user,
            reason: "\(outcome.rawValue): \(reason)"
        ) { try await desks.disputes.decide(found, outcome, because: reason, under: $0) }
        return visit.redirect(
            to: "/console/disputes?status=\(outcome.rawValue)", notice: ConsoleAct.decideDispute.notice())
    }

    static let template = ConsoleTemplate(
        """
        <ul class="line">{{#statuses}}<li><a href="{{path}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{text}}</a></li>
        {{/statuses}}</ul>
        {{^section}}\(FormPart.empty("disputesNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.payment}}</th>
        <th scope="col">{{t.searchUser}}</th><th scope="col" class="number">{{t.disputeAmount}}</th>
        <th scope="col">{{t.disputeReason}}</th><th scope="col">{{t.disputeOpened}}</th>
        <th scope="col">{{t.disputeDecided}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{payment}}</th><td><a href="{{path}}">{{user}}</a></td>
        <td class="number">{{amount}}</td><td>{{reason}}</td><td>{{opened}}</td><td>{{decided}}
        {{#form}}<details><summary>{{t.disputeDecide}} {{id}}</summary>
        <form class="act" method="post" action="\(ConsoleAct.decideDispute.action())">\(FormPart.hidden())
        \(FormPart.reason("reason-{{id}}"))
        <div>{{#mayWin}}<button name="outcome" value="won">{{t.disputeWin}}</button> {{/mayWin}}
        {{#mayLose}}<button name="outcome" value="lost">{{t.disputeLose}}</button>{{/mayLose}}</div></form></details>{{/form}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        <p class="quiet">{{t.disputeHelp}}</p>
        """)

    static let texts: [ConsoleText] = [
        .init("disputesTitle", "Disputes", "결제 분쟁"),
        .init(
            "disputesNone",
            "No dispute has this status. One that a buyer opens is here as soon as the gateway shows it.",
            "이 상태의 분쟁이 없습니다. 구매자가 제기한 분쟁은 PG사에 나타나는 대로 여기에 표시됩니다."),
        .init("disputeAmount", "Not refunded", "미환불 금액"), .init("disputeReason", "Buyer's reason", "구매자 사유"),
        .init("disputeOpened", "Opened", "접수"), .init("disputeDecided", "Decided", "결정"),
        .init("disputeDecide", "Decide", "결정"), .init("disputeWin", "Won: the money stays", "승소: 대금 유지"),
        .init("disputeLose", "Lost: take the coins back", "패소: 코인 회수"),
        .init(
            "disputeHelp",
            "A lost dispute takes back what is left of the purchase, although the gateway shows no cancellation. One that "
                + "was won can be lost later. One that was booked as lost here can be won: what it took comes back.",
            "패소하면 PG사에 취소 내역이 없어도 구매의 남은 부분을 회수합니다. 승소한 분쟁도 나중에 패소할 수 있습니다. 여기서 패소로 기장한 "
                + "분쟁은 승소로 바꿀 수 있으며, 회수한 것이 되돌아옵니다."),
        .init("dispute_open", "open", "진행 중"), .init("dispute_won", "won", "승소"), .init("dispute_lost", "lost", "패소"),
    ]
}
