import Currencies
import FoundationEssentials

/// The number of decimals of currencies: V1 writes amounts in the currency, V2 in its smallest unit.
///
/// A code that ISO 4217 does not have has 2, so that a client can be sent one that it must not read.
enum CurrencyScale {
    static func places(of currency: String) -> Int { Currency(currency)?.decimals ?? 2 }
}

extension Decimal {
    /// The amount in the smallest unit of `currency`.
    func minorUnits(of currency: String) -> Int {
        Int((self * Self.factor(currency)).description) ?? 0
    }

    /// The amount of a number of smallest units of `currency`.
    init(minorUnits: Int, of currency: String) {
        self = Decimal(minorUnits) / Self.factor(currency)
    }

    private static func factor(_ currency: String) -> Decimal {
        (0..<CurrencyScale.places(of: currency)).reduce(1) { factor, _ in factor * 10 }
    }
}
