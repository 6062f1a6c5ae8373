import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// Takes back the spends of a purchase and refunds it: a child spent what a parent had bought.
struct TakeBackPage: CustomerAct {
    let ledger: Ledger
    let desk: ApprovalDesk

    private var takeBacks: TakeBackActs { desk.desks.takeBacks }

    /// `GET /console/customers/{user}/take-back/{id}`: the spends of the purchase, all of them chosen at first, and what
    /// taking back those that are chosen would give back.
    func page(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let purchase = try await desk.purchase(visit, of: user)
        let quote = try await takeBacks.quote(try visit.request.chosenSpends(), of: purchase)
        return try await page(visit, user, quote, isChanged: false)
    }

    private func page(
        _ visit: Visit, _ user: UserID, _ quote: TakeBackQuote, isChanged: Bool
    ) async throws -> Response {
        let purchase = quote.purchase
        let isOff = !takeBacks.canAskGateway(of: purchase)
        let refusal =
            quote.refusal.map { Problem($0) } ?? (isOff ? Problem(.noRefund(at: purchase.payment.gateway)) : nil)
        var values: [String: Any] = [
            "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
            "product": purchase.product, "impUID": purchase.payment.paymentID,
            "merchantUID": purchase.payment.merchantUID, "isChanged": isChanged,
            "bought": Show.number(purchase.coins + purchase.bonusCoins),
            "price": Show.paid(for: purchase),
            "chosen": quote.chosen.map(String.init).joined(separator: ","),
            "needsSecond": desk.needsSecondPerson(quote.preview),
            "propose": visit.text("proposalRequest_\(AuditAct.takeBack.rawValue)"), "hasSpends": !quote.spends.isEmpty,
            "spends": quote.spends.map { Self.row($0, isChosen: quote.chosen.contains($0.id), visit) },
        ]
        values["proposals"] = ProposalPart.section(
            try await ledger.approvals.list(about: "purchase:\(purchase.id)"), visit)
        if let refusal, !quote.spends.isEmpty { values["refusal"] = ConsoleRefusal.text(refusal, visit.language) }
        if refusal == nil, let made = quote.made { values["made"] = Self.made(made, quote) }
        return await Layout.page(
            visit, title: "\(visit.text(Self.title)): \(user.rawValue)", status: isChanged ? .conflict : .ok,
            Self.template, values)
    }

    private static func row(_ spend: PurchaseSpend, isChosen: Bool, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(spend.id), "coins": Show.number(spend.redemption.coins),
            "ofPurchase": Show.number(spend.ofPurchase), "provider": spend.redemption.provider?.rawValue ?? "",
            "what": spend.reason ?? "", "isChosen": isChosen,
        ]
        row["spent"] = visit.time(spend.recordedAt)
        return row
    }

    private static func made(_ made: TakenBackAndRefunded, _ quote: TakeBackQuote) -> [String: Any] {
        let currency = quote.purchase.paidCurrency.code
        let refund = made.refund
        var values: [String: Any] = [
            "returned": Show.number(made.returned), "coins": Show.number(refund.coins),
            "bonus": Show.number(refund.bonusCoins), "charged": Show.number(refund.bonusCharged),
            "value": Show.money(refund.paidValue, currency), "fee": Show.money(refund.paidFee, currency),
            "amount": Show.refund(refund.amount, of: refund.foreign), "amountValue": String(refund.paidBack),
            "returnedValue": String(made.returned), "left": Show.number(made.balance.available),
        ]
        if let missing = quote.missing {
            values["missing"] = [
                "notChosen": missing.notChosen > 0 ? [["coins": Show.number(missing.notChosen)]] : [],
                "notInWallet": missing.notInWallet > 0 ? [["coins": Show.number(missing.notInWallet)]] : [],
            ]
        }
        return values
    }

    /// `POST /console/customers/{user}/take-back/{id}`: only what the page showed.
    func perform(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let form = visit.form
        let account = try form.account()
        guard let spends = SpendChoice(try form.text("spends", most: 1024)) else {
            throw Problem.invalid(member: "spends", "spends must be \(SpendChoice.rule)")
        }
        _ = try form.text("reason")
        let purchase = try await desk.purchase(visit, of: user)
        let preview = try await takeBacks.preview(spends, of: purchase)
        if try await !desk.hasPerformed(visit) {
            if let refusal = preview.refusal { throw Problem(refusal) }
            guard form["amount"] == preview.made.map({ String($0.refund.paidBack) }),
                form["returned"] == preview.made.map({ String($0.returned) })
            else {
                return try await page(visit, user, try await takeBacks.quote(spends, of: purchase), isChanged: true)
            }
        }
        do {
            return try await desk.perform(
                TakeBackOrder(purchase: purchase.id, spends: spends, account: account), of: user, visit,
                seen: try await desk.seen(of: preview), needsApproval: desk.needsSecondPerson(preview))
        } catch let problem as Problem where problem.code == .changedMeanwhile || problem.code == .exceedsOwnLimit {
            // Another refund or reversal came first.
            return try await page(visit, user, try await takeBacks.quote(spends, of: purchase), isChanged: true)
        }
    }
}

