import Hummingbird
import Ledger

/// Refunds and receipts that wait, of all customers.
struct WaitingPages: Sendable {
    let ledger: Ledger

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("refunds", needs: .read, refunds)
        routes.page("receipts", needs: .read, receipts)
    }

    /// `GET /console/refunds`.
    private func refunds(_ visit: Visit) async throws -> Response {
        let found = try await ledger.refunds.listWaiting(
            after: try visit.cursor(of: "refunds", as: After<Int64>.self), limit: Self.pageSize)
        let rows = found.elements.map { waiting in
            Self.row(
                visit, waiting.refund.user, "refund-\(waiting.refund.id)", waiting.reason, waiting.attempts,
                [
                    "what":
                        "\(Show.money(waiting.refund.amount, waiting.refund.currency.code)), \(waiting.refund.explanation)",
                    "since": Show.time(waiting.refund.requestedAt, in: visit.timeZone),
                    "next": Show.time(waiting.nextAttemptAt, in: visit.timeZone),
                ])
        }
        let next = try visit.next("/console/refunds", of: "refunds", found.next)
        return page(visit, "waitingRefundsTitle", rows, next)
    }

    /// `GET /console/receipts`.
    private func receipts(_ visit: Visit) async throws -> Response {
        let found = try await ledger.retries.listWaiting(
            after: try visit.cursor(of: "receipts", as: After<Int64>.self), limit: Self.pageSize)
        let rows = found.elements.map { receipt in
            Self.row(
                visit, receipt.user, "receipt-\(receipt.id)", receipt.reason, receipt.attempts,
                [
                    "what": receipt.payment.merchantUID, "since": Show.time(receipt.createdAt, in: visit.timeZone),
                    "next": receipt.nextAttemptAt.map { Show.time($0, in: visit.timeZone) } ?? "",
                ])
        }
        let next = try visit.next("/console/receipts", of: "receipts", found.next)
        return page(visit, "waitingReceiptsTitle", rows, next)
    }

    private static func row(
        _ visit: Visit, _ user: UserID, _ anchor: String, _ reason: String, _ attempts: Int64, _ more: [String: String]
    ) -> [String: Any] {
        let row: [String: Any] = [
            "user": user.rawValue, "path": CustomerPath.page(of: user) + "#" + anchor, "reason": reason,
            "attempts": Show.number(attempts),
        ]
        return row.merging(more) { $1 }
    }

    private func page(_ visit: Visit, _ title: String, _ rows: [[String: Any]], _ next: String?) -> Response {
        var values: [String: Any] = ["section": rows.isEmpty ? [] : [["rows": rows]]]
        values["more"] = next
        return Layout.page(visit, title: visit.text(title), Self.template, values)
    }

    static let template = ConsoleTemplate(
        """
        {{^section}}<p class="quiet" role="status">{{t.none}}</p>{{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.searchUser}}</th><th scope="col">{{t.waitingWhat}}</th>
        <th scope="col">{{t.waitingWhy}}</th><th scope="col" class="number">{{t.waitingAttempts}}</th>
        <th scope="col">{{t.waitingSince}}</th><th scope="col">{{t.waitingNext}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{path}}">{{user}}</a></th><td>{{what}}</td><td><code>{{reason}}</code></td>
        <td class="number">{{attempts}}</td><td>{{since}}</td><td>{{next}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#more}}<p><a class="button" href="{{more}}">{{t.more}}</a></p>{{/more}}
        """)

    static let texts: [ConsoleText] = [
        .init("waitingRefundsTitle", "Pending refunds", "대기 중 환불"),
        .init("waitingReceiptsTitle", "Waiting receipts", "대기 중 영수증"),
        .init("waitingWhat", "What", "내용"), .init("waitingWhy", "Why it waits", "대기 사유"),
        .init("waitingAttempts", "Attempts", "시도"), .init("waitingSince", "Since", "대기 시작"),
        .init("waitingNext", "Next attempt", "다음 시도"),
    ]
}
