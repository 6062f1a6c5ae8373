import Currencies

/// The amounts of a settlement line, in minor units of one currency.
struct PayoutAmounts: Equatable {
    let gross: Int64
    let fee: Int64
    let tax: Int64
    let net: Int64

    /// What the net amount has to be.
    var expectedNet: Int64 { gross - fee - tax }
    var hasAny: Bool { gross != 0 || fee + tax != 0 }
}

/// What a settlement file tells of how a line in a foreign currency became won: the rate of the payout, the won that were paid
/// out, or both.
struct PayoutConversion: Equatable {
    let currency: ForeignCurrency
    /// The won of one unit; nil: the won of the net amount tell it.
    let rate: Quotation?
    /// The won of the net amount; nil: the rate tells them.
    let won: Int64?

    /// Why a line can't be converted.
    enum Fault: Error, Equatable {
        /// Nothing tells the rate.
        case rateMissing
        /// The net amount is zero: only a rate tells the won of the rest.
        case netIsZero
        /// Its amounts are worth no won at the rate.
        case worthNoWon(Quotation)
        /// The net amount is worth so many won at the rate, and not those of the file; nil: they go the other way.
        case differs(worth: Int64?)
        /// A part is above ``Price/highest``, or its won go another way than the amount.
        case notBookable
    }

    /// The won of a line, which add up: net is what was paid out, fee and tax are at its rate, each rounded half-even, and gross is
    /// their sum.
    func won(of line: PayoutAmounts) throws(Fault) -> PayoutAmounts {
        let net = try net(of: line.net)
        let tax = try worth(of: line.tax, by: line.net)
        // A line that pays nothing out of a payment has no gross amount in won, either.
        let fee = line.gross == 0 ? -net - tax : try worth(of: line.fee, by: line.net)
        let gross = net + fee + tax
        guard gross == 0 || gross.signum() == line.gross.signum(),
            [gross, fee, tax, net].allSatisfy({ abs($0) <= Price.highest })
        else { throw .notBookable }
        let amounts = PayoutAmounts(gross: gross, fee: fee, tax: tax, net: net)
        if let rate, line.hasAny, !amounts.hasAny { throw .worthNoWon(rate) }
        return amounts
    }

    private func net(of amount: Int64) throws(Fault) -> Int64 {
        guard let rate else {
            guard amount != 0 else { throw .netIsZero }
            guard let won else { throw .rateMissing }
            guard won.signum() == amount.signum() else { throw .differs(worth: nil) }
            return won
        }
        guard let worth = rate.worth(of: amount, in: currency), abs(worth) <= Price.highest else { throw .notBookable }
        guard let won else { return worth }
        guard isNear(won, amount, rate) else { throw .differs(worth: worth) }
        return won
    }

    /// The file's rate, unless the won of the net amount tell it with more digits: a rate of 0.05 may be 0.0545.
    private func exactRate(of net: Int64) -> Quotation? {
        guard let rate, let won, net != 0, won.magnitude >= rate.value.magnitude else { return rate }
        return nil
    }

    /// The won of an amount, by the rate or by those of the net amount.
    private func worth(of amount: Int64, by net: Int64) throws(Fault) -> Int64 {
        let worth: Int64? =
            if let rate = exactRate(of: net) {
                rate.worth(of: amount, in: currency)
            } else {
                won.flatMap { won in
                    let product = Int128(amount) * Int128(won)
                    return Int64(exactly: (net < 0 ? -product : product).halfEven(over: abs(Int128(net))))
                }
            }
        guard let worth, abs(worth) <= Price.highest else { throw .notBookable }
        return worth
    }

    /// Whether won are those of an amount at the rate, but for half of the rate's last digit and a won of rounding.
    private func isNear(_ won: Int64, _ amount: Int64, _ rate: Quotation) -> Bool {
        guard let decimals = Currencies.Currency(currency.code)?.decimals else { return false }
        let scale = Int128.power(ofTen: rate.scale + Int64(decimals))
        let difference = Int128(won) * scale - Int128(amount) * Int128(rate.value)
        return 2 * abs(difference) <= abs(Int128(amount)) + 2 * scale
    }
}