extension Request {
    /// The beginning of the name of a box for each spend.
    static let spendBox = "spend:"

    /// The spends whose boxes were checked; nil: the page was opened without a choice.
    ///
    /// - Throws: `invalid_request` for no box, too many, or one that is no spend's.
    fileprivate func chosenSpends() throws(Problem) -> SpendChoice? {
        let names = (FormText.decodePairs((uri.query ?? "").utf8) ?? []).map(\.name)
        guard names.contains("chosen") else { return nil }
        let ids = names.filter { $0.hasPrefix(Self.spendBox) }.map { $0.dropFirst(Self.spendBox.count) }
        guard let choice = SpendChoice(ids.joined(separator: ",")) else {
            throw .invalid(member: "spends", "spends must be \(SpendChoice.rule)")
        }
        return choice
    }
}

extension TakeBackPage {
    static let template = ConsoleTemplate(
        """
        {{#isChanged}}<p class="warning" role="alert">{{t.takeBackChanged}}</p>{{/isChanged}}
        {{#refusal}}<p class="problem" role="alert">{{refusal}}</p>{{/refusal}}
        <p>{{t.takeBackHelp}}</p>
        <dl class="facts"><div><dt>{{t.purchase}}</dt><dd>{{product}}</dd></div>
        <div><dt>imp_uid, payment_id</dt><dd><code class="id">{{impUID}}</code></dd></div>
        <div><dt>merchant_uid</dt><dd><code class="id">{{merchantUID}}</code></dd></div>
        <div><dt>{{t.amount}}</dt><dd>{{price}}</dd></div><div><dt>{{t.coins}}</dt><dd>{{bought}}</dd></div></dl>
        \(ProposalPart.template)
        <h2>{{t.takeBackSpends}}</h2>
        {{^hasSpends}}<p class="quiet">{{t.takeBackNone}}</p>{{/hasSpends}}
        {{#hasSpends}}<form method="get" action="{{path}}"><input type="hidden" name="chosen" value="yes">
        <table class="stacked"><thead><tr><th scope="col">{{t.takeBackSpend}}</th><th scope="col">{{t.time}}</th>
        <th scope="col">{{t.details}}</th><th scope="col">{{t.reverseProvider}}</th>
        <th scope="col" class="number">{{t.takeBackReturned}}</th><th scope="col" class="number">{{t.takeBackOwn}}</th></tr></thead><tbody>
        {{#spends}}<tr><th scope="row"><label><input type="checkbox" name="spend:{{id}}" value="yes"{{#isChosen}} checked{{/isChosen}}>
        <code class="id">{{id}}</code></label></th>
        <td>{{#spent}}<time datetime="{{value}}">{{text}}</time>{{/spent}}</td><td>{{what}}</td><td>{{provider}}</td>
        <td class="number">{{coins}}</td><td class="number">{{ofPurchase}}</td></tr>
        {{/spends}}</tbody></table>
        <div><button>{{t.takeBackPreview}}</button></div></form>{{/hasSpends}}
        {{#made}}<h2>{{t.takeBackResult}}</h2>
        <dl class="facts"><div><dt>{{t.takeBackReturned}}</dt><dd>{{returned}}</dd></div>
        <div><dt>{{t.refundCoins}}</dt><dd>{{coins}}</dd></div><div><dt>{{t.refundBonus}}</dt><dd>{{bonus}}</dd></div>
        <div><dt>{{t.refundCharged}}</dt><dd>{{charged}}</dd></div><div><dt>{{t.refundValue}}</dt><dd>{{value}}</dd></div>
        <div><dt>{{t.refundFee}}</dt><dd>{{fee}}</dd></div><div class="key"><dt>{{t.refundAmount}}</dt><dd>{{amount}}</dd></div>
        <div><dt>{{t.takeBackLeft}}</dt><dd>{{left}}</dd></div></dl>
        {{#missing}}<p class="warning">{{t.takeBackMissing}}</p><ul>
        {{#notChosen}}<li>{{t.takeBackNotChosen}}: {{coins}}</li>{{/notChosen}}
        {{#notInWallet}}<li>{{t.takeBackNotInWallet}}: {{coins}}</li>{{/notInWallet}}</ul>{{/missing}}
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        <form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <input type="hidden" name="spends" value="{{chosen}}"><input type="hidden" name="amount" value="{{amountValue}}">
        <input type="hidden" name="returned" value="{{returnedValue}}">
        \(FormPart.reason())
        \(FormPart.account)
        <div><button class="first">{{#needsSecond}}{{propose}}{{/needsSecond}}\
        {{^needsSecond}}{{t.takeBackTitle}}{{/needsSecond}} {{amount}}</button>
        <a class="button" href="{{back}}">{{t.back}}</a></div></form>{{/made}}
        {{^made}}<p><a class="button" href="{{back}}">{{t.back}}</a></p>{{/made}}
        """)

