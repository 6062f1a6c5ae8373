import Currencies
import WireFormats

/// How a gateway writes amounts.
///
/// ledgerd counts amounts in the minor unit of ISO 4217. A gateway can count in another part of the unit, or give some
/// currencies other decimals. Each gateway's type has its own format (docs/decisions/0220).
struct AmountFormat: Sendable {
    /// What a gateway's number counts.
    enum Unit: Sendable {
        /// The currency's unit, so the number has decimals: 14.20.
        case currency
        /// The currency's minor unit: 1420.
        case minorUnit
        /// The same part of the unit in all currencies: 14200 with 3 decimals.
        case part(decimals: Int)
    }

    let unit: Unit

    /// The gateway's decimals of the currencies to which ISO 4217 gives others, by code.
    let exceptions: [String: Int]

    init(_ unit: Unit, exceptions: [String: Int] = [:]) {
        self.unit = unit
        self.exceptions = exceptions
    }

    /// The range of amounts: larger than any payment, and small enough that the sum of a response's amounts fits 64
    /// bits.
    static let limits: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000

    /// Reads a gateway's number.
    ///
    /// - Returns: nil if it isn't a whole number of ISO 4217's minor units, or too large: amounts are never rounded.
    func read(_ number: String, in currency: Currency) -> Int64? {
        let decimals =
            switch unit {
            case .currency: 0
            case .minorUnit, .part: decimals(of: currency)
            }
        return currency.minorUnits(of: number, tenTo: -decimals).flatMap { Self.limits.contains($0) ? $0 : nil }
    }

    /// Reads an integer of a gateway that writes no decimals; nil also for any other number.
    func read(_ integer: JSON?, in currency: Currency) -> Int64? {
        integer?.integer.flatMap { read(String($0), in: currency) }
    }

    /// Reads the price that a store took; 0 if ISO 4217 does not have the code.
    ///
    /// The buyer has paid, so a code must not make the purchase unreadable. ``StorePurchase/price`` still says how much.
    func readPrice(_ number: String, inCode code: String) -> Int64? {
        guard let currency = Currency(code) else { return 0 }
        return read(number, in: currency)
    }

    /// Writes an amount, exactly.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if ISO 4217 does not have the code, or the gateway no such amount.
    func text(of amount: Int64, inCode code: String) throws(GatewayError) -> String {
        guard let currency = Currency(code) else {
            throw GatewayError(.invalidRequest, message: "the currency \(code) is unknown")
        }
        let places = decimals(of: currency)
        guard let number = Self.rescale(amount, from: currency.decimals, to: places) else {
            throw GatewayError(.invalidRequest, message: "the gateway has no such amount of \(code): \(amount)")
        }
        return switch unit {
        case .currency: Currency.decimal(number, places: places)
        case .minorUnit, .part: String(number)
        }
    }

    private func decimals(of currency: Currency) -> Int {
        if case .part(let decimals) = unit { return decimals }
        return exceptions[currency.code] ?? currency.decimals
    }

    private static func rescale(_ amount: Int64, from decimals: Int, to places: Int) -> Int64? {
        let factor = (0..<abs(places - decimals)).reduce(Int64(1)) { factor, _ in factor &* 10 }
        guard places < decimals else {
            let (number, isOverflow) = amount.multipliedReportingOverflow(by: factor)
            return isOverflow ? nil : number
        }
        return amount.isMultiple(of: factor) ? amount / factor : nil
    }
}

extension Currency {
    /// The currency that a gateway's payment names.
    ///
    /// - Throws: ``GatewayError/Code/unreadablePayment`` if ISO 4217 does not have it: with wrong decimals, an amount is
    ///   wrong by a factor of 100.
    init(ofPayment text: String) throws(GatewayError) {
        guard let currency = Currency(text) else {
            let problem = Currency.code(in: text).map { "\($0) is unknown" } ?? "can't be used"
            throw GatewayError(.unreadablePayment, httpStatus: 200, message: "the payment's currency \(problem)")
        }
        self = currency
    }
}
