import Hummingbird
import Ledger
import LedgerServer
import LedgerWire
import WireFormats

/// What can be done about a customer's consent to automatic top-up: a page with a form for each act.
struct TopUpPages: Sendable {
    let desk: ApprovalDesk

    private var acts: TopUpActs { desk.desks.topUps }

    func addRoutes(to routes: inout ConsoleRoutes) {
        for act in ConsoleAct.ofTopUps { routes.page(of: act) { try await page($0, act) } }
        routes.act(.pauseTopUp) { visit in
            try await perform(.pauseTopUp, visit) { user, reason in
                try await acts.pause(of: user, because: reason, by: visit.person.subject)
            }
        }
        routes.act(.resumeTopUp) { visit in
            try await perform(.resumeTopUp, visit) { user, _ in
                try await acts.resume(of: user, by: visit.person.subject)
            }
        }
        routes.act(.revokeTopUp) { visit in
            try await perform(.revokeTopUp, visit) { user, _ in
                try await acts.revoke(of: user, by: visit.person.subject)
            }
        }
    }

    /// `GET …/top-up/pause`, `…/resume`, `…/revoke`.
    private func page(_ visit: Visit, _ act: ConsoleAct) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let topUp = try await find(of: user)
        let name = visit.text("title_\(act.name)")
        return await Layout.page(
            visit, title: "\(visit.text("topUpTitle")), \(name): \(user.rawValue)", Self.template,
            [
                "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
                "help": visit.text("help_\(act.name)"), "button": name, "isPossible": topUp.allows(act),
                "topUp": Self.values(topUp, visit),
            ])
    }

    /// `POST` of the same.
    private func perform(
        _ act: ConsoleAct, _ visit: Visit, _ work: (UserID, _ reason: String) async throws -> TopUpBody
    ) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let reason = try visit.form.text("reason")
        let before = try await find(of: user)
        _ = try await desk.perform(
            act, on: "user:\(user.rawValue)", visit, user: user, reason: reason, seen: before.made, made: \.made
        ) { _ in try await work(user, reason) }
        return visit.redirect(to: CustomerPath.page(of: user), notice: act.notice())
    }

    private func find(of user: UserID) async throws -> TopUpBody {
        guard let topUp = try await acts.find(of: user) else { throw Problem(.notFound) }
        return topUp
    }
}

extension TopUpBody {
    fileprivate var made: [String: JSON] { ["status": .string(status)] }

    /// Whether the act would change something.
    fileprivate func allows(_ act: ConsoleAct) -> Bool {
        switch act.audited {
        case .pauseTopUp: status == "active"
        case .resumeTopUp: status == "paused"
        default: endedAt == nil
        }
    }
}

extension TopUpPages {
    /// The customer's consent in words, with the latest charges, and links to what the person may do.
    static func values(_ topUp: TopUpBody, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = [
            "status": visit.text("topUp_\(topUp.status)"), "tone": topUp.status == "active" ? "good" : "wait",
            "product": topUp.product, "gateway": topUp.gateway, "threshold": Show.number(topUp.threshold),
            "limit": Show.won(topUp.monthlyLimit), "failures": Show.number(topUp.failures),
            "charges": topUp.charges.isEmpty ? [] : [["rows": topUp.charges.map { row($0, visit) }]],
        ]
        values["reason"] = topUp.reason.map { word($0, visit) }
        values["rests"] = visit.time(topUp.restsUntil)
        values["agreed"] = visit.time(topUp.agreedAt)
        let path = UserID(rawValue: topUp.user).map { CustomerPath.page(of: $0) } ?? ""
        values["links"] = ConsoleAct.ofTopUps.filter { act in
            topUp.allows(act) && act.right.map { visit.may($0) } ?? false
        }.map { act in
            [
                "path": act.paths[0].replacing("customers/{user}", with: path),
                "title": visit.text("title_\(act.name)"),
            ]
        }
        return values
    }

    private static func row(_ charge: TopUpChargeBody, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "status": visit.text("topUpCharge_\(charge.status)"), "reason": word(charge.reason, visit),
            "tone": charge.status == "credited" ? "good" : charge.status == "failed" ? "bad" : "wait",
            "order": charge.merchantUID ?? "", "amount": charge.amount.map(Show.won) ?? "",
        ]
        row["started"] = visit.time(charge.startedAt)
        return row
    }

    /// A reason that ledgerd gives in words, another as somebody wrote it.
    private static func word(_ reason: String, _ visit: Visit) -> String {
        reasons.contains { $0.key == "topUpReason_\(reason)" } ? visit.text("topUpReason_\(reason)") : reason
    }
}

