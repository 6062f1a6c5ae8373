import Foundation
import Hummingbird
import LedgerServer
import LedgerWire
import Timing

/// What is happening now; the page loads itself again.
struct LivePage: Sendable {
    let live: LiveController

    /// The pause between two loads, in seconds.
    private static let pause = 10

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("live", needs: .read, page)
    }

    /// `GET /console/live`; `?refresh=no` for a page that stays.
    private func page(_ visit: Visit) async throws -> Response {
        let state = try await live.state(at: Time.current.now)
        let isStill = visit.query("refresh") == "no"
        let names = (0..<60).map { "−\(59 - $0)" + visit.text("age_minutes") }
        let open = state.open
        var response = await Layout.page(
            visit, title: visit.text("liveTitle"), Self.template,
            [
                "time": visit.show(state.asOf), "isStill": isStill,
                "charts": [
                    Chart(
                        title: visit.text("paymentsPerMinute"), shape: .bars, unit: .count, names: names, labels: names,
                        values: state.paymentsPerMinute
                    ).values(in: visit.language)
                ],
                "queue": Show.number(state.queueDepth),
                "gateways": state.gateways.map { Self.row($0, visit) },
                "waiting": [
                    Self.waiting("waitingReceiptsTitle", open.receiptsWaiting, open.oldestReceiptAt, "receipts", visit),
                    Self.waiting("waitingRefundsTitle", open.refundsPending, open.oldestRefundAt, "refunds", visit),
                    Self.waiting("findingsTitle", open.findings, nil, "findings", visit),
                ],
                "webhooks": Show.number(open.webhooksWaiting),
            ])
        if !isStill { response.headers[.refresh] = String(Self.pause) }
        return response
    }

    private static func row(_ gateway: LiveBody.Gateway, _ visit: Visit) -> [String: Any] {
        [
            "name": gateway.gateway, "circuit": visit.text("circuit_\(gateway.circuit)"),
            "tone": gateway.circuit == "closed" ? "good" : "bad", "calls": Show.number(gateway.calls),
            "failed": Show.number(gateway.failedCalls), "mean": gateway.meanMilliseconds.map { "\($0) ms" } ?? "",
            "waiting": Show.number(gateway.waiting),
        ]
    }

    private static func waiting(
        _ title: String, _ count: Int64, _ oldest: Date?, _ path: String, _ visit: Visit
    ) -> [String: Any] {
        [
            "text": visit.text(title), "count": Show.number(count), "path": "/console/" + path,
            "oldest": visit.show(oldest),
        ]
    }

    static let template = ConsoleTemplate(
        """
        <p class="quiet">{{time}}. {{#isStill}}<a href="/console/live">{{t.liveStart}}</a>{{/isStill}}
        {{^isStill}}<a href="/console/live?refresh=no">{{t.liveStop}}</a>{{/isStill}}</p>
        \(Chart.template("charts"))
        <h2>{{t.liveWaiting}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.waitingWhat}}</th><th scope="col" class="number">{{t.count}}</th>
        <th scope="col">{{t.waitingSince}}</th></tr></thead><tbody>
        {{#waiting}}<tr><th scope="row"><a href="{{path}}">{{text}}</a></th><td class="number">{{count}}</td><td>{{oldest}}</td></tr>
        {{/waiting}}<tr><th scope="row">{{t.webhooks}}</th><td class="number">{{webhooks}}</td><td></td></tr>
        <tr><th scope="row">{{t.queue}}</th><td class="number">{{queue}}</td><td></td></tr></tbody></table>
        <h2>{{t.gateways}}</h2><p class="quiet">{{t.gatewaysHelp}}</p>
        <table class="stacked"><thead><tr><th scope="col">{{t.purchaseGateway}}</th><th scope="col">{{t.status}}</th>
        <th scope="col" class="number">{{t.calls}}</th><th scope="col" class="number">{{t.failedCalls}}</th>
        <th scope="col" class="number">{{t.mean}}</th><th scope="col" class="number">{{t.liveWaiting}}</th></tr></thead><tbody>
        {{#gateways}}<tr><th scope="row">{{name}}</th><td><span class="status {{tone}}">{{circuit}}</span></td>
        <td class="number">{{calls}}</td><td class="number">{{failed}}</td><td class="number">{{mean}}</td>
        <td class="number">{{waiting}}</td></tr>
        {{/gateways}}</tbody></table>
        """)

    static let texts: [ConsoleText] = [
        .init("liveTitle", "Live", "실시간"),
        .init("liveStop", "Stop loading it again every 10 seconds", "10초마다 새로고침 중지"),
        .init("liveStart", "Load it again every 10 seconds", "10초마다 새로고침"),
        .init("paymentsPerMinute", "Payments a minute, in the last hour", "최근 1시간 분당 결제"),
        .init("liveWaiting", "Waiting", "대기"), .init("count", "Number", "건수"),
        .init("webhooks", "Webhooks to process", "처리할 웹훅"), .init("queue", "Acts to be written", "기록 대기 작업"),
        .init("gateways", "Gateways", "PG사"),
        .init("gatewaysHelp", "As this process sees them since its start.", "이 프로세스가 시작된 이후의 상태입니다."),
        .init("calls", "Requests", "요청"), .init("failedCalls", "Failed", "실패"), .init("mean", "Mean", "평균"),
        .init("circuit_closed", "in use", "정상"), .init("circuit_probing", "tried again", "재시도 중"),
        .init("circuit_open", "not asked: it fails", "장애로 중단"),
    ]
}
