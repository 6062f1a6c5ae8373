import Foundation

/// Books a settlement line: the payout of a payment, or the deduction for a refund of it.
///
/// ```
/// Dr bank          net          / Cr gateway:receivable  gross
/// Dr gateway:fees  fee and tax
/// ```
/// If the ledger books VAT, the tax is input VAT: `Dr tax:vat-input`. What Google Play keeps as tax is none: it is of the sale.
///
/// A payment in a foreign currency leaves by its share of the carrying amount, and the rest is exchange gain or loss:
/// ```
/// Dr bank               net        / Cr fx:clearing:USD:KRW         share
/// Dr gateway:fees       fee, tax   / Cr fx:gain:USD                 gross less share
/// Dr fx:clearing:USD    paid       / Cr google-play:receivable:USD  paid
/// ```
/// If the share is more than the gross amount, the rest is on `fx:loss:USD`, on the other side.
///
/// A line of a refund has negative amounts, and its entry has the opposite sides. The entry is effective at the time of
/// the payout. The act has no idempotency key: a settled line stays unchanged.
package struct Settle: UserAct, Equatable {
    package var user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The imported line.
    package let lineID: Int64
    /// All amounts of its file for this payment, day and direction, in the file's order.
    package let siblings: [SettledAmounts]

    /// - Parameter siblings: without them, the line is refused if other files booked payouts of the payment and day.
    package init(user: UserID, payment: PaymentIdentity, lineID: Int64, siblings: [SettledAmounts] = []) {
        self.user = user
        self.payment = payment
        self.lineID = lineID
        self.siblings = siblings
    }
}

/// The result of booking a settlement line.
package struct Settled: Sendable, Equatable {
    package let line: SettlementLine
    /// The purchase after the act.
    package let purchase: Purchase
}

// MARK: - Planning

extension Settle {
    package var touches: Touches {
        Touches(
            systemAccounts: [.bank, .gatewayFees, .receivable(of: payment.gateway)], payment: payment,
            settlementLine: lineID)
    }

    package func plan(on books: inout Plan) -> Answer<Settled> { books.settle(self) }
}

extension Plan {
    fileprivate mutating func settle(_ act: Settle) -> Answer<Settled> {
        guard var purchase = purchases.purchase(of: act.payment), purchase.user == act.user,
            var line = settlements.line(act.lineID)
        else { return .refused(.noSuchPurchase) }
        if line.status == .settled { return .unchanged(Settled(line: line, purchase: purchase)) }
        // The line may have been imported with another mapping since the act was made.
        guard line.draft.names(purchase) else { return .refused(.noSuchPurchase) }
        let booked = settlements.booked(of: purchase)
        if let refusal = line.refusal(among: act.siblings, booked, of: purchase, at: recordedAt) {
            return .refused(refusal)
        }
        line.status = .settled
        line.inputVAT = vatSettings.isBooked && purchase.payment.isTaxedOnFees ? line.tax : 0
        line.purchaseID = purchase.id
        let left = purchase.settle(line.draft)
        line.carried = line.foreign.map { _ in left }
        line.journalEntryID = post(line, of: purchase)
        line.settledAt = recordedAt
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
                debit(.bank, line.net, in: stripe),
                debit(.gatewayFees, line.fee + line.tax - line.inputVAT, in: stripe),
                debit(.vatInput, line.inputVAT, in: stripe),
            ] + leavingLines(of: line, of: purchase, in: stripe))
    }

    /// What takes a line's payment off what its gateway owes, with the exchange gain or loss.
    private func leavingLines(of line: SettlementLine, of purchase: Purchase, in stripe: Stripe) -> [Line] {
        guard let foreign = line.foreign, let carried = line.carried else {
            return [debit(.receivable(of: purchase.payment.gateway), -line.gross, in: stripe)]
        }
        let part = PaidPart(won: abs(carried), foreign: abs(foreign.amount))
        let gain = line.gross - carried
        let result =
            gain < 0
            ? self.line(of: .loss(foreign.currency), in: stripe, .debit, -gain)
            : self.line(of: .gain(foreign.currency), in: stripe, .credit, gain)
        return owedLines(part, of: purchase, foreign.amount < 0 ? .debit : .credit, in: stripe) + [result]
    }

    /// A line that debits an account, or credits it if the amount is negative.
    private func debit(_ account: SystemAccount, _ amount: Int64, in stripe: Stripe) -> Line {
        Line(account: .system(account, stripe), side: amount < 0 ? .credit : .debit, amount: abs(amount))
    }
}

// MARK: - Lines that were booked before

extension SettlementLine {
    /// Why the line can't be booked; nil: it can be.
    ///
    /// A preview asks the same.
    ///
    /// - Parameters:
    ///   - siblings: as in ``Settle/siblings``.
    ///   - booked: the booked lines of the purchase.
    func refusal(
        among siblings: [SettledAmounts], _ booked: [SettlementLine], of purchase: Purchase, at now: Date
    ) -> Refusal? {
        guard draft.foreign?.currency == purchase.foreignCurrency else { return .settledInForeignCurrency }
        if let refusal = overlap(siblings, booked) { return refusal }
        if let fault = fault(of: purchase, at: now) { return .implausiblePayout(fault) }
        return exceeds(purchase) ? .exceedsPayment : nil
    }

