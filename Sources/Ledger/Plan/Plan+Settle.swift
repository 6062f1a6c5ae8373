extension Plan {
    mutating func settle(_ command: Settle) -> Answer {
        guard var purchase = purchase(of: command.payment), purchase.user == command.user,
            var row = settlementRows[command.rowID]
        else { return Answer(.refused(.noSuchPurchase)) }
        if row.status == .settled { return Answer(.settled(Settled(row: row, purchase: purchase)), isRepeat: true) }
        guard !isSettled(row, of: purchase) else { return Answer(.refused(.alreadySettled)) }
        guard row.gross <= 0 || row.gross <= purchase.amount - purchase.settledAmount else {
            return Answer(.refused(.exceedsPayment))
        }
        row.status = .settled
        row.purchaseID = purchase.id
        row.journalEntryID = post(row, of: purchase)
        row.settledAt = recordedAt
        purchase.settledAmount += row.gross
        change(row)
        change(purchase)
        return Answer(.settled(Settled(row: row, purchase: purchase)))
    }

    private mutating func post(_ row: SettlementRow, of purchase: Purchase) -> Int64 {
        let stripe = stripe(of: purchase.user)
        return post(
            .settlement, reference: "purchase:\(purchase.id)", reason: "settlement row \(row.id)",
            effectiveAt: row.paidOutAt, in: stripe,
            [
                debit(.bank, row.net, in: stripe), debit(.gatewayFees, row.fee + row.tax, in: stripe),
                debit(.gatewayReceivable, -row.gross, in: stripe),
            ])
    }

    /// A line that debits an account, or credits it with what is below zero.
    private func debit(_ account: SystemAccount, _ amount: Int64, in stripe: Stripe) -> Line {
        Line(account: .system(account, stripe), side: amount < 0 ? .credit : .debit, amount: abs(amount))
    }
}

// MARK: - What was booked before

extension Plan {
    /// Takes over what the database holds of a row.
    mutating func load(_ row: SettlementRow) {
        settlementRows.load(row)
        indexSettled(row)
    }

    /// Whether another row booked the same payout of the purchase.
    private func isSettled(_ row: SettlementRow, of purchase: Purchase) -> Bool {
        (settledRows[purchase.id] ?? []).compactMap { settlementRows[$0] }.contains { $0.isSamePayout(as: row) }
    }

    private mutating func change(_ row: SettlementRow) {
        settlementRows.change(row)
        indexSettled(row)
    }

    private mutating func indexSettled(_ row: SettlementRow) {
        if row.status == .settled, let id = row.purchaseID { settledRows[id, default: []].append(row.id) }
    }
}

extension SettlementRow {
    /// Whether both say the same of a payment: on one day and in one direction, at the same place in their files.
    fileprivate func isSamePayout(as other: SettlementRow) -> Bool {
        paidOutOn == other.paidOutOn && (gross < 0) == (other.gross < 0) && place == other.place
    }
}