extension TopUpPages {
    /// The facts and charges, where `topUp` is the context.
    static let standing = """
        <dl class="facts"><div class="key"><dt>{{t.status}}</dt><dd><span class="status {{tone}}">{{status}}</span>\
        {{#reason}} {{reason}}{{/reason}}</dd></div>
        <div><dt>{{t.topUpThreshold}}</dt><dd>{{threshold}}</dd></div><div><dt>{{t.topUpProduct}}</dt><dd>{{product}}</dd></div>
        <div><dt>{{t.topUpLimit}}</dt><dd>{{limit}}</dd></div><div><dt>{{t.topUpFailures}}</dt><dd>{{failures}}</dd></div>
        {{#agreed}}<div><dt>{{t.topUpAgreed}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/agreed}}
        {{#rests}}<div><dt>{{t.topUpRests}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/rests}}</dl>
        {{#charges}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.details}}</th><th scope="col" class="number">{{t.amount}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{#started}}<time datetime="{{value}}">{{text}}</time>{{/started}}</th>
        <td><span class="status {{tone}}">{{status}}</span></td>
        <td>{{reason}} <code class="id">{{order}}</code></td><td class="number">{{amount}}</td></tr>
        {{/rows}}</tbody></table>{{/charges}}
        """

    static let template = ConsoleTemplate(
        """
        <p>{{help}}</p>
        {{#topUp}}\(standing){{/topUp}}
        {{#isPossible}}<form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        \(ActPages.reason)
        <div><button class="first">{{button}}</button> \(ActPages.cancel)</div></form>{{/isPossible}}
        {{^isPossible}}<p class="problem" role="alert">{{t.topUpImpossible}}</p><p>\(ActPages.cancel)</p>{{/isPossible}}
        """)

    static let texts: [ConsoleText] =
        [
            .init("topUpTitle", "Automatic top-up", "자동 충전"), .init("topUpThreshold", "Charges below", "충전 기준 (미만)"),
            .init("topUpProduct", "Product", "상품"), .init("topUpLimit", "Monthly limit", "월 한도"),
            .init("topUpFailures", "Failures in a row", "연속 실패"), .init("topUpAgreed", "Agreed", "동의"),
            .init("topUpRests", "Rests until", "재시도 보류"),
            .init(
                "topUpImpossible", "The consent has changed: this is done or not possible any more.",
                "동의 상태가 바뀌어 처리할 수 없습니다."),
            .init("title_pause-top-up", "Pause", "일시 중지"), .init("title_resume-top-up", "Resume", "재개"),
            .init("title_revoke-top-up", "End top-ups", "동의 철회"),
            .init("topUp_active", "active", "사용 중"), .init("topUp_paused", "paused", "일시 중지"),
            .init("topUp_revoked", "revoked", "철회됨"), .init("topUpCharge_waiting", "in progress", "진행 중"),
            .init("topUpCharge_credited", "credited", "적립됨"), .init("topUpCharge_failed", "failed", "실패"),
            .init("topUpCharge_dropped", "not charged", "결제 안 함"),
            .init("help_pause-top-up", "No charge starts until it is resumed.", "다시 시작할 때까지 결제하지 않습니다."),
            .init(
                "help_resume-top-up", "The next spend below the threshold charges the card again.",
                "다음 사용으로 기준 미만이 되면 다시 결제합니다."),
            .init(
                "help_revoke-top-up",
                "The consent ends for good. A charge that the gateway was asked for before is credited all the same.",
                "동의가 완전히 종료됩니다. 이미 PG사에 요청한 결제는 적립됩니다."),
        ] + reasons

    private static let reasons: [ConsoleText] = [
        .init("topUpReason_started", "started", "시작"), .init("topUpReason_paid", "paid", "결제 완료"),
        .init("topUpReason_gateway_unavailable", "gateway not available", "PG사 연결 불가"),
        .init("topUpReason_charge_refused", "refused by the gateway", "PG사 거절"),
        .init("topUpReason_declined", "card declined", "카드 승인 거절"),
        .init("topUpReason_unknown", "no answer of the gateway", "PG사 응답 없음"),
        .init(
            "topUpReason_not_credited", "can't be credited: see findings, or the payment at the gateway",
            "적립 불가: 확인 필요 결제 또는 PG사의 결제 참조"),
        .init("topUpReason_revoked", "revoked", "철회"), .init("topUpReason_replaced", "replaced", "새 동의로 대체"),
        .init("topUpReason_paused", "paused", "일시 중지"),
        .init("topUpReason_rests", "rests after a failure", "실패 후 대기 중"),
        .init("topUpReason_debt", "owed coins", "미회수 코인"),
        .init("topUpReason_enough_coins", "enough coins", "잔액 충분"),
        .init("topUpReason_product_not_on_sale", "product not on sale", "판매 중인 상품 아님"),
        .init("topUpReason_daily_limit", "limit of the day", "일 한도"),
        .init("topUpReason_monthly_limit", "limit of the month", "월 한도"),
    ]
}
