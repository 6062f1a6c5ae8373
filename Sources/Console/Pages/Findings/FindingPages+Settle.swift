import Hummingbird
import Ledger
import LedgerServer

// How a payment without coins is settled from its finding: credited, given back at the gateway, or sent to finance.
extension FindingPages {
    /// Under which name a finding is sent to finance.
    static let finance = "finance"

    /// What the forms of a finding need.
    func forms(_ finding: Finding, _ visit: Visit) -> [String: Any] {
        let isPayment = finding.isOpen && finding.payment != nil
        let needsSecond = acts.needsSecondPerson(finding)
        return [
            "once": RandomToken.make(), "onceNote": RandomToken.make(), "onceEnd": RandomToken.make(),
            "onceClaim": RandomToken.make(), "onceRefund": RandomToken.make(), "onceSend": RandomToken.make(),
            "isMine": finding.assignee == visit.person.name, "isSent": finding.assignee == Self.finance,
            "isOpen": finding.isOpen, "amountValue": Self.amountValue(finding),
            "mayResolve": finding.isOpen && visit.may(.decideFindings),
            "canClaim": isPayment, "needsSecond": needsSecond,
            "propose": visit.text("proposalRequest_\(AuditAct.refundFinding.rawValue)"),
            "canRefund": isPayment && acts.desks.findingRefunds.canAskGateway(of: finding),
            "known": finding.candidates.map { user in
                ["user": user.rawValue, "onceKnown": RandomToken.make(), "why": visit.text(Self.why(user, finding))]
            },
            "candidates": finding.candidates.map { ["user": $0.rawValue] },
        ]
    }

    /// The amount in the forms that credit it or give it back.
    static func amountValue(_ finding: Finding) -> String { finding.amount.map { String($0) } ?? "" }

    /// Requires that the form is of the amount that the finding has now.
    ///
    /// - Throws: `changed_meanwhile`.
    static func requireAmount(of finding: Finding, in visit: Visit) throws(Problem) {
        guard visit.form["amount"] == amountValue(finding) else { throw Problem(Refusal.changedMeanwhile) }
    }

    /// The key of the text that says why the payment may belong to the user.
    private static func why(_ user: UserID, _ finding: Finding) -> String {
        if finding.claims.contains(where: { $0.user == user }) { return "findingPresented" }
        return finding.user == user ? "findingOrdered" : "findingNamed"
    }

    /// Why the amount fits no price: in English the sentence of the API, in other languages with the prices that would fit.
    static func words(for wrong: WrongAmount, _ language: Language) -> String {
        if language == .english { return wrong.sentence }
        let prices = wrong.orderPrice.map { [($0.amount, $0.currency)] } ?? wrong.pricesThen.map { ($0, Currency.won) }
        let text = wrong.orderPrice != nil ? "wrongOrderPrice" : prices.isEmpty ? "wrongNothingSold" : "wrongPrices"
        let shown = prices.map { amount, currency in Show.money(amount, currency.code) }.joined(separator: ", ")
        return Texts.text(text, language) + (shown.isEmpty ? "" : " " + shown)
    }

    /// `POST …/send`: finance works on it, with a note.
    func send(_ visit: Visit) async throws -> Response {
        try await act(
            visit, .assign, .assignFinding, whom: Self.finance, reason: try visit.form.text("note"))
    }

    /// `POST …/refund`: the payment goes back to the payer, of the amount that the page showed.
    ///
    /// - Throws: `changed_meanwhile` for another amount.
    func refund(_ visit: Visit) async throws -> Response {
        let finding = try await desk.find(try visit.context.pathID()).finding
        let account = try visit.form.account()
        _ = try FindingActs.payment(of: finding)
        guard acts.desks.findingRefunds.canAskGateway(of: finding) else { throw Problem(.gatewayOff) }
        try Self.requireAmount(of: finding, in: visit)
        let user = finding.firstCandidate
        return try await acts.perform(
            FindingRefundOrder(finding: finding.id, account: account), of: user, visit,
            seen: try await acts.seen(of: finding, for: user), needsApproval: acts.needsSecondPerson(finding),
            backTo: "/console/findings/\(finding.id)")
    }

