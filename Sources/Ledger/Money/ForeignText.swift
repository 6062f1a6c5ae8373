import Currencies

/// Parses amounts of a foreign currency in its unit, as people and stores' reports write them: `-1.30`, `1,200.00`.
enum ForeignText {
    /// The amount in minor units; nil: no amount, one with more decimals than the currency has, or too much.
    static func parse(_ text: String, of currency: ForeignCurrency) -> Int64? {
        // A comma is between thousands: `0,99` is no amount.
        guard text.wholeMatch(of: /-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?/) != nil,
            let amount = Currencies.Currency(currency.code)?.minorUnits(of: text.filter { $0 != "," }),
            amount.magnitude <= ForeignPayment.highest.magnitude
        else { return nil }
        return amount
    }

    /// The same with the signs of ``WonText``, such as `(1.30)` and `△1.30`; a dash and an empty text are zero.
    static func parseSigned(_ text: String, of currency: ForeignCurrency) -> Int64? {
        let text = text.trimmed[...]
        if text.isEmpty || WonText.dashes.contains(text) { return 0 }
        let (number, isNegative) = WonText.unsigned(text)
        let bare = String(number).trimmed
        guard !bare.hasPrefix("-"), let amount = parse(bare, of: currency) else { return nil }
        return isNegative ? -amount : amount
    }
}
