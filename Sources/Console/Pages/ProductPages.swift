import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer

/// What is on sale, and what will be.
struct ProductPages: Sendable {
    let products: Products
    let desk: ApprovalDesk

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("products", needs: .read, list)
        routes.act(.addProduct, add)
        routes.act(.changeProduct, change)
        routes.act(.retireProduct, retire)
        routes.act(.withdrawProduct, withdraw)
        addPrices(to: &routes)
    }

    /// `GET /console/products`.
    private func list(_ visit: Visit) async throws -> Response {
        let maySell = visit.may(.sell)
        let rows = try await products.list().map { Self.row($0, visit) }
        let prices = try await products.foreignPrices().map { Self.row($0, visit) }
        let plannedPrices = try await products.plannedPrices().map { Self.row($0, visit) }
        let planned = try await products.planned().map { Self.row($0, visit) }
        return await Layout.page(
            visit, title: visit.text("productsTitle"), Self.template,
            [
                "section": Layout.section(rows), "maySell": maySell, "once": RandomToken.make(),
                "planned": Layout.section(planned), "prices": Layout.section(prices),
                "plannedPrices": Layout.section(plannedPrices), "oncePrice": RandomToken.make(),
                "vatRules": Self.vatRules(.atUse, visit), "hasPrices": !prices.isEmpty || !plannedPrices.isEmpty,
            ])
    }

    private static func row(_ product: Product, _ visit: Visit) -> [String: Any] {
        [
            "code": product.code, "title": product.title, "coins": Show.number(product.coins.count),
            "price": Show.money(product.price.amount, product.price.currency.code),
            "bonus": Show.number(product.bonusCoins?.count ?? 0), "coinsValue": String(product.coins.count),
            "bonusValue": String(product.bonusCoins?.count ?? 0), "priceValue": String(product.price.amount),
            "isWon": product.price.currency == .won, "maySell": visit.may(.sell), "once": RandomToken.make(),
            "onceEnd": RandomToken.make(), "since": visit.show(product.activeFrom),
            "until": visit.show(product.activeUntil),
            "untilValue": product.activeUntil.map { Self.local($0, in: visit.timeZone) } ?? "",
            "coinLife": life(product.lifetimes.paid, visit), "bonusLife": life(product.lifetimes.bonus, visit),
            "coinDaysValue": product.lifetimes.paid.map { String($0.days) } ?? "",
            "bonusDaysValue": product.lifetimes.bonus.map { String($0.days) } ?? "",
            "vatRule": product.vat == .atUse ? "" : visit.text("vat_\(product.vat.rawValue)"),
            "vatRules": vatRules(product.vat, visit),
        ]
    }

    /// The choices of a product's rule of VAT.
    private static func vatRules(_ chosen: VATRule, _ visit: Visit) -> [[String: Any]] {
        [VATRule.atUse, .atSale, .exempt].map { rule in
            ["rule": rule.rawValue, "name": visit.text("vat_\(rule.rawValue)"), "isChosen": rule == chosen]
        }
    }

    private static func life(_ lifetime: CoinLifetime?, _ visit: Visit) -> String {
        switch lifetime {
        case nil: visit.text("productLifeDefault")
        case .forever: visit.text("productLifeForever")
        case .days(let days): "\(Show.number(days)) \(visit.text("productDays"))"
        }
    }

    /// The text of a field of a local time, such as `2026-12-01T09:00`.
    private static func local(_ moment: Date, in zone: TimeZone) -> String {
        String(Show.time(moment, in: zone).replacing(" ", with: "T").prefix(16))
    }

    private func add(_ visit: Visit) async throws -> Response {
        let draft = try ProductDraft(visit)
        _ = try await desk.perform(.addProduct, on: "product:\(draft.code)", visit) { _ in
            try await products.add(draft, keepsPrices: Self.keepsPrices(visit))
        }
        return Self.redirect(visit, after: .addProduct, isPlanned: draft.sale.from != nil)
    }

    /// A change ends the present version of the product, and begins the next one.
    private func change(_ visit: Visit) async throws -> Response {
        let new = try ProductDraft(visit)
        _ = try await desk.perform(.changeProduct, on: "product:\(new.code)", visit) { _ in
            try await products.change(new.code, keepsPrices: Self.keepsPrices(visit)) { $0 = new }
        }
        return Self.redirect(visit, after: .changeProduct, isPlanned: new.sale.from != nil)
    }

    /// Ends the sale, now or at the moment of the form.
    private func retire(_ visit: Visit) async throws -> Response {
        let (code, moment) = (try visit.form.text("code", most: 64), try visit.localTime("at"))
        _ = try await desk.perform(.retireProduct, on: "product:\(code)", visit) { _ in
            try await products.retire(code, at: moment)
        }
        return Self.redirect(visit, after: .retireProduct, isPlanned: moment != nil)
    }

    private func withdraw(_ visit: Visit) async throws -> Response {
        let code = try visit.form.text("code", most: 64)
        _ = try await desk.perform(.withdrawProduct, on: "product:\(code)", visit) { _ in
            try await products.withdraw(code)
        }
        return Self.redirect(visit, after: .withdrawProduct, isPlanned: false)
    }

    static func redirect(_ visit: Visit, after act: ConsoleAct, isPlanned: Bool) -> Response {
        visit.redirect(to: "/console/products", notice: act.notice(isPlanned ? "planned" : nil))
    }

    /// The beginning of a table of versions, up to the last cell of a row, which has what can be done.
    private static let versions = """
        <table class="stacked sortable"><thead><tr><th scope="col">{{t.productCode}}</th><th scope="col">{{t.productName}}</th>
        <th scope="col" class="number">{{t.productPrice}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col" class="number">{{t.bonusCoins}}</th><th scope="col">{{t.productSince}}</th>
        <th scope="col">{{t.productUntil}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{code}}</th><td>{{title}} <small>{{vatRule}}</small></td><td class="number">{{price}}</td>
        <td class="number">{{coins}} <small>{{coinLife}}</small></td>
        <td class="number">{{bonus}} <small>{{bonusLife}}</small></td><td>{{since}}</td><td>{{until}}
        """

    static let template = ConsoleTemplate(
        """
        {{^section}}\(FormPart.empty("productsNone")){{/section}}
        {{#section}}\(versions)
        {{#maySell}}<details><summary>{{t.productEdit}} {{code}}</summary>
        {{#isWon}}<form class="act" method="post" action="\(ConsoleAct.changeProduct.action())">
        \(FormPart.hidden())
        <input type="hidden" name="code" value="{{code}}">
        <label>{{t.productName}} <input name="title" value="{{title}}" required maxlength="40"></label>
        <label>{{t.productPriceWon}} <input name="price" value="{{priceValue}}" required inputmode="numeric"></label>
        <label>{{t.coins}} <input name="coins" value="{{coinsValue}}" required inputmode="numeric"></label>
        <label>{{t.bonusCoins}} <input name="bonus" value="{{bonusValue}}" inputmode="numeric"></label>
        <label>{{t.productCoinDays}} <input name="coin_days" value="{{coinDaysValue}}" inputmode="numeric"></label>
        <label>{{t.productBonusDays}} <input name="bonus_coin_days" value="{{bonusDaysValue}}" inputmode="numeric"></label>
        <label>{{t.productVAT}} <select name="vat">{{#vatRules}}<option value="{{rule}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/vatRules}}</select></label>
        <label>{{t.productFrom}} <input name="from" type="datetime-local"></label>
        <label>{{t.productTo}} <input name="until" type="datetime-local" value="{{untilValue}}"></label>
        {{#hasPrices}}\(keepPrices){{/hasPrices}}
        <div><button>{{t.productChange}}</button></div></form>{{/isWon}}
        <form method="post" action="\(ConsoleAct.retireProduct.action())">\(FormPart.hidden("onceEnd"))<input type="hidden" name="code" value="{{code}}">
        <label>{{t.productEnd}} <input name="at" type="datetime-local"></label>
        <button>{{t.productRetire}}</button></form></details>{{/maySell}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#planned}}<h2>{{t.productsPlanned}}</h2>
        \(versions)
        {{#maySell}}<form method="post" action="\(ConsoleAct.withdrawProduct.action())">
        \(FormPart.hidden("onceEnd"))<input type="hidden" name="code" value="{{code}}">
        <button>{{t.productWithdraw}}<span class="hidden"> {{code}}</span></button></form>{{/maySell}}</td></tr>
        {{/rows}}</tbody></table>{{/planned}}
        \(pricesTemplate)
        {{#maySell}}<h2>{{t.productNew}}</h2>
        <form class="act" method="post" action="\(ConsoleAct.addProduct.action())">
        \(FormPart.hidden())
        <div class="field"><label for="code">{{t.productCode}}</label><input id="code" name="code" required maxlength="64"
        autocomplete="off"></div>
        <div class="field"><label for="title">{{t.productName}}</label><input id="title" name="title" required maxlength="40"
        autocomplete="off"></div>
        <div class="field"><label for="price">{{t.productPriceWon}}</label><input id="price" name="price" required
        inputmode="numeric" autocomplete="off"></div>
        <div class="field"><label for="coins">{{t.coins}}</label><input id="coins" name="coins" required inputmode="numeric"
        autocomplete="off"></div>
        <div class="field"><label for="bonus">{{t.bonusCoins}}</label><input id="bonus" name="bonus" value="0"
        inputmode="numeric" autocomplete="off"></div>
        <div class="field"><label for="coin_days">{{t.productCoinDays}}</label><input id="coin_days" name="coin_days"
        inputmode="numeric" autocomplete="off"></div>
        <div class="field"><label for="bonus_coin_days">{{t.productBonusDays}}</label><input id="bonus_coin_days"
        name="bonus_coin_days" inputmode="numeric" autocomplete="off"></div>
        <div class="field"><label for="vat">{{t.productVAT}}</label><select id="vat" name="vat">
        {{#vatRules}}<option value="{{rule}}">{{name}}</option>{{/vatRules}}</select></div>
        <div class="field"><label for="from">{{t.productFrom}}</label><input id="from" name="from" type="datetime-local"></div>
        <div class="field"><label for="until">{{t.productTo}}</label><input id="until" name="until" type="datetime-local"></div>
        {{#hasPrices}}\(keepPrices){{/hasPrices}}
        <div><button class="first">{{t.productAdd}}</button></div></form>
        <p class="quiet">{{t.productHelp}}</p>{{/maySell}}
        """)

    static let texts: [ConsoleText] = [
        .init(
            "productsNone", "Nothing is on sale. An administrator can put a product on sale.",
            "판매 중인 상품이 없습니다. 관리자가 상품을 추가할 수 있습니다."),
        .init("productsTitle", "Products", "상품"), .init("productCode", "Code", "코드"),
        .init("productName", "Title", "이름"), .init("productPrice", "Price", "가격"),
        .init("productPriceWon", "Price in won", "가격(원)"), .init("productSince", "On sale since", "판매 시작"),
        .init("productUntil", "Until", "판매 종료일"), .init("productsPlanned", "Planned", "판매 예정"),
        .init("productFrom", "Sold from (empty: now)", "판매 시작 시각(비우면 지금)"),
        .init("productTo", "Sold until (empty: no end)", "판매 종료 시각(비우면 무기한)"),
        .init(
            "productCoinDays", "Days until paid coins expire (0: never; empty: general rule)",
            "유료 코인 유효 일수(0: 무기한, 비우면 기본 설정)"),
        .init(
            "productBonusDays", "Days until bonus coins expire (0: never; empty: general rule)",
            "보너스 코인 유효 일수(0: 무기한, 비우면 기본 설정)"),
        .init("productLifeDefault", "general lifetime", "기본 유효 기간"), .init("productLifeForever", "never expire", "무기한"),
        .init("productDays", "days", "일"),
        .init("productEnd", "End of the sale (empty: now)", "판매 종료 시각(비우면 지금)"),
        .init("productWithdraw", "Withdraw", "예약 취소"),
        .init("productEdit", "Change or end the sale of", "변경 또는 판매 종료:"), .init("productChange", "Change", "변경"),
        .init("productRetire", "End the sale", "판매 종료"), .init("productNew", "A new product", "새 상품"),
        .init("productAdd", "Put on sale", "판매 시작"), .init("productVAT", "VAT", "부가세"),
        .init("vat_at_use", "when the coins are used", "코인을 사용할 때"),
        .init("vat_at_sale", "when the coins are sold", "코인을 판매할 때"), .init("vat_exempt", "exempt", "면세"),
        .init(
            "productHelp",
            "Products on sale have different prices, because the amount of a payment without an order names its product. "
                + "What is changed or ended still credits payments that began before.",
            "주문 없는 결제는 금액으로 상품을 찾으므로 판매 중인 상품의 가격은 서로 달라야 합니다. 변경하거나 종료한 상품도 그 전에 시작된 결제는 적립됩니다."),
    ]
}

