import Foundation

extension Plan {
    mutating func settle(_ command: Settle) -> Answer {
        guard var purchase = purchase(of: command.payment), purchase.user == command.user,
            var row = settlementRows[command.rowID]
        else { return Answer(.refused(.noSuchPurchase)) }
        if row.status == .settled { return Answer(.settled(Settled(row: row, purchase: purchase)), isRepeat: true) }
        // It may have been imported with another mapping since the command was made.
        guard row.names(purchase) else { return Answer(.refused(.noSuchPurchase)) }
        if let refusal = refusal(of: row, among: command.siblings, of: purchase) { return Answer(.refused(refusal)) }
        if let fault = row.fault(of: purchase, at: recordedAt) { return Answer(.refused(.implausiblePayout(fault))) }
        guard !row.exceeds(purchase) else { return Answer(.refused(.exceedsPayment)) }
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

    /// Why a row can't be booked beside what is booked of the purchase on its day and in its direction; nil: it can.
    ///
    /// It is booked already when its place is taken and other files booked as many payouts equal to it as its own file
    /// has up to it. It is one more when neither is so, and its file has all that the others booked. Whatever is between
    /// the two (a row more above it, another amount, a part of the day) is for a person to judge: booking it might book
    /// a payout twice.
    private func refusal(of row: SettlementRow, among siblings: [PayoutAmounts], of purchase: Purchase) -> Refusal? {
        let booked = (settledRows[purchase.id] ?? []).compactMap { settlementRows[$0] }
            .filter { $0.paidOutOn == row.paidOutOn && ($0.gross < 0) == (row.gross < 0) }
        guard !booked.isEmpty else { return nil }
        let others = booked.filter { $0.fileID != row.fileID }.counted(by: \.amounts)
        let isPlaceTaken = booked.contains { $0.place == row.place }
        let equal = others[row.amounts] ?? 0
        let isBooked = equal > 0 && siblings.prefix(Int(row.place)).count { $0 == row.amounts } <= equal
        if isPlaceTaken, isBooked { return .alreadySettled }
        let own = siblings.counted(by: \.self)
        let hasOthers = others.allSatisfy { payout, count in own[payout, default: 0] >= count }
        return isPlaceTaken || isBooked || !hasOthers ? .settledOtherwise : nil
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
    /// Whether it is of this purchase, as whoever reads statements finds purchases.
    fileprivate func names(_ purchase: Purchase) -> Bool {
        [purchase.payment.impUID, purchase.payment.merchantUID].map(ExactText.init).contains(ExactText(payment))
    }

    /// What can't be true of the row, whatever else is booked; nil: nothing.
    fileprivate func fault(of purchase: Purchase, at now: Date) -> PayoutFault? {
        if paidOutAt > now + Self.furthestAhead { return .paidOutInFuture }
        if paidOutAt + Self.longestDay <= purchase.paidAt { return .paidOutBeforePayment }
        // A row that pays nothing out may hold a fee alone.
        let most = gross == 0 ? purchase.amount : abs(gross)
        return [fee, tax, fee + tax].contains { abs($0) > most } ? .feeExceedsGross : nil
    }

    /// Statements tell of payouts that are due in the next days.
    private static let furthestAhead: TimeInterval = 7 * 86_400
    /// A payout's day is told by its first moment, and the payment may be of the same day: 25 hours where clocks change.
    private static let longestDay: TimeInterval = 25 * 3600

    /// Whether all rows together would pay out more of the purchase than was paid, or keep back more than that.
    ///
    /// What is kept back may come before what is paid out, and before we hear of the refund.
    fileprivate func exceeds(_ purchase: Purchase) -> Bool {
        if gross > 0 { return gross > purchase.amount - purchase.settledAmount }
        return gross < 0 && gross < -purchase.amount - purchase.settledAmount
    }
}

extension Sequence {
    /// How many elements say each thing.
    fileprivate func counted<Key: Hashable>(by key: (Element) -> Key) -> [Key: Int] {
        reduce(into: [:]) { counts, element in counts[key(element), default: 0] += 1 }
    }
}
