import Currencies

/// What Apple paid in won for all that a report has in a foreign currency: its summary of payments tells it.
package struct ForeignPayout: Sendable, Equatable {
    /// A part of it, as people give it.
    package enum Part: String, Sendable, CaseIterable {
        case currency
        case rate = "exchange_rate"
        case proceeds

        /// The accepted texts, worded to follow "must be".
        package var rule: String {
            switch self {
            case .currency: "the code of a foreign currency, such as USD"
            case .rate: Quotation.rule
            case .proceeds: "a whole number of won, such as 97118"
            }
        }
    }

    /// A part that is missing or can't be read.
    package struct Fault: Error, Equatable {
        package let part: Part
    }

    /// In which Apple tells our share.
    package let currency: ForeignCurrency
    /// The won of one unit.
    let rate: Quotation
    /// In won; below zero: Apple takes it off later payouts.
    let proceeds: Int64

    /// - Returns: nil without any part: the report is in won.
    package init?(_ parts: [Part: String]) throws(Fault) {
        guard !parts.isEmpty else { return nil }
        guard let currency = try? ForeignCurrency(parts[.currency] ?? "") else { throw Fault(part: .currency) }
        guard let rate = Quotation(parts[.rate] ?? "", per: 1) else { throw Fault(part: .rate) }
        guard let text = parts[.proceeds], let proceeds = WonText.parse(text) else { throw Fault(part: .proceeds) }
        self.currency = currency
        self.rate = rate
        self.proceeds = proceeds
    }

    /// The won of what a buyer paid, at the rate; nil: more than the books take.
    ///
    /// - Parameter amount: in minor units of the currency.
    func worth(ofPaid amount: Int64) -> Int64? {
        rate.worth(of: amount, in: currency).flatMap { abs($0) <= Price.highest ? $0 : nil }
    }
}

/// Our shares in a report in a foreign currency, and their won.
///
/// Their won are those at Apple's rate. What its rounding leaves between them and the proceeds is spread over all shares, so that they add up to
/// what the bank got.
struct ForeignShares: Sendable {
    /// A currency's unit and a won have so many.
    private static let millionths: Int128 = 1_000_000
    /// The most units of a currency in a report, in millionths: so all products below fit 128 bits.
    private static let most: Int128 = .power(ofTen: 19)

    /// By how many won proceeds may be off: Apple rounds them for each of the regions that it pays in a currency.
    private static let roundings: Int128 = 10

    let payout: ForeignPayout
    /// What was sold less what was given back, in millionths of the currency's unit.
    private var total: Int128 = 0
    /// Both together.
    private var all: Int128 = 0

    init(_ payout: ForeignPayout) { self.payout = payout }

    mutating func add(_ share: Int128, isReturn: Bool) {
        total += isReturn ? -share : share
        all += share
    }

    /// By how much the proceeds are more than the shares at the rate, in the unit that shares at the rate have.
    private var difference: Int128 {
        Int128(payout.proceeds) * Self.millionths * scale - total * Int128(payout.rate.value)
    }

    private var scale: Int128 { .power(ofTen: payout.rate.scale) }

    /// - Throws: ``SettlementFileProblem`` for proceeds that are not the shares at the rate: further from them than half of the rate's
    ///   last digit and the roundings of regions.
    func check() throws(SettlementFileProblem) {
        let won = Self.millionths * scale
        guard all <= Self.most, 2 * abs(difference) <= abs(total) + 2 * Self.roundings * won else {
            let worth = (total * Int128(payout.rate.value)).halfEven(over: won)
            throw SettlementFileProblem(
                .proceedsDiffer(
                    text(total), payout.currency.code, rate: payout.rate.text, worth: Int64(clamping: worth),
                    proceeds: payout.proceeds))
        }
    }

    private func text(_ share: Int128) -> String {
        guard let currency = Currencies.Currency(payout.currency.code) else { return "" }
        let amount = share.halfEven(over: .power(ofTen: Int64(6 - currency.decimals)))
        return currency.decimal(Int64(clamping: amount))
    }

    /// The won of a share that passed ``check()``, in millionths.
    func won(_ share: Int128, isReturn: Bool) -> Int128 {
        guard all > 0 else { return 0 }
        let spread = share * difference / all
        return (share * Int128(payout.rate.value) + (isReturn ? -spread : spread)) / scale
    }
}
