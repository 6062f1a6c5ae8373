import Foundation
import Hummingbird
import Ledger
import LedgerServer

/// Prices of products in foreign currencies, planned as sales are.
extension ProductPages {
    func addPrices(to routes: inout ConsoleRoutes) {
        routes.act(.setPrice, setPrice)
        routes.act(.endPrice, endPrice)
        routes.act(.withdrawPrice, withdrawPrice)
    }

    static func row(_ price: ProductPrice, _ visit: Visit) -> [String: Any] {
        [
            "code": price.product, "currency": price.price.currency.code,
            "price": Show.money(price.price.amount, price.price.currency.code), "since": visit.show(price.activeFrom),
            "until": visit.show(price.activeUntil), "maySell": visit.may(.sell), "onceEnd": RandomToken.make(),
        ]
    }

    /// Whether changed coins may be sold at the prices that the product has.
    static func keepsPrices(_ visit: Visit) -> Bool { visit.form["keep_prices"] == "yes" }

    /// Replaces the price of a product in a currency, now or at the moment of the form.
    private func setPrice(_ visit: Visit) async throws -> Response {
        let (code, currency) = try Self.priced(visit)
        guard let price = ForeignPrice(text: try visit.form.text("price"), in: currency) else {
            throw Problem.invalid(member: "price", "price must be an amount above 0 in \(currency.code), such as 0.99")
        }
        let sale = SalePeriod(from: try visit.localTime("from"), until: try visit.localTime("until"))
        _ = try await desk.perform(.setPrice, on: "product:\(code)", visit) { _ in
            try await products.setPrice(price, of: code, sale)
        }
        return Self.redirect(visit, after: .setPrice, isPlanned: sale.from != nil)
    }

    private func endPrice(_ visit: Visit) async throws -> Response {
        let (code, currency) = try Self.priced(visit)
        let moment = try visit.localTime("at")
        _ = try await desk.perform(.endPrice, on: "product:\(code)", visit) { _ in
            try await products.endPrice(of: code, in: currency, at: moment)
        }
        return Self.redirect(visit, after: .endPrice, isPlanned: moment != nil)
    }

    private func withdrawPrice(_ visit: Visit) async throws -> Response {
        let (code, currency) = try Self.priced(visit)
        _ = try await desk.perform(.withdrawPrice, on: "product:\(code)", visit) { _ in
            try await products.withdrawPrices(of: code, in: currency)
        }
        return Self.redirect(visit, after: .withdrawPrice, isPlanned: false)
    }

    /// The product and the currency of a form.
    private static func priced(_ visit: Visit) throws -> (code: String, currency: ForeignCurrency) {
        (try visit.form.text("code", most: 64), try ForeignCurrency(named: visit.form.text("currency", most: 3)))
    }

    /// The choice to sell other coins at the prices that are there.
    static let keepPrices = """
        <div class="field"><label><input type="checkbox" name="keep_prices" value="yes"> {{t.productKeepPrices}}</label></div>
        """

    /// The beginning of a table of prices, up to the last cell of a row, which has what can be done.
    private static let priceRows = """
        <table class="stacked sortable"><thead><tr><th scope="col">{{t.productCode}}</th>
        <th scope="col" class="number">{{t.productPrice}}</th><th scope="col">{{t.productSince}}</th>
        <th scope="col">{{t.productUntil}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{code}}</th><td class="number">{{price}}</td><td>{{since}}</td><td>{{until}}
        """

    /// What names a price in a form.
    private static let priceFields = """
        \(FormPart.hidden("onceEnd"))<input type="hidden" name="code" value="{{code}}">
        <input type="hidden" name="currency" value="{{currency}}">
        """

    static let pricesTemplate = """
        {{#prices}}<h2>{{t.productPrices}}</h2>
        \(priceRows)
        {{#maySell}}<form method="post" action="\(ConsoleAct.endPrice.action())">\(priceFields)
        <label>{{t.productEnd}} <input name="at" type="datetime-local"></label>
        <button>{{t.productRetire}}<span class="hidden"> {{code}} {{currency}}</span></button></form>{{/maySell}}</td></tr>
        {{/rows}}</tbody></table>{{/prices}}
        {{#plannedPrices}}<h2>{{t.productPricesPlanned}}</h2>
        \(priceRows)
        {{#maySell}}<form method="post" action="\(ConsoleAct.withdrawPrice.action())">\(priceFields)
        <button>{{t.productWithdraw}}<span class="hidden"> {{code}} {{currency}}</span></button></form>{{/maySell}}</td></tr>
        {{/rows}}</tbody></table>{{/plannedPrices}}
        {{#maySell}}<h2>{{t.productPriceNew}}</h2>
        <form class="act" method="post" action="\(ConsoleAct.setPrice.action())">
        \(FormPart.hidden("oncePrice"))
        <div class="field"><label for="price_code">{{t.productCode}}</label><input id="price_code" name="code" required
        maxlength="64" autocomplete="off"></div>
        <div class="field"><label for="price_currency">{{t.productCurrency}}</label><input id="price_currency" name="currency"
        required maxlength="3" autocomplete="off"></div>
        <div class="field"><label for="price_price">{{t.productPrice}}</label><input id="price_price" name="price" required
        inputmode="decimal" autocomplete="off"></div>
        <div class="field"><label for="price_from">{{t.productFrom}}</label><input id="price_from" name="from"
        type="datetime-local"></div>
        <div class="field"><label for="price_until">{{t.productTo}}</label><input id="price_until" name="until"
        type="datetime-local"></div>
        <div><button>{{t.productPriceSet}}</button></div></form>
        <p class="quiet">{{t.productPriceHelp}}</p>{{/maySell}}
        """

    static let priceTexts: [ConsoleText] = [
        .init("productPrices", "Prices in other currencies", "외화 가격"),
        .init("productPricesPlanned", "Planned prices in other currencies", "예약된 외화 가격"),
        .init("productPriceNew", "A price in another currency", "외화 가격 설정"),
        .init("productCurrency", "Currency, such as USD", "통화(예: USD)"),
        .init(
            "productKeepPrices", "Sell these coins at the prices in other currencies, too",
            "변경한 코인도 기존 외화 가격으로 판매"),
        .init("productPriceSet", "Set the price", "가격 설정"),
        .init(
            "productPriceHelp",
            ProductPrice.help + " The price is in the currency's unit, such as 0.99.",
            "상품의 원화 가격은 그대로 유지됩니다. 결제 통화는 주문할 때 정합니다. 환율이 등록된 통화만 사용할 수 있습니다. 가격은 0.99처럼 통화 단위로 입력합니다."),
    ]
}
