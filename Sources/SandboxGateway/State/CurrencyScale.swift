import FoundationEssentials

/// The number of decimals of currencies (ISO 4217): V1 writes amounts in the currency, V2 in its smallest unit.
enum CurrencyScale {
    private static let none: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    private static let three: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    static func places(of currency: String) -> Int {
        none.contains(currency) ? 0 : three.contains(currency) ? 3 : 2
    }
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
        [1, 10, 100, 1000][CurrencyScale.places(of: currency)]
    }
}
