import Foundation

/// Books what the gateway paid out of a payment, or kept back for a refund of it, as a row of its statement says.
///
/// ```
/// Dr bank          net          / Cr gateway:receivable  gross
/// Dr gateway:fees  fee and tax
/// ```
/// A row of a refund has amounts below zero, and its entry the sides exchanged. It takes effect when it was paid out. The
/// row is the key: one that is settled stays so.
package struct Settle: Act, Equatable {
    /// The purchase's user.
    package let user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The row, as it was imported.
    package let rowID: Int64
    /// All that its file says of this payment, on this day and in this direction: in the file's order.
    package let siblings: [PayoutAmounts]

    /// A row to book.
    ///
    /// - Parameter siblings: without them, what other files have booked of the payment and day is left to a person.
    package init(user: UserID, payment: PaymentIdentity, rowID: Int64, siblings: [PayoutAmounts] = []) {
        self.user = user
        self.payment = payment
        self.rowID = rowID
        self.siblings = siblings
    }
}

/// A row of a statement of payouts that is booked.
package struct Settled: Sendable, Equatable {
    /// The row.
    package let row: SettlementRow
    /// The purchase as it is now.
    package let purchase: Purchase
}

// MARK: - Planning

extension Settle {
    package var touches: Touches {
        Touches(
            systemAccounts: [.bank, .gatewayFees, .gatewayReceivable], payment: payment, settlementRow: rowID)
    }

    package func plan(on books: inout Plan) -> Answer<Settled> { books.settle(self) }
}

extension Plan {
    fileprivate mutating func settle(_ act: Settle) -> Answer<Settled> {
        guard var purchase = purchases.purchase(of: act.payment), purchase.user == act.user,
            var row = settlements.row(act.rowID)
        else { return .refused(.noSuchPurchase) }
        if row.status == .settled { return .unchanged(Settled(row: row, purchase: purchase)) }
        // It may have been imported with another mapping since the act was made.
        guard row.names(purchase) else { return .refused(.noSuchPurchase) }
        if let refusal = refusal(of: row, among: act.siblings, of: purchase) { return .refused(refusal) }
        if let fault = row.fault(of: purchase, at: recordedAt) { return .refused(.implausiblePayout(fault)) }
        guard !row.exceeds(purchase) else { return .refused(.exceedsPayment) }
        row.status = .settled
        row.purchaseID = purchase.id
        row.journalEntryID = post(row, of: purchase)
        row.settledAt = recordedAt
        purchase.settledAmount += row.gross
        settlements.change(row)
        purchases.change(purchase)
        return .done(Settled(row: row, purchase: purchase))
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
    /// Why a row can't be booked beside what is booked of the purchase on its day and in its direction; nil: it can.
    ///
    /// It is booked already when its place is taken and other files booked as many payouts equal to it as its own file
    /// has up to it. It is one more when neither is so, and its file has all that the others booked. Whatever is between
    /// the two (a row more above it, another amount, a part of the day) is for a person to judge: booking it might book
    /// a payout twice.
    private func refusal(of row: SettlementRow, among siblings: [PayoutAmounts], of purchase: Purchase) -> Refusal? {
        let booked = settlements.booked(of: purchase)
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
    /// How long after a payout's moment its day may end: a payout is told by its day's first moment, and a day on which
    /// clocks change has up to 25 hours.
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
