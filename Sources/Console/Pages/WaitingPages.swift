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
                        "\(Show.refund(waiting.refund.amount, of: waiting.refund.foreign)), \(waiting.refund.explanation)",
                    "since": visit.show(waiting.refund.requestedAt),
                    "next": visit.show(waiting.nextAttemptAt),
                ])
        }
        let next = try visit.next("/console/refunds", of: "refunds", found.next)
        return await page(visit, "waitingRefundsTitle", empty: "waitingRefundsNone", rows, next)
    }

    /// `GET /console/receipts`.
    private func receipts(_ visit: Visit) async throws -> Response {
        let found = try await ledger.retries.listWaiting(
            after: try visit.cursor(of: "receipts", as: After<Int64>.self), limit: Self.pageSize)
        let rows = found.elements.map { receipt in
            Self.row(
                visit, receipt.user, "receipt-\(receipt.id)", receipt.reason, receipt.attempts,
                [
                    "what": receipt.payment.merchantUID, "since": visit.show(receipt.createdAt),
                    "next": visit.show(receipt.nextAttemptAt),
                ])
        }
        let next = try visit.next("/console/receipts", of: "receipts", found.next)
        return await page(visit, "waitingReceiptsTitle", empty: "waitingReceiptsNone", rows, next)
    }

    private static func row(
        _ visit: Visit, _ user: UserID, _ anchor: String, _ reason: String, _ attempts: Int64, _ more: [String: String]
    ) -> [String: Any] {
        let row: [String: Any] = [
            "user": user.rawValue, "path": CustomerPath.page(of: user) + "#" + anchor, "reason": visit.why(reason),
            "attempts": Show.number(attempts),
        ]
        return row.merging(more) { $1 }
    }

    private func page(
        _ visit: Visit, _ title: String, empty: String, _ rows: [[String: Any]], _ next: String?
    ) async -> Response {
        var values: [String: Any] = [
            "section": Layout.section(rows), "empty": visit.text(empty),
        ]
        values["more"] = next
        return await Layout.page(visit, title: visit.text(title), Self.template, values)
    }

    static let template = ConsoleTemplate(
        """
        {{^section}}<div class="empty" role="status"><p>{{empty}}</p></div>{{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.searchUser}}</th><th scope="col">{{t.waitingWhat}}</th>
        <th scope="col">{{t.waitingWhy}}</th><th scope="col" class="number">{{t.waitingAttempts}}</th>
        <th scope="col">{{t.waitingSince}}</th><th scope="col">{{t.waitingNext}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{path}}">{{user}}</a></th><td>{{what}}</td><td>{{reason}}</td>
        <td class="number">{{attempts}}</td><td>{{since}}</td><td>{{next}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#more}}<p><a class="button" href="{{more}}">{{t.more}}</a></p>{{/more}}
        """)

    static let texts: [ConsoleText] = [
        .init("waitingRefundsTitle", "Pending refunds", "처리 중인 환불"),
        .init("waitingReceiptsTitle", "Waiting receipts", "결제 확인 대기"),
        .init(
            "waitingRefundsNone",
            "No refund waits for the gateway. One that it has not decided yet is here until it has.",
            "PG사 처리를 기다리는 환불이 없습니다. PG사가 아직 결정하지 않은 환불이 여기에 표시됩니다."),
        .init(
            "waitingReceiptsNone",
            "No payment waits for the gateway. One that is not paid yet, or can't be looked up, is here until it is decided.",
            "확인을 기다리는 결제가 없습니다. 아직 입금되지 않았거나 PG사에서 조회할 수 없는 결제가 여기에 표시됩니다."),
        .init("waitingWhat", "What", "내용"), .init("waitingWhy", "Why it waits", "대기 사유"),
        .init("waitingAttempts", "Attempts", "시도"), .init("waitingSince", "Since", "대기 시작"),
        .init("waitingNext", "Next attempt", "다음 시도"),
    ]
}
