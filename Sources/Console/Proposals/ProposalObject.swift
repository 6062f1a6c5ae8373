import Ledger
import LedgerServer
import WireFormats

/// What a proposal is about, as the second person has to see it: the object with its customer, what the act does to the
/// balance, how the sums come about, and what else was asked for or refunded.
struct ProposalObject {
    let desk: ApprovalDesk
    let approval: Approval
    let review: ProposalReview
    let visit: Visit

    var ledger: Ledger { desk.desks.ledger }

    /// The values of ``template``.
    func values() async throws -> [String: Any] {
        var values: [String: Any] = ["card": [], "sums": [], "refunds": [], "balance": [], "lacksPlace": false]
        if let describer = ProposalDescriber.of(approval.act) {
            values.merge(try await describer.object(self)) { $1 }
        }
        values["others"] = ProposalPart.section(try await others(), visit)
        return values
    }

    /// The customer's balance; nil: nobody knows whose the payment of a finding is.
    func balance() async throws -> Balance? {
        guard let user = approval.user else { return nil }
        return try await ledger.balances.find(of: user)
    }

    /// The other proposals about the object, and the open ones for the customer.
    private func others() async throws -> [Approval] {
        let ofObject = try await ledger.approvals.list(about: approval.target)
        let ofUser = if let user = approval.user { try await ledger.approvals.list(of: user) } else { [Approval]() }
        var shown: Set<Int64> = [approval.id]
        return (ofObject + ofUser.filter(\.isOpen)).filter { shown.insert($0.id).inserted }
    }

    // MARK: - Objects

    func refund(_ order: RefundOrder) async throws -> [String: Any] {
        guard let balance = try await balance(),
            let purchase = try await ledger.purchases.find(order.purchase, of: balance.user)
        else { return [:] }
        let quote = try await desk.desks.refunding.quote(for: order.coins, of: purchase)
        let refunds = try await ledger.refunds.list(ofPurchase: purchase.id)
        let fromWallet = quote.coins - (quote.expired?.coins ?? 0)
        return [
            "card": card("purchase", try await facts(of: purchase)),
            // Of one that has ended, the sums would be those of another refund.
            "sums": approval.isOpen ? RefundSums.lines(of: quote, visit.language) : [],
            "refunds": Layout.section(refunds.map(row)),
            "balance": quote.refusal == nil ? after(balance, paid: -fromWallet, bonus: -quote.bonusCoins) : [],
        ]
    }

    func grant(_ order: GrantOrder) async throws -> [String: Any] {
        guard let balance = try await balance() else { return [:] }
        let paysDebt = min(balance.debt, order.coins.count)
        return ["balance": after(balance, bonus: order.coins.count - paysDebt, debt: -paysDebt)]
    }

    func writeOff(_ order: WriteOffOrder) async throws -> [String: Any] {
        guard let balance = try await balance() else { return [:] }
        return ["balance": after(balance, debt: -order.coins.count)]
    }

    func facts(of purchase: Purchase) async throws -> [[String: Any]] {
        let versions = try await ledger.products.list(since: purchase.paidAt)
        let title = versions.first { $0.code == purchase.product }?.title ?? purchase.product
        return [
            fact("purchaseProduct", title), fact("purchase", String(purchase.id), isID: true),
            fact("purchasePaid", Show.paid(for: purchase)),
            fact("purchasePaidAt", visit.show(purchase.paidAt)),
            fact(
                "purchaseCoins",
                "\(Show.number(purchase.coins)) + \(Show.number(purchase.bonusCoins)) (\(visit.text("kind_bonus")))"),
            fact("status", visit.text("status_\(purchase.status.rawValue)")),
            fact("purchaseRefunded", Show.refunded(of: purchase)),
        ] + facts(of: purchase.payment)
    }

    private func facts(of payment: PaymentIdentity) -> [[String: Any]] {
        [
            fact("purchaseGateway", payment.gateway), fact("purchasePayment", payment.paymentID, isID: true),
            fact("purchaseOrder", payment.merchantUID, isID: true),
        ]
    }

    func row(_ refund: Refund) -> [String: Any] {
        [
            "id": String(refund.id), "status": visit.text("refundState_\(refund.status.rawValue)"),
            "amount": Show.refund(refund.amount, of: refund.foreign), "coins": Show.number(refund.coins),
            "reason": refund.explanation, "requested": visit.time(refund.requestedAt) ?? [:],
        ]
    }

