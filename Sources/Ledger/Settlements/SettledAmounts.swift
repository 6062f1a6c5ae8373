/// The amounts of a settlement line, in won but for what was paid in a foreign currency.
package struct SettledAmounts: Sendable, Hashable {
    /// The gross amount; negative for a refund.
    package let gross: Int64
    /// The gateway's fee.
    package let fee: Int64
    /// The tax on the fee.
    package let tax: Int64
    /// What it settles of a payment in a foreign currency; nil: it was paid in won.
    var foreign: ForeignGross?
}

extension SettlementLineDraft {
    var amounts: SettledAmounts { SettledAmounts(gross: gross, fee: fee, tax: tax, foreign: foreign) }

    /// The key of the lines that ``place`` counts: same payment, day and direction.
    var group: String { "\(gross < 0) \(paidOutOn) \(payment)" }
}

extension [SettlementLineDraft] {
    /// For each line number, the amounts of all lines with the same payment, day and direction, in the file's order.
    var payouts: [Int64: [SettledAmounts]] {
        let groups = Dictionary(grouping: self, by: \.group).mapValues { $0.map(\.amounts) }
        return Dictionary(self.map { ($0.number, groups[$0.group] ?? []) }) { first, _ in first }
    }
}

extension SettlementFileDraft {
    /// Those of all lines of the file.
    var payouts: [Int64: [SettledAmounts]] { lines.payouts }
}
