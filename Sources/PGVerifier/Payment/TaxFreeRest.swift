/// What of a payment can still be cancelled, by the gateway's record, and the part of it that has no VAT (면세).
///
/// A gateway refuses a cancellation whose tax-free or taxable part is more than what is left of it (PortOne V2
/// contract, errors), so each cancellation takes its share of both.
package struct TaxFreeRest: Hashable, Sendable {
    /// The part of the whole payment that has no VAT, in minor units; 0: all of it is taxable.
    package let total: Int64

    /// What can still be cancelled, in minor units.
    package let balance: Int64

    /// The part of ``balance`` that has no VAT.
    package let taxFree: Int64

    /// What is left of a payment.
    ///
    /// Figures that contradict each other are cut to what can be true.
    package init(total: Int64, balance: Int64, taxFree: Int64) {
        self.total = max(0, total)
        self.balance = max(0, balance)
        self.taxFree = min(max(0, taxFree), self.total, self.balance)
    }

    /// The tax-free part of a cancellation, in minor units; nil: the payment has none, so nothing is sent.
    ///
    /// It is the amount's share of what is left, rounded down. So neither part is ever more than what is left of it,
    /// whoever cancelled before, and the last cancellation takes the rest of both: the parts add up to the payment's.
    package func part(of amount: Int64) -> Int64? {
        guard total > 0 else { return nil }
        guard amount > 0, amount < balance else { return min(max(0, amount), taxFree) }
        let (high, low) = taxFree.multipliedFullWidth(by: amount)
        return balance.dividingFullWidth((high, low)).quotient
    }
}
