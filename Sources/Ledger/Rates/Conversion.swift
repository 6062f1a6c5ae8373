package import Currencies

/// From amounts of a foreign currency to amounts of the functional one, at a rate.
///
/// PostgreSQL's function `converted` computes the same.
package struct Conversion: Sendable {
    /// An amount whose worth does not fit 64 bits.
    package struct Overflow: Error, Equatable {}

    private let numerator: Int128
    private let denominator: Int128

    /// - Parameters:
    ///   - foreign: the currency that is quoted.
    ///   - functional: the currency in which it is quoted.
    package init(_ quotation: Quotation, from foreign: Currencies.Currency, to functional: Currencies.Currency) {
        numerator = Int128(quotation.value) * .power(ofTen: Int64(functional.decimals))
        denominator = Int128(quotation.per) * .power(ofTen: quotation.scale + Int64(foreign.decimals))
    }

    /// What an amount is worth, both in minor units: exact, and then rounded once, half-even.
    ///
    /// An amount, a rate of twelve digits and four decimals have 36 digits at most; 128 bits hold 38.
    package func worth(of amount: Int64) throws(Overflow) -> Int64 {
        guard let worth = Int64(exactly: (Int128(amount) * numerator).halfEven(over: denominator)) else {
            throw Overflow()
        }
        return worth
    }
}

extension Quotation {
    /// What an amount is worth in won, rounded half-even; nil: it does not fit 64 bits.
    ///
    /// - Parameter amount: in minor units of the currency that is quoted.
    func worth(of amount: Int64, in currency: ForeignCurrency) -> Int64? {
        guard let foreign = Currencies.Currency(currency.code), let won = Currencies.Currency(Currency.won.code) else {
            return nil
        }
        return try? Conversion(self, from: foreign, to: won).worth(of: amount)
    }
}

extension Int128 {
    /// The quotient, rounded to the nearest whole number; of two that are as near, to the even one.
    ///
    /// - Parameter divisor: above 0.
    func halfEven(over divisor: Int128) -> Int128 {
        let (whole, rest) = quotientAndRemainder(dividingBy: divisor)
        let twice = 2 * rest.magnitude
        let isRoundedAway = twice > divisor.magnitude || twice == divisor.magnitude && !whole.isMultiple(of: 2)
        return isRoundedAway ? whole + rest.signum() : whole
    }
}