extension ProductDraft {
    /// The product of a form.
    fileprivate init(_ visit: Visit) throws(Problem) {
        let form = visit.form
        let coins = try form.requireCoins()
        let price = Int64(try form.text("price").replacing(",", with: "")).flatMap(Price.init(won:))
        guard let price else {
            throw .invalid(member: "price", "price must be a whole number of won, from 1 to \(Price.highest)")
        }
        let bonus = form["bonus"] == "0" ? nil : try form.coins("bonus")
        self.init(
            code: try form.text("code", most: 64), title: try form.text("title", most: 40), price: price, coins: coins,
            bonusCoins: bonus, sale: SalePeriod(from: try visit.localTime("from"), until: try visit.localTime("until")),
            lifetimes: ProductLifetimes(
                paid: try form.lifetime("coin_days"), bonus: try form.lifetime("bonus_coin_days")),
            vat: try form.vatRule("vat"))
    }
}

extension ConsoleForm {
    /// The rule of VAT of a field; empty: at use.
    fileprivate func vatRule(_ name: String) throws(Problem) -> VATRule {
        self[name] == nil ? .atUse : try choice(name)
    }

    /// The lifetime of a field of days; 0: forever; nil: it is empty.
    fileprivate func lifetime(_ name: String) throws(Problem) -> CoinLifetime? {
        guard let text = self[name] else { return nil }
        guard let lifetime = Int64(text).flatMap(CoinLifetime.init(days:)) else {
            throw .invalid(member: name, "\(name) must be a number of days from 0 to \(CoinLifetime.mostDays)")
        }
        return lifetime
    }
}

extension Visit {
    /// The moment of a field of a local time, such as `2026-12-01T09:00`, in the time zone of pages; nil: it is empty.
    func localTime(_ name: String) throws(Problem) -> Date? {
        guard let text = form[name] else { return nil }
        // As if it were in UTC, and then earlier by the offset that applies there.
        guard let asUTC = RFC3339.date(from: text + (text.count == 16 ? ":00Z" : "Z")) else {
            throw .invalid(member: name, "\(name) must be a time, such as 2026-12-01T09:00")
        }
        let near = asUTC - TimeInterval(timeZone.secondsFromGMT(for: asUTC))
        return asUTC - TimeInterval(timeZone.secondsFromGMT(for: near))
    }
}
