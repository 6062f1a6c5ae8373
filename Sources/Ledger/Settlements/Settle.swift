import Foundation

/// Books what the gateway paid out of a payment, or kept back for a refund of it, as a line of its settlement file says.
///
/// ```
/// Dr bank          net          / Cr gateway:receivable  gross
/// Dr gateway:fees  fee and tax
/// ```
/// A line of a refund has amounts below zero, and its entry the sides exchanged. It takes effect when it was paid out. The
/// line is the key: one that is settled stays so.
package struct Settle: Act, Equatable {
    /// The purchase's user.
    package let user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The line, as it was imported.
    package let lineID: Int64
    /// All that its file says of this payment, on this day and in this direction: in the file's order.
    package let siblings: [PayoutAmounts]

    /// A line to book.
    ///
    /// - Parameter siblings: without them, what other files have booked of the payment and day is left to a person.
    package init(user: UserID, payment: PaymentIdentity, lineID: Int64, siblings: [PayoutAmounts] = []) {
        self.user = user
        self.payment = payment
        self.lineID = lineID
        self.siblings = siblings
    }
}

/// A line of a settlement file that is booked.
package struct Settled: Sendable, Equatable {
    /// The line.
    package let line: SettlementLine
    /// The purchase as it is now.
    package let purchase: Purchase
}

// MARK: - Planning

extension Settle {
    package var touches: Touches {
        Touches(
            systemAccounts: [.bank, .gatewayFees, .gatewayReceivable], payment: payment, settlementLine: lineID)
    }

    package func plan(on books: inout Plan) -> Answer<Settled> { books.settle(self) }
}

extension Plan {
    fileprivate mutating func settle(_ act: Settle) -> Answer<Settled> {
        guard var purchase = purchases.purchase(of: act.payment), purchase.user == act.user,
            var line = settlements.line(act.lineID)
        else { return .refused(.noSuchPurchase) }
        if line.status == .settled { return .unchanged(Settled(line: line, purchase: purchase)) }
        // It may have been imported with another mapping since the act was made.
        guard line.names(purchase) else { return .refused(.noSuchPurchase) }
        if let refusal = refusal(of: line, among: act.siblings, of: purchase) { return .refused(refusal) }
        if let fault = line.fault(of: purchase, at: recordedAt) { return .refused(.implausiblePayout(fault)) }
        guard !line.exceeds(purchase) else { return .refused(.exceedsPayment) }
        line.status = .settled
        line.purchaseID = purchase.id
        line.journalEntryID = post(line, of: purchase)
        line.settledAt = recordedAt
        purchase.settledAmount += line.gross
        settlements.change(line)
        purchases.change(purchase)
        return .done(Settled(line: line, purchase: purchase))
    }

    private mutating func post(_ line: SettlementLine, of purchase: Purchase) -> Int64 {
        let stripe = stripe(of: purchase.user)
        return post(
            .settlement, reference: "purchase:\(purchase.id)", reason: "settlement row \(line.id)",
            effectiveAt: line.paidOutAt, in: stripe,
            [
                debit(.bank, line.net, in: stripe), debit(.gatewayFees, line.fee + line.tax, in: stripe),
                debit(.gatewayReceivable, -line.gross, in: stripe),
            ])
    }

    /// A line that debits an account, or credits it with what is below zero.
    private func debit(_ account: SystemAccount, _ amount: Int64, in stripe: Stripe) -> Line {
        Line(account: .system(account, stripe), side: amount < 0 ? .credit : .debit, amount: abs(amount))
    }
}

// MARK: - What was booked before

extension Plan {
    /// Why a line can't be booked beside what is booked of the purchase on its day and in its direction; nil: it can.
    ///
    /// It is booked already when its place is taken and other files booked as many payouts equal to it as its own file
    /// has up to it. It is one more when neither is so, and its file has all that the others booked. Whatever is between
    /// the two (a line more above it, another amount, a part of the day) is for a person to judge: booking it might book
    /// a payout twice.
    private func refusal(of line: SettlementLine, among siblings: [PayoutAmounts], of purchase: Purchase) -> Refusal? {
        let booked = settlements.booked(of: purchase)
            .filter { $0.paidOutOn == line.paidOutOn && ($0.gross < 0) == (line.gross < 0) }
        guard !booked.isEmpty else { return nil }
        let others = booked.filter { $0.fileID != line.fileID }.counted(by: \.amounts)
        let isPlaceTaken = booked.contains { $0.place == line.place }
        let equal = others[line.amounts] ?? 0
        let isBooked = equal > 0 && siblings.prefix(Int(line.place)).count { $0 == line.amounts } <= equal
        if isPlaceTaken, isBooked { return .alreadySettled }
        let own = siblings.counted(by: \.self)
        let hasOthers = others.allSatisfy { payout, count in own[payout, default: 0] >= count }
        return isPlaceTaken || isBooked || !hasOthers ? .settledOtherwise : nil
    }
}

extension SettlementLine {
    /// Whether it is of this purchase, as whoever reads settlement files finds purchases.
    fileprivate func names(_ purchase: Purchase) -> Bool {
        [purchase.payment.impUID, purchase.payment.merchantUID].map(ExactText.init).contains(ExactText(draft.payment))
    }

    /// What can't be true of the line, whatever else is booked; nil: nothing.
    fileprivate func fault(of purchase: Purchase, at now: Date) -> PayoutFault? {
        if draft.paidOutAt > now + Self.furthestAhead { return .paidOutInFuture }
        if draft.paidOutAt + Self.longestDay <= purchase.paidAt { return .paidOutBeforePayment }
        // A line that pays nothing out may hold a fee alone.
        let most = draft.gross == 0 ? purchase.amount : abs(draft.gross)
        return [draft.fee, draft.tax, draft.fee + draft.tax].contains { abs($0) > most } ? .feeExceedsGross : nil
    }

    /// Settlement files tell of payouts that are due in the next days.
    private static let furthestAhead: TimeInterval = 7 * 86_400
    /// How long after a payout's moment its day may end: a payout is told by its day's first moment, and a day on which
    /// clocks change has up to 25 hours.
    private static let longestDay: TimeInterval = 25 * 3600

    /// Whether all lines together would pay out more of the purchase than was paid, or keep back more than that.
    ///
    /// What is kept back may come before what is paid out, and before we hear of the refund.
    fileprivate func exceeds(_ purchase: Purchase) -> Bool {
        if draft.gross > 0 { return draft.gross > purchase.amount - purchase.settledAmount }
        return draft.gross < 0 && draft.gross < -purchase.amount - purchase.settledAmount
    }
}

extension Sequence {
    /// How many elements say each thing.
    fileprivate func counted<Key: Hashable>(by key: (Element) -> Key) -> [Key: Int] {
        reduce(into: [:]) { counts, element in counts[key(element), default: 0] += 1 }
    }
}