    /// Why the line can't be booked, given the booked lines of the purchase on the same day and in the same direction;
    /// nil: they don't forbid it.
    ///
    /// The line is already booked if its place is taken and other files booked as many equal payouts as its own file
    /// has up to this line. It is a new payout if neither is true, and its file has all payouts that the other files
    /// booked. Every other case (an additional line above it, another amount, a part of the day) needs a person's
    /// decision, because booking it might book a payout twice.
    private func overlap(_ siblings: [SettledAmounts], _ ofPurchase: [SettlementLine]) -> Refusal? {
        let line = draft
        let booked = ofPurchase.filter { $0.paidOutOn == line.paidOutOn && ($0.gross < 0) == (line.gross < 0) }
        guard !booked.isEmpty else { return nil }
        let others = booked.filter { $0.fileID != fileID }.counted(by: \.amounts)
        let isPlaceTaken = booked.contains { $0.place == line.place }
        let equal = others[line.amounts] ?? 0
        let isBooked = equal > 0 && siblings.prefix(Int(line.place)).count { $0 == line.amounts } <= equal
        if isPlaceTaken, isBooked { return .alreadySettled }
        let own = siblings.counted(by: \.self)
        let hasOthers = others.allSatisfy { payout, count in own[payout, default: 0] >= count }
        return isPlaceTaken || isBooked || !hasOthers ? .settledOtherwise : nil
    }
}

extension PaymentIdentity {
    /// Whether the tax of a settlement line is on the gateway's fee: what Google Play keeps as tax is of the sale.
    fileprivate var isTaxedOnFees: Bool { SystemAccount.receivable(of: gateway) != .googlePlayReceivable }
}

extension SettlementLineDraft {
    /// Whether the line names this purchase by its own names; ``Purchase/named(_:)`` also finds it by further ones.
    func names(_ purchase: Purchase) -> Bool {
        purchase.payment.ownNames.contains(ExactText(payment))
    }

    /// Why the line is none of the purchases that have its payment id, as ``SettlementLine/reason``; nil: it is the only
    /// one, or there is none.
    func misnaming(among purchases: [Purchase]) -> String? {
        guard let purchase = purchases.first else { return nil }
        if purchases.count > 1 { return "ambiguous" }
        return names(purchase) ? nil : "named_otherwise"
    }
}

extension SettlementLine {
    /// What can't be true about the line, regardless of other lines; nil: it is plausible.
    private func fault(of purchase: Purchase, at now: Date) -> SettlementFault? {
        if draft.paidOutAt > now + Self.furthestAhead { return .paidOutInFuture }
        if draft.paidOutAt + Self.longestDay <= purchase.paidAt { return .paidOutBeforePayment }
        if isRateImplausible(of: purchase) { return .rateImplausible }
        let most = mostFee(of: purchase)
        return [draft.fee, draft.tax, draft.fee + draft.tax].allSatisfy(most.contains) ? nil : .feeExceedsGross
    }

    /// Whether the won of a payment in a foreign currency are far from its rate.
    ///
    /// Rates do not move so far in the weeks to a payout: an amount without its decimals, or of another column, does. Of a fee
    /// without a gross amount, only the net amount shows it.
    private func isRateImplausible(of purchase: Purchase) -> Bool {
        guard let foreign = draft.foreign else { return false }
        if isFar(draft.gross, from: foreign.amount, of: purchase) { return true }
        guard let net = draft.foreignNet else { return false }
        return isFar(draft.net, from: net, of: purchase)
    }

    /// Whether won are less than half or more than double of an amount's worth at the rate of the payment, but for a won of rounding.
    private func isFar(_ won: Int64, from amount: Int64, of purchase: Purchase) -> Bool {
        guard let foreign = purchase.foreignAmount else { return false }
        let paid = Int128(foreign)
        let worth = Int128(purchase.amount) * Int128(amount.magnitude)
        let won = Int128(won.magnitude)
        return 2 * (won + 1) * paid < worth || (won - 1) * paid > 2 * worth
    }

    /// The fees, with their tax, that are plausible; below zero: given back.
    ///
    /// Without a payout, a fee may be a flat one, which can be above the money that it is for: of a refund of ₩100 some
    /// gateways take ₩300.
    private func mostFee(of purchase: Purchase) -> ClosedRange<Int64> {
        let flat = max(purchase.amount, Self.highestFlatFee)
        if draft.gross > 0 { return -draft.gross...draft.gross }
        return (draft.gross < 0 ? draft.gross : -purchase.amount)...flat
    }

    /// In won, with its tax; more than any gateway takes for a refund.
    private static let highestFlatFee: Int64 = 5000

    /// Settlement files may announce payouts of the next days.
    private static let furthestAhead: TimeInterval = 7 * 86_400
    /// The longest day, in seconds: a payout may have only a date, which counts as the start of the day, and a day on
    /// which clocks change has up to 25 hours.
    private static let longestDay: TimeInterval = 25 * 3600

    /// Whether all lines together would pay out more than was paid, or deduct more than was paid.
    ///
    /// A deduction may come before the payout, and before ledgerd knows about the refund.
    private func exceeds(_ purchase: Purchase) -> Bool {
        if draft.paid > 0 { return draft.paid > purchase.paidAmount - purchase.paidOut }
        return draft.paid < 0 && draft.paid < -purchase.paidAmount - purchase.paidOut
    }
}

extension Sequence {
    /// The number of elements for each key.
    fileprivate func counted<Key: Hashable>(by key: (Element) -> Key) -> [Key: Int] {
        reduce(into: [:]) { counts, element in counts[key(element), default: 0] += 1 }
    }
}