    static let texts: [ConsoleText] = [
        .init("takeBackTitle", "Take back and refund", "사용 취소 후 환불"),
        .init(
            "takeBackHelp",
            "For coins that somebody spent without leave, such as a child. The chosen spends come back whole, and then all coins of the purchase are refunded, both or nothing.",
            "자녀 등이 허락 없이 코인을 사용한 경우에 처리합니다. 선택한 사용을 전부 취소하고 이 구매의 코인을 모두 환불합니다. 하나라도 처리할 수 없으면 아무것도 처리하지 않습니다."),
        .init("takeBackSpends", "Where the coins went", "코인 사용 내역"),
        .init(
            "takeBackNone", "No coins of this purchase were spent. Refund it instead.",
            "이 구매의 코인은 사용되지 않았습니다. 환불을 이용하세요."),
        .init("takeBackSpend", "Spend", "사용"),
        .init("takeBackOwn", "Of this purchase", "이 구매의 코인"), .init("takeBackPreview", "Preview these", "선택한 내역 확인"),
        .init("takeBackResult", "What happens", "처리 결과"), .init("takeBackReturned", "Coins that come back", "돌려받는 코인"),
        .init("takeBackLeft", "Coins that the customer has left", "처리 후 고객의 보유 코인"),
        .init("takeBackMissing", "Not all coins of the purchase can be refunded:", "이 구매의 코인 중 일부는 환불할 수 없습니다."),
        .init("takeBackNotChosen", "in spends that are not chosen", "선택하지 않은 사용 내역의 코인"),
        .init(
            "takeBackNotInWallet", "on hold, expired, used to pay a debt, or spent long ago",
            "보류 중이거나 만료되었거나 미회수 코인에 충당되었거나 오래전에 사용된 코인"),
        .init(
            "takeBackChanged", "Something has changed, or another person must approve it now. Check the new figures.",
            "상태가 바뀌었거나 다른 담당자의 승인이 필요합니다. 새 금액을 확인하세요."),
        .init(
            "problem_spend_of_other_purchase", "The spend took no coins of the purchase.",
            "선택한 사용 내역에 이 구매의 코인이 없습니다."),
        .init(
            "problem_purchase_disputed", "The buyer disputes the payment: try it again when the dispute is over.",
            "분쟁 중인 결제입니다. 분쟁이 끝난 뒤 처리하세요."),
    ]

    static let title = "takeBackTitle"
    static let act = ConsoleAct(
        .takeBack, "customers/{user}/take-back/{id}", right: .reverse, .init("take back and refund", "사용 취소 후 환불"),
        done: .init(
            "The coins came back, and the refund is begun. The history shows how it ends.",
            "코인을 돌려받고 환불을 시작했습니다. 결과는 이력에 표시됩니다."),
        fields: [.own("spends"), .own("amount"), .own("returned"), .reason] + ConsoleAct.account, isLimited: true)

    static let proposal = ProposalDescriber(
        TakeBackOrder.self, title: .init("Taking back of spends with the refund of their purchase", "사용 취소 후 구매 환불"),
        button: .init("take back and refund", "사용 취소 후 환불"),
        asked: [
            ProposalField("purchase", "Purchase", "구매", .id),
            ProposalField("spends", "Entries of the spends", "사용 전표", .ids),
        ],
        seen: [
            ProposalField("amount", "The payer gets", "환불 금액", .money), .currency,
            ProposalField("fee", "Fee", "수수료", .money),
            ProposalField("left", "Coins that come back", "돌려받는 코인"),
            ProposalField("returned_before", "Coins of the spends that came back before", "이미 돌려준 코인"),
            ProposalField("refunded_before", "Refunded of the purchase before", "이 구매의 기존 환불액", .money),
            ProposalField("bonus_coins", "Bonus coins taken back", "회수할 보너스 코인"),
            .foreignAmount, .foreignFee, .foreignCurrency,
        ],
        made: [
            ProposalField("refund", "Refund", "환불 번호", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus),
            ProposalField("amount", "Refunded", "환불한 금액", .money),
            ProposalField("coins", "Coins that came back", "돌려받은 코인"),
            .foreignAmount, .foreignFee, .foreignCurrency,
        ]
    ) { try await $0.takeBack($1) }

    static func id(of object: CustomerObject) -> Int64? {
        guard case .purchase(let purchase) = object, purchase.status != .refunded else { return nil }
        return purchase.id
    }
}

extension ProposalObject {
    fileprivate func takeBack(_ order: TakeBackOrder) async throws -> [String: Any] {
        guard let balance = try await balance(),
            let purchase = try await ledger.purchases.find(order.purchase, of: balance.user)
        else { return [:] }
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
            coins: refund.coins, charged: refund.bonusCharged, value: refund.paidValue, fee: refund.paidFee,
            of: purchase, visit.language)
    }
}
