import Ledger
import LedgerServer

/// How the amount of a refund comes about, step by step: 200 − 10 for used bonus coins = 190, 190 × ₩10 = ₩1,900.
enum RefundSums {
    /// The steps as a section of a page; none: the refund is not possible.
    static func lines(of quote: RefundQuote, _ language: Language) -> [[String: Any]] {
        guard quote.refusal == nil, quote.value > 0 else { return [] }
        return lines(
            coins: quote.coins, charged: quote.bonusCharged, value: quote.paidValue, fee: quote.paidFee,
            of: quote.purchase, language)
    }

    /// The steps of a refund of these coins.
    ///
    /// - Parameters:
    ///   - charged: those of them that pay for used bonus coins.
    ///   - value: what was paid for the others, in minor units of the payment's currency, as the fee.
    static func lines(
        coins: Int64, charged: Int64, value: Int64, fee: Int64, of purchase: Purchase, _ language: Language
    ) -> [[String: Any]] {
        let currency = purchase.paidCurrency.code
        let paid = coins - charged
        var steps: [[String: String]] = []
        if charged > 0 {
            let charged = "\(Show.number(charged)) (\(Texts.text("sumBonus", language)))"
            steps.append([
                "label": Texts.text("sumCoins", language),
                "value": "\(Show.number(coins)) − \(charged) = \(Show.number(paid))",
            ])
        }
        let worth = Show.money(value, currency)
        let whole =
            price(of: paid, for: value, of: purchase).map { unit in
                "\(Show.number(paid)) × \(Show.money(unit, currency)) = \(worth)"
            }
            ?? "\(Show.number(paid)) / \(Show.number(purchase.coins)) × "
            + "\(Show.money(purchase.paidAmount, currency)) → \(worth)"
        steps.append(["label": Texts.text("sumValue", language), "value": whole])
        let kept = "\(Show.money(fee, currency)) (\(Texts.text("sumFee", language)))"
        steps.append([
            "label": Texts.text("sumAmount", language),
            "value": "\(worth) − \(kept) = \(Show.money(value - fee, currency))",
        ])
        return [["lines": steps]]
    }

    /// The price of one coin, if these coins are exactly worth it; nil: their part of the amount is rounded.
    private static func price(of coins: Int64, for value: Int64, of purchase: Purchase) -> Int64? {
        guard purchase.coins > 0, purchase.paidAmount % purchase.coins == 0 else { return nil }
        let unit = purchase.paidAmount / purchase.coins
        let (product, isTooLarge) = coins.multipliedReportingOverflow(by: unit)
        return !isTooLarge && product == value ? unit : nil
    }

    static let template = """
        {{#sums}}<h2>{{t.sumsTitle}}</h2>
        <dl class="facts wide">{{#lines}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/lines}}</dl>{{/sums}}
        """

    static let texts: [ConsoleText] = [
        .init("sumsTitle", "How the amount comes about", "환불 금액 계산"),
        .init("sumCoins", "Coins that are paid for", "환불 대상 코인"),
        .init("sumBonus", "for used bonus coins", "사용한 보너스 차감"), .init("sumValue", "Value of the coins", "환불 대상 금액"),
        .init("sumFee", "fee", "수수료"), .init("sumAmount", "The payer gets", "환불 금액"),
    ]
}
