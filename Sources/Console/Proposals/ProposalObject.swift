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

    private var ledger: Ledger { desk.desks.ledger }

    /// The values of ``template``.
    func values() async throws -> [String: Any] {
        var values: [String: Any] = ["card": [], "sums": [], "refunds": [], "balance": [], "lacksPlace": false]
        switch review.order {
        case let order as ClaimOrder: values.merge(try await finding(order.finding)) { $1 }
        case let order as FindingRefundOrder: values.merge(try await finding(order.finding)) { $1 }
        default: if let user = approval.user { values.merge(try await object(of: user)) { $1 } }
        }
        values["others"] = ProposalPart.section(try await others(), visit)
        return values
    }

    /// The object of an act on a customer's coins.
    private func object(of user: UserID) async throws -> [String: Any] {
        let balance = try await ledger.balances.find(of: user)
        return switch review.order {
        case let order as RefundOrder: try await refund(order, of: user, balance)
        case let order as GrantOrder: ["balance": after(balance, granted: order.coins.count)]
        case let order as GrantVoidOrder: try await grantVoid(order, balance)
        case let order as WriteOffOrder: ["balance": after(balance, debt: -order.coins.count)]
        case let order as ReversalOrder: try await reversal(order, balance)
        case let order as TakeBackOrder: try await takeBack(order, of: user, balance)
        default: [:]
        }
    }

    /// The other proposals about the object, and the open ones for the customer.
    private func others() async throws -> [Approval] {
        let ofObject = try await ledger.approvals.list(about: approval.target)
        let ofUser = if let user = approval.user { try await ledger.approvals.list(of: user) } else { [Approval]() }
        var shown: Set<Int64> = [approval.id]
        return (ofObject + ofUser.filter(\.isOpen)).filter { shown.insert($0.id).inserted }
    }

    // MARK: - Objects

    private func refund(_ order: RefundOrder, of user: UserID, _ balance: Balance) async throws -> [String: Any] {
        guard let purchase = try await ledger.purchases.find(order.purchase, of: user) else { return [:] }
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

    private func facts(of purchase: Purchase) async throws -> [[String: Any]] {
        let currency = purchase.currency.code
        let versions = try await ledger.products.list(since: purchase.paidAt)
        let title = versions.first { $0.code == purchase.product }?.title ?? purchase.product
        return [
            fact("purchaseProduct", title), fact("purchase", String(purchase.id), isID: true),
            fact("purchasePaid", Show.money(purchase.amount, currency)),
            fact("purchasePaidAt", visit.show(purchase.paidAt)),
            fact(
                "purchaseCoins",
                "\(Show.number(purchase.coins)) + \(Show.number(purchase.bonusCoins)) (\(visit.text("kind_bonus")))"),
            fact("status", visit.text("status_\(purchase.status.rawValue)")),
            fact("purchaseRefunded", Show.money(purchase.refundedAmount, currency)),
        ] + facts(of: purchase.payment)
    }

    private func facts(of payment: PaymentIdentity) -> [[String: Any]] {
        [
            fact("purchaseGateway", payment.gateway), fact("purchasePayment", payment.paymentID, isID: true),
            fact("purchaseOrder", payment.merchantUID, isID: true),
        ]
    }

    private func row(_ refund: Refund) -> [String: Any] {
        [
            "id": String(refund.id), "status": visit.text("refundState_\(refund.status.rawValue)"),
            "amount": Show.money(refund.amount, refund.currency.code), "coins": Show.number(refund.coins),
            "reason": refund.explanation, "requested": visit.time(refund.requestedAt) ?? [:],
        ]
    }

    private func grantVoid(_ order: GrantVoidOrder, _ balance: Balance) async throws -> [String: Any] {
        guard let grant = try await ledger.lots.voidable(order.grant) else { return [:] }
        let facts = [
            fact("voidGrantEntry", String(grant.lot.journalEntryID), isID: true),
            fact("voidGrantGiven", Show.coins(grant.lot.coins, visit.language)),
            fact("voidGrantBefore", Show.coins(grant.voided, visit.language)),
            fact("voidGrantAvailable", Show.coins(grant.available, visit.language)),
            fact("voidGrantHeld", Show.coins(grant.lot.held, visit.language)),
            fact("source", grant.lot.issuer ?? visit.text("none")),
        ]
        return [
            "card": card("voidGrantEntry", facts),
            "balance": after(balance, bonus: -order.coins.count),
        ]
    }

    private func reversal(_ order: ReversalOrder, _ balance: Balance) async throws -> [String: Any] {
        guard let redemption = try await ledger.redemptions.find(order.redemption) else { return [:] }
        let fitting = try await ledger.redemptions.fitting(of: redemption)
        let facts = [
            fact("reverseEntry", String(redemption.id), isID: true),
            fact("spentCoins", Show.coins(redemption.coins + redemption.returned, visit.language)),
            fact("reverseLeft", Show.coins(redemption.coins, visit.language)),
            fact("reverseFitting", Show.coins(fitting, visit.language)),
            fact("reverseProvider", redemption.provider?.rawValue ?? visit.text("none")),
        ]
        let voided = redemption.coins(
            of: try await ledger.lots.voided(of: redemption), amongReturned: order.coins.count)
        let back = order.coins.count - voided
        let paysDebt = min(balance.debt, back)
        return [
            "card": card("reverseEntry", facts),
            "lacksPlace": approval.isOpen && order.coins.count > fitting && fitting < redemption.coins,
            "balance": approval.isOpen
                ? table([
                    line("available", balance.paid + balance.bonus, back - paysDebt),
                    line("debt", balance.debt, -paysDebt),
                ]) : [],
        ]
    }

    private func takeBack(_ order: TakeBackOrder, of user: UserID, _ balance: Balance) async throws -> [String: Any] {
        guard let purchase = try await ledger.purchases.find(order.purchase, of: user) else { return [:] }
        let quote = try await desk.desks.takeBacks.quote(order.spends, of: purchase)
        let refunds = try await ledger.refunds.list(ofPurchase: purchase.id)
        let spends = quote.spends.filter { order.spends.ids.contains($0.id) }
        let facts =
            try await facts(of: purchase)
            + spends.map { spend in
                fact(
                    "takeBackSpend",
                    [String(spend.id), Show.coins(spend.redemption.coins, visit.language), spend.reason ?? ""]
                        .filter { !$0.isEmpty }.joined(separator: ", "))
            }
        return [
            "card": card("purchase", facts), "refunds": Layout.section(refunds.map(row)),
            "sums": approval.isOpen ? quote.made.map { sums(of: $0.refund, purchase) } ?? [] : [],
            "balance": quote.made.map { made in
                after(
                    balance, paid: made.balance.paid - balance.paid, bonus: made.balance.bonus - balance.bonus,
                    debt: made.balance.debt - balance.debt)
            } ?? [],
        ]
    }

    private func sums(of refund: Refund, _ purchase: Purchase) -> [[String: Any]] {
        RefundSums.lines(
            coins: refund.coins, charged: refund.bonusCharged, value: refund.value, fee: refund.fee, of: purchase,
            visit.language)
    }

    private func finding(_ id: Int64) async throws -> [String: Any] {
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

    private func card(_ title: String, _ facts: [[String: Any]]) -> [[String: Any]] {
        [["title": Texts.text(title, visit.language), "facts": facts]]
    }

    private func fact(_ label: String, _ value: String, isID: Bool = false) -> [String: Any] {
        ["label": Texts.text(label, visit.language), "value": value, "isID": isID]
    }

    private func after(_ balance: Balance, granted coins: Int64) -> [[String: Any]] {
        let paysDebt = min(balance.debt, coins)
        return after(balance, bonus: coins - paysDebt, debt: -paysDebt)
    }

    private func after(
        _ balance: Balance, paid: Int64 = 0, bonus: Int64 = 0, debt: Int64 = 0
    ) -> [[String: Any]] {
        guard approval.isOpen else { return [] }
        return table([
            line("paid", balance.paid, paid), line("bonus", balance.bonus, bonus), line("debt", balance.debt, debt),
        ])
    }

    private func line(_ label: String, _ before: Int64, _ change: Int64) -> [String: Any] {
        let (after, isTooMuch) = before.addingReportingOverflow(change)
        return [
            "label": Texts.text(label, visit.language), "before": Show.number(before),
            "after": isTooMuch ? "" : Show.number(after), "isSame": change == 0,
        ]
    }

    private func table(_ rows: [[String: Any]]) -> [[String: Any]] { [["rows": rows]] }

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
