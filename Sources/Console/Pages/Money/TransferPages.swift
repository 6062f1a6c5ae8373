import Hummingbird
import Ledger
import LedgerServer

/// Refunds by bank transfer: those that finance has to pay, and what became of the others.
struct TransferPages: Sendable {
    let desk: ApprovalDesk

    private static let pageSize = 30
    /// The statuses of the list, the first one as the default.
    private static let statuses: [Refund.Status] = [.approved, .completed, .reversed]

    private var refunds: BankRefundActs { desk.desks.bankRefunds }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("transfers", needs: .readBooks, list)
        routes.act(.payTransfer, pay)
        routes.act(.reverseTransfer, reverse)
        routes.act(.repayTransfer, repay)
    }

    /// `GET /console/transfers`; `?status=` approved (default), completed or reversed.
    private func list(_ visit: Visit) async throws -> Response {
        let chosen = visit.query("status").flatMap(Refund.Status.init(rawValue:))
        let status = chosen.flatMap { Self.statuses.contains($0) ? $0 : nil } ?? Self.statuses[0]
        let name = "transfers \(status.rawValue)"
        let found = try await desk.desks.ledger.refunds.listTransfers(
            status, after: try visit.cursor(of: name, as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "section": Layout.section(found.elements.map { Self.row($0, visit) }),
            "statuses": Self.statuses.map { other in
                [
                    "text": visit.text("transfer_\(other.rawValue)"), "isChosen": other == status,
                    "path": "/console/transfers?status=\(other.rawValue)",
                ] as [String: Any]
            },
        ]
        values["next"] = try visit.next(
            "/console/transfers", [("status", status.rawValue)], of: name, found.next)
        return await Layout.page(visit, title: visit.text("transfersTitle"), Self.template, values)
    }

    private static func row(_ transfer: BankTransfer, _ visit: Visit) -> [String: Any] {
        let refund = transfer.refund
        var row: [String: Any] = [
            "id": String(refund.id), "user": refund.user.rawValue, "path": CustomerPath.page(of: refund.user),
            "amount": Show.money(refund.amount, refund.currency.code), "reason": refund.explanation,
            "approved": visit.show(refund.requestedAt), "done": visit.show(refund.transfer?.paidAt ?? refund.decidedAt),
            "reference": refund.transfer?.bankReference ?? "",
            "findings": transfer.findings.map { ["name": visit.text("finding_\($0)")] },
        ]
        if refund.status == .approved, visit.may(.keepBooks) {
            row["open"] = ["once": RandomToken.make(), "onceReverse": RandomToken.make()]
        }
        if refund.status == .completed, visit.may(.keepBooks) { row["paid"] = ["once": RandomToken.make()] }
        return row
    }

    /// `POST …/pay`: the bank has paid it.
    ///
    /// As `POST /v1/refunds/{id}/payment`.
    private func pay(_ visit: Visit) async throws -> Response {
        let (refund, payment) = (try await find(visit), try visit.bankPayment())
        _ = try await desk.perform(
            .payTransfer, on: "refund:\(refund.id)", visit, user: refund.user, reason: payment.reference
        ) { try await refunds.pay(refund, payment, under: $0) }
        return visit.redirect(to: "/console/transfers", notice: ConsoleAct.payTransfer.notice())
    }

    /// `POST …/reverse`: it is not paid, and the coins come back.
    ///
    /// As `POST /v1/refunds/{id}/reversal`.
    private func reverse(_ visit: Visit) async throws -> Response {
        let (refund, reason) = (try await find(visit), try visit.form.text("reason"))
        _ = try await desk.perform(
            .reverseTransfer, on: "refund:\(refund.id)", visit, user: refund.user, reason: reason
        ) { try await refunds.reverse(refund, because: reason, under: $0) }
        return visit.redirect(to: "/console/transfers", notice: ConsoleAct.reverseTransfer.notice())
    }

    /// `POST …/repay`: the money came back to our bank.
    ///
    /// As `POST /v1/refunds/{id}/repayment`.
    private func repay(_ visit: Visit) async throws -> Response {
        let (refund, payment) = (try await find(visit), try visit.bankPayment())
        _ = try await desk.perform(
            .repayTransfer, on: "refund:\(refund.id)", visit, user: refund.user, reason: payment.reference
        ) { try await refunds.repay(refund, payment, under: $0) }
        return visit.redirect(
            to: "/console/transfers?status=completed", notice: ConsoleAct.repayTransfer.notice())
    }

    private func find(_ visit: Visit) async throws -> Refund {
        try await refunds.find(try visit.context.pathID())
    }

    static let template = ConsoleTemplate(
        """
        <ul class="line">{{#statuses}}<li><a href="{{path}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{text}}</a></li>
        {{/statuses}}</ul>
        {{^section}}\(FormPart.empty("transfersNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.refundTitle}}</th>
        <th scope="col">{{t.searchUser}}</th><th scope="col" class="number">{{t.amount}}</th>
        <th scope="col">{{t.reason}}</th><th scope="col">{{t.transferApproved}}</th><th scope="col">{{t.transferDone}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{id}}</th><td><a href="{{path}}#refund-{{id}}">{{user}}</a></td>
        <td class="number">{{amount}}{{#findings}} <span class="status bad">{{name}}</span>{{/findings}}</td><td>{{reason}}</td><td>{{approved}}</td><td>{{done}} {{reference}}
        {{#open}}<details><summary>{{t.transferPay}} {{id}}</summary>
        \(ConsoleAct.payTransfer.form("transferPay", ids: BankPaymentForm.ids("pay-{{id}}")))</details>
        <details><summary>{{t.transferReverse}} {{id}}</summary>
        \(ConsoleAct.reverseTransfer.form(
            "transferReverse", ids: ["reason": "reason-{{id}}"], once: "onceReverse", isFirst: false))</details>{{/open}}
        {{#paid}}<details><summary>{{t.transferRepay}} {{id}}</summary>
        \(ConsoleAct.repayTransfer.form(
            "transferRepay", ids: BankPaymentForm.ids("repay-{{id}}"), isFirst: false))</details>{{/paid}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] = [
        .init(
            "transfersNone", "No refund by bank transfer has this status. An approved one is here until it is paid.",
            "이 상태의 계좌 이체 환불이 없습니다. 승인된 환불은 이체할 때까지 여기에 표시됩니다."),
        .init("transfersTitle", "Transfers", "환불 이체"),
        .init("transferApproved", "Approved", "승인 시각"),
        .init("transferDone", "Paid or reversed", "이체 또는 취소"), .init("transferPay", "Mark as paid", "이체 완료 처리"),
        .init("transferReverse", "Reverse", "환불 취소"),
        .init("transfer_approved", "to be paid", "이체 대기"), .init("transfer_completed", "paid", "이체 완료"),
        .init("transfer_reversed", "reversed", "취소됨"),
        .init("transferRepay", "Book the repayment", "반환 입금 처리"),
    ]
}
