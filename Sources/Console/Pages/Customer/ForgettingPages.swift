import Hummingbird
import Ledger
import LedgerServer
import LedgerWire
import WireFormats

/// Asks to forget a customer, and cancels it: a page with what waits, and a form for each act.
struct ForgettingPages: Sendable {
    let desk: ApprovalDesk

    private var acts: ForgettingActs { desk.desks.forgetting }

    func addRoutes(to routes: inout ConsoleRoutes) {
        for act in ConsoleAct.ofForgetting { routes.page(of: act) { try await page($0, act) } }
        routes.act(.askToForget) { visit in
            try await perform(.askToForget, visit) { user, reason in
                try await acts.ask(of: user, because: reason, by: visit.person.subject)
            }
        }
        routes.act(.cancelForgetting) { visit in
            try await perform(.cancelForgetting, visit) { user, _ in
                try await acts.cancel(of: user, by: visit.person.subject)
            }
        }
    }

    /// `GET …/forget`, `…/forget/cancel`.
    private func page(_ visit: Visit, _ act: ConsoleAct) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let found = try await acts.find(of: user)
        let isWaiting = found?.status == "waiting"
        let path = CustomerPath.page(of: user) + "/forget"
        var values: [String: Any] = [
            "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
            "help": visit.text("help_\(act.name)"), "button": visit.text("title_\(act.name)"),
            "isPossible": isWaiting == (act.audited == .cancelForgetting) && !user.isForgotten,
            "request": found.map { [Self.values($0, visit)] } ?? [],
        ]
        values["cancel"] = isWaiting && act.audited == .askToForget ? "\(path)/cancel" : nil
        return await Layout.page(
            visit, title: "\(visit.text("title_\(act.name)")): \(user.rawValue)", Self.template, values)
    }

    /// `POST` of the same.
    private func perform(
        _ act: ConsoleAct, _ visit: Visit, _ work: (UserID, _ reason: String) async throws -> ForgettingBody
    ) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let reason = try visit.form.text("reason")
        let before = try await acts.find(of: user)
        _ = try await desk.perform(
            act, on: "user:\(user.rawValue)", visit, user: user, reason: reason, seen: before?.made ?? [:],
            made: \.made
        ) { _ in try await work(user, reason) }
        return visit.redirect(to: CustomerPath.page(of: user) + "/forget", notice: act.notice())
    }

    private static func values(_ found: ForgettingBody, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = [
            "status": visit.text("forgetting_\(found.status)"), "tone": found.status == "waiting" ? "wait" : "good",
            "by": found.askedBy,
            "open": found.open.map { ["text": visit.text("forgettingOpen_\($0)")] },
        ]
        values["asked"] = visit.time(found.askedAt)
        values["due"] = visit.time(found.dueAt)
        values["decided"] = visit.time(found.decidedAt)
        values["kept"] = visit.time(found.keptUntil)
        return values
    }
}

extension ForgettingBody {
    fileprivate var made: [String: JSON] { ["status": .string(status)] }
}

extension ForgettingPages {
    static let template = ConsoleTemplate(
        """
        <p>{{help}}</p>
        {{#request}}<dl class="facts"><div class="key"><dt>{{t.status}}</dt><dd><span class="status {{tone}}">{{status}}</span></dd></div>
        <div><dt>{{t.forgettingAsked}}</dt><dd>{{by}}{{#asked}}, <time datetime="{{value}}">{{text}}</time>{{/asked}}</dd></div>
        {{#due}}<div><dt>{{t.forgettingDue}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/due}}
        {{#decided}}<div><dt>{{t.forgettingDecided}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/decided}}
        {{#kept}}<div><dt>{{t.forgettingKept}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/kept}}
        <div><dt>{{t.forgettingOpen}}</dt><dd>{{#open}}{{text}}<br>{{/open}}{{^open}}{{t.forgettingNothing}}{{/open}}</dd></div></dl>
        {{/request}}
        {{#isPossible}}<form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        \(ActPages.reason)
        <div><button class="first">{{button}}</button> \(ActPages.cancel)</div></form>{{/isPossible}}
        {{^isPossible}}<p>{{#cancel}}<a class="button" href="{{cancel}}">{{t.title_cancel-forgetting}}</a> {{/cancel}}\
        \(ActPages.cancel)</p>{{/isPossible}}
        """)

    static let texts: [ConsoleText] = [
        .init("title_ask-to-forget", "Forget the customer", "고객 정보 파기"),
        .init("title_cancel-forgetting", "Do not forget the customer", "파기 취소"),
        .init(
            "help_ask-to-forget",
            "After a waiting time, notes, reasons and other texts about the customer are erased, and another id takes the place "
                + "of theirs. The books stay. This can be cancelled until then, and never afterwards.",
            "대기 기간이 지나면 고객에 관한 메모와 사유 등 글을 지우고 고객 ID를 다른 ID로 바꿉니다. 장부는 그대로 남습니다. 그 전에는 취소할 수 있고, 그 후에는 되돌릴 수 없습니다."
        ),
        .init(
            "help_cancel-forgetting", "The request ends, and nothing about the customer changes.",
            "요청을 끝내며 고객 정보는 바뀌지 않습니다."),
        .init("forgettingAsked", "Asked by", "요청"), .init("forgettingDue", "Not before", "파기 예정"),
        .init("forgettingDecided", "Ended", "종료"), .init("forgettingKept", "Id kept encrypted until", "ID 암호화 보관 기한"),
        .init("forgettingOpen", "Still open", "남은 일"), .init("forgettingNothing", "nothing", "없음"),
        .init("forgetting_waiting", "waiting", "대기 중"), .init("forgetting_cancelled", "cancelled", "취소됨"),
        .init("forgetting_forgotten", "forgotten", "파기됨"), .init("forgettingOpen_coins", "coins", "코인"),
        .init("forgettingOpen_held_coins", "held coins", "보류 코인"), .init("forgettingOpen_debt", "owed coins", "미회수 코인"),
        .init("forgettingOpen_payable", "money owed to them as a provider", "파트너 정산금"),
        .init("forgettingOpen_order", "an order that can be paid", "결제할 수 있는 주문"),
        .init("forgettingOpen_receipt", "a receipt that waits", "결제 확인 대기"),
        .init("forgettingOpen_refund", "a refund", "진행 중인 환불"), .init("forgettingOpen_dispute", "a dispute", "결제 분쟁"),
        .init("forgettingOpen_top_up", "automatic top-up", "자동 충전"),
        .init("forgettingOpen_bank_account", "a bank account", "은행 계좌"),
        .init("forgettingOpen_approval", "a proposal", "승인 대기"),
        .init("forgettingOpen_finding", "a finding", "확인 필요 결제"),
        .init("forgettingOpen_campaign", "coins of a campaign", "캠페인 코인"),
        .init("forgettingOpen_webhook", "a webhook of a payment that waits", "처리 대기 중인 웹훅"),
        .init(
            "forgettingOpen_gateway_off",
            "a webhook of a gateway that is off: configure it until the webhook is processed",
            "설정되지 않은 PG사의 웹훅(처리될 때까지 다시 설정하세요)"),
    ]
}