    /// The forms that settle a payment: part of the page's template.
    static let settleForms = """
        {{^isSent}}{{#isOpen}}<form class="act" method="post" action="\(ConsoleAct.assignFinding.action(2))">
        <h3>{{t.findingSendTitle}}</h3>\(FormPart.hidden("onceSend"))
        <div class="field"><label for="send-note">{{t.findingSendNote}}</label>
        <input id="send-note" name="note" required maxlength="256" autocomplete="off"></div>
        <div><button>{{t.findingSend}}</button></div></form>{{/isOpen}}{{/isSent}}
        {{#canClaim}}<h3>{{t.findingClaimTitle}}</h3><p class="quiet">{{t.findingClaimHelp}}</p>
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        <form class="act" method="post" action="\(ConsoleAct.claimFinding.action())">
        \(FormPart.hidden("onceClaim"))
        <input type="hidden" name="amount" value="{{amountValue}}">
        <div class="field"><label for="user">{{t.searchUser}}</label>
        <input id="user" name="user" required maxlength="128" autocomplete="off" list="candidates">
        <datalist id="candidates">{{#candidates}}<option value="{{user}}"></option>{{/candidates}}</datalist></div>
        {{#known}}<p class="quiet"><code class="id">{{user}}</code>: {{why}}</p>{{/known}}
        \(FormPart.reason("claim-reason"))
        <div><button class="first">{{t.findingClaim}}</button></div></form>{{/canClaim}}
        {{#canRefund}}<form class="act" method="post" action="\(ConsoleAct.refundFinding.action())">
        <h3>{{t.findingRefundTitle}}</h3><p class="quiet">{{t.findingRefundHelp}}</p>
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        \(FormPart.hidden("onceRefund"))
        <input type="hidden" name="amount" value="{{amountValue}}">
        \(FormPart.reason("refund-reason"))
        \(FormPart.account)
        <div><button>{{#needsSecond}}{{propose}}{{/needsSecond}}{{^needsSecond}}{{t.findingRefund}}{{/needsSecond}} \
        {{#payment}}{{amount}}{{/payment}}</button></div></form>{{/canRefund}}
        """

    static let settleTexts: [ConsoleText] = [
        .init("findingWhose_finance", "finance", "재무팀"),
        .init("findingSendTitle", "Send to finance", "재무팀에 넘기기"),
        .init("findingSendNote", "What finance should know", "재무팀에 전할 내용"),
        .init("findingSend", "Send to finance", "재무팀에 넘기기"),
        .init("findingPresented", "presented the payment", "이 결제를 제출한 고객"),
        .init("findingOrdered", "presented the payment or made its order", "이 결제를 제출했거나 주문한 사용자"),
        .init(
            "findingNamed", "named in the payment's data, which the payer can write",
            "결제 데이터에 적힌 사용자(결제자가 바꿀 수 있음)"),
        .init("findingRefundTitle", "Give the money back at the gateway", "PG사에서 환불"),
        .init(
            "findingRefundHelp",
            "All that is left of the payment is cancelled, because it is not credited. The gateway is asked again.",
            "적립되지 않은 결제의 남은 금액을 모두 취소합니다. PG사에 다시 확인합니다."),
        .init("findingRefund", "Give back", "환불"),
        .init("wrongOrderPrice", "The amount is not the price of the order:", "결제 금액이 주문 가격과 다릅니다. 주문 가격:"),
        .init("wrongPrices", "No product had this price. The prices then:", "결제 금액과 가격이 같은 상품이 없었습니다. 당시 가격:"),
        .init("wrongNothingSold", "No product was on sale then.", "당시 판매 중인 상품이 없었습니다."),
        .init(
            "problem_payment_credited", "The payment is credited.", "이미 적립된 결제입니다. 구매 화면에서 환불하세요."),
    ]
}
