/// What a settlement line says was paid out, in won.
package struct PayoutAmounts: Sendable, Hashable {
    /// What it is about; below zero: of a refund.
    package let gross: Int64
    /// What the gateway keeps of it.
    package let fee: Int64
    /// The tax on that.
    package let tax: Int64
}

extension SettlementLineDraft {
    /// What it says was paid out.
    var amounts: PayoutAmounts { PayoutAmounts(gross: gross, fee: fee, tax: tax) }

    /// What it has in common with the lines among which it has its place: payment, day and direction.
    var group: String { "\(gross < 0) \(paidOutOn) \(payment)" }
}

extension SettlementFileDraft {
    /// For each line, what the file says of the same payment, day and direction: in its order, so a place counts in it.
    var payouts: [Int64: [PayoutAmounts]] {
        let groups = Dictionary(grouping: lines, by: \.group).mapValues { $0.map(\.amounts) }
        return Dictionary(lines.map { ($0.number, groups[$0.group] ?? []) }) { first, _ in first }
    }
}