    func finding(_ id: Int64) async throws -> [String: Any] {
        guard let finding = try await ledger.findings.find(id)?.finding else { return [:] }
        var facts = finding.kinds.map { fact("kind", visit.text("finding_\($0.rawValue)")) }
        if let amount = finding.amount, let currency = finding.currency {
            facts.append(fact("purchasePaid", Show.money(amount, currency)))
        }
        if let paidAt = finding.paidAt {
            facts.append(fact("purchasePaidAt", visit.show(paidAt)))
        }
        facts += finding.payment.map { self.facts(of: $0) } ?? []
        facts += finding.claims.map { fact("claimedBy", $0.user.rawValue) }
        return ["card": card("payment", facts)]
    }

    // MARK: - Parts

    func card(_ title: String, _ facts: [[String: Any]]) -> [[String: Any]] {
        [["title": Texts.text(title, visit.language), "facts": facts]]
    }

    func fact(_ label: String, _ value: String, isID: Bool = false) -> [String: Any] {
        ["label": Texts.text(label, visit.language), "value": value, "isID": isID]
    }

    func after(
        _ balance: Balance, paid: Int64 = 0, bonus: Int64 = 0, debt: Int64 = 0
    ) -> [[String: Any]] {
        guard approval.isOpen else { return [] }
        return table([
            line("paid", balance.paid, paid), line("bonus", balance.bonus, bonus), line("debt", balance.debt, debt),
        ])
    }

    func line(_ label: String, _ before: Int64, _ change: Int64) -> [String: Any] {
        let (after, isTooMuch) = before.addingReportingOverflow(change)
        return [
            "label": Texts.text(label, visit.language), "before": Show.number(before),
            "after": isTooMuch ? "" : Show.number(after), "isSame": change == 0,
        ]
    }

    func table(_ rows: [[String: Any]]) -> [[String: Any]] { [["rows": rows]] }

    static let template = """
        {{#lacksPlace}}<p class="warning" role="status">{{t.reverseLacksPlace}}</p>{{/lacksPlace}}
        {{#card}}<h2>{{title}}</h2>
        <dl class="facts">{{#facts}}<div><dt>{{label}}</dt>
        <dd>{{#isID}}<code class="id">{{value}}</code>{{/isID}}{{^isID}}{{value}}{{/isID}}</dd></div>{{/facts}}</dl>{{/card}}
        \(RefundSums.template)
        {{#balance}}<h2>{{t.balanceAfterTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.coins}}</th><th scope="col" class="number">{{t.seenNow}}</th>
        <th scope="col" class="number">{{t.balanceAfterAct}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{label}}</th><td class="number">{{before}}</td>
        <td class="number">{{#isSame}}{{after}}{{/isSame}}{{^isSame}}<strong>{{after}}</strong>{{/isSame}}</td></tr>
        {{/rows}}</tbody></table>{{/balance}}
        {{#refunds}}<h2>{{t.refundsOfIt}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.refundTitle}}</th><th scope="col">{{t.status}}</th>
        <th scope="col" class="number">{{t.amount}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col">{{t.reason}}</th><th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><code class="id">{{id}}</code></th><td>{{status}}</td><td class="number">{{amount}}</td>
        <td class="number">{{coins}}</td><td>{{reason}}</td>
        <td>{{#requested}}<time datetime="{{value}}">{{text}}</time>{{/requested}}</td></tr>
        {{/rows}}</tbody></table>{{/refunds}}
        """

    static let texts: [ConsoleText] =
        RefundSums.texts + [
            .init("purchaseProduct", "Product", "상품"), .init("purchasePaid", "Amount paid", "결제 금액"),
            .init("purchasePaidAt", "Paid at", "결제 시각"), .init("purchaseCoins", "Coins bought", "구매한 코인"),
            .init("purchaseRefunded", "Refunded until now", "지금까지 환불한 금액"),
            .init("purchaseGateway", "Gateway", "PG사"), .init("purchasePayment", "Payment id", "결제 번호"),
            .init("purchaseOrder", "Order id", "주문 번호"), .init("spentCoins", "Coins spent", "사용한 코인"),
            .init("claimedBy", "Presented by", "제출한 고객"),
            .init("balanceAfterTitle", "Balance of the customer", "고객의 잔액"),
            .init("balanceAfterAct", "Afterwards", "처리 후"),
            .init("refundsOfIt", "Refunds of this purchase", "이 구매의 환불"),
        ]
}
