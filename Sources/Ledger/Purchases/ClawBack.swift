package import Foundation

/// Takes back the coins of a purchase whose payment was cancelled at the gateway, in whole or in part, without a refund
/// of ours.
///
/// ```
/// Dr wallet:<user>:paid   unspent  / Cr coins:issued        coins
/// Dr coins:expired        expired  / Cr coins:promotions    bonus
/// Dr wallet:<user>:bonus  bonus
/// Dr wallet:<user>:paid   charged for used bonus coins
/// Dr debt:<user>          spent
/// Dr coins:deferred-revenue  unrecognised  / Cr gateway:receivable  amount
/// Dr revenue:breakage        recognised for expired coins
/// Dr revenue:coins           recognised for spent ones
/// ```
/// VAT that arose from what is reversed falls away, and the debit of revenue is less by it.
///
/// Then the debt is paid with the coins that the user can use. Coins of the purchase that are frozen for a dispute are
/// released first (``RecordDispute``), and frozen again if the dispute goes on.
///
/// The act has no idempotency key: for the same cancelled total, nothing is left to take back.
package struct ClawBack: UserAct, Hashable {
    package var user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The total cancelled so far, in minor units of the payment's currency: of a payment in a foreign one, its worth is taken
    /// back at the payment's own rate.
    package let cancelledAmount: Int64
    /// When the gateway cancelled the part that is not taken back yet; nil: unknown.
    package let cancelledAt: Date?
    /// What happens to bonus coins that were used.
    package let usedBonus: UsedBonus
    /// Whether unused coins of a purchase with an open dispute are frozen.
    ///
    /// Those that were frozen before are frozen again in any case.
    package let freezes: Bool
    /// When a store signed the total, which can fall (``ReverseClawBack``); nil: it only rises.
    package let toldAt: Date?

    package init(
        user: UserID, payment: PaymentIdentity, cancelledAmount: Int64, cancelledAt: Date? = nil,
        usedBonus: UsedBonus = .charge, freezes: Bool = false, toldAt: Date? = nil
    ) {
        self.user = user
        self.payment = payment
        self.cancelledAmount = cancelledAmount
        self.cancelledAt = cancelledAt
        self.usedBonus = usedBonus
        self.freezes = freezes
        self.toldAt = toldAt
    }
}

/// The result of a claw-back.
package struct ClawedBack: Sendable, Equatable {
    /// The purchase after the act.
    package let purchase: Purchase
    /// Paid coins taken back by this act.
    package let coins: Int64
    /// Bonus coins taken back by this act.
    package let bonusCoins: Int64
    /// The user's balance after the act.
    package let balance: Balance
    /// Whether the store took a refund back after it had signed the total, so that nothing was taken.
    package var isOutdated = false
}

// MARK: - Planning

extension ClawBack {
    package var touches: Touches {
        Touches(
            systemAccounts: Self.systemAccounts(at: payment.gateway), payment: payment, takesBack: true,
            userLots: .first)
    }

    /// What coins of a payment may be taken back on.
    static func systemAccounts(at gateway: String) -> [SystemAccount] {
        [
            .coinsIssued, .coinsPromotions, .coinsExpired, .receivable(of: gateway), .deferredRevenue, .revenue,
            .breakage,
        ]
    }

    package func plan(on books: inout Plan) -> Answer<ClawedBack> { books.clawBack(self) }
}

extension Plan {
    fileprivate mutating func clawBack(_ act: ClawBack) -> Answer<ClawedBack> {
        guard let purchase = purchases.purchase(of: act.payment), purchase.user == act.user else {
            return .refused(.noSuchPurchase)
        }
        guard !purchases.isOutdated(act.toldAt, of: purchase) else {
            var answer = unchanged(purchase)
            answer.isOutdated = true
            return .unchanged(answer)
        }
        guard let part = due(of: purchase, by: act) else { return .unchanged(unchanged(purchase)) }

        let isFrozen = disputes.frozen(of: purchase) != FrozenCoins()
        let taken = takeBack(part, of: purchase, cancelledAt: act.cancelledAt, usedBonus: act.usedBonus)
        settleDisputes(of: taken.purchase, freezes: isFrozen || act.freezes)
        return .done(
            ClawedBack(
                purchase: taken.purchase, coins: taken.coins, bonusCoins: taken.bonusCoins,
                balance: balance(of: purchase.user)))
    }

    private func unchanged(_ purchase: Purchase) -> ClawedBack {
        ClawedBack(purchase: purchase, coins: 0, bonusCoins: 0, balance: balance(of: purchase.user))
    }

    /// What is to be taken back of a purchase when the gateway has cancelled so much; nil: nothing.
    ///
    /// The amount that our pending refund cancels at the gateway is booked by that refund, even if the webhook is first. In a
    /// foreign currency nothing is taken back beside it, because its won follow from what went back before.
    func due(of purchase: Purchase, by told: ClawBack) -> PaidPart? {
        let pending = refunds.pending(of: purchase)
        guard pending?.foreign == nil else { return nil }
        let won =
            purchase.due(cancelled: told.cancelledAmount) - purchase.cancelledAmount - (pending?.amount ?? 0)
        guard purchase.isDue(won, cancelled: told.cancelledAmount) else { return nil }
        return purchase.part(of: won, cancelled: told.cancelledAmount)
    }

    /// Takes back the coins of a purchase for a part of its money that went back to the buyer beside a pending refund.
    ///
    /// Coins that are frozen for a dispute are released first, so they are taken before any that were used.
    mutating func takeBack(
        _ part: PaidPart, of purchase: Purchase, because reason: String? = nil, cancelledAt: Date? = nil,
        usedBonus: UsedBonus
    ) -> TakenBack {
        let amount = part.won
        release(frozenOf: purchase)
        recall(
            Recall(
                forClawBackOf: part, of: purchase, beside: refunds.pending(of: purchase), own: lots.of(purchase),
                given: lots.given(of: purchase), usedBonus, at: recordedAt),
            of: purchase)
        recallRecognised(
            taking(part, of: purchase, usedBonus).revenue - max(0, paidLot(of: purchase)?.taxed ?? 0), of: purchase)
        let taken = taking(part, of: purchase, usedBonus)
        let cancelledAt = moment(cancelledAt, notBefore: max(purchase.paidAt, taken.earliest))
        let takenOfLots = taken.lots.compactMap { after in lots[after.id].map { ClawBackLoss.Taken($0, after) } }
        let entryID = postClawBack(taken, of: purchase, because: reason, at: cancelledAt)
        change(taken.lots, by: entryID)
        debts[purchase.user, default: DebtHistory()].owe(taken.debt, of: purchase.id, at: cancelledAt)
        let reversed = purchases.reverse(
            purchase,
            by: PurchaseReversal(
                journalEntryID: entryID, purchaseID: purchase.id, amount: amount, foreignAmount: part.foreign,
                coins: taken.paidCoins, bonusCoins: taken.bonusCoins, chargedCoins: taken.chargedFromLot))
        payDebt(of: purchase.user, reference: "purchase:\(purchase.id)")
        return TakenBack(
            purchase: reversed, amount: amount, foreignAmount: part.foreign, coins: taken.paidCoins,
            bonusCoins: taken.bonusCoins, chargedCoins: taken.chargedFromLot, journalEntryID: entryID, lots: takenOfLots
        )
    }

    private func taking(_ part: PaidPart, of purchase: Purchase, _ usedBonus: UsedBonus) -> Taking {
        Taking(
            part, from: purchase, beside: refunds.pending(of: purchase), lots: lots.of(purchase),
            usedBonus: usedBonus, at: recordedAt)
    }

    private mutating func postClawBack(
        _ taken: Taking, of purchase: Purchase, because reason: String?, at cancelledAt: Date
    ) -> Int64 {
        let user = purchase.user
        let stripe = stripe(of: user)
        var lines = walletLines(
            .debit, paid: taken.paidFromLot + taken.chargedFromLot, bonus: taken.bonusFromLot, of: user)
        let vat = outputVAT(of: taken.lots)
        let revenue = taken.revenue + vat.recognised
        if taken.debt > 0 { lines.append(Line(account: open(.debt, of: user), side: .debit, amount: taken.debt)) }
        lines += [
            Line(account: .system(.coinsExpired, stripe), side: .debit, amount: taken.expired),
            Line(account: .system(.coinsIssued, stripe), side: .credit, amount: taken.paidCoins),
            Line(account: .system(.coinsPromotions, stripe), side: .credit, amount: taken.bonusCoins),
            Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: taken.deferred),
            breakageLine(of: -taken.breakage, vat, in: stripe),
            Line(account: .system(.revenue, stripe), side: revenue > 0 ? .debit : .credit, amount: abs(revenue)),
        ]
        lines += owedLines(taken.part, of: purchase, .credit, in: stripe) + taxLines(of: vat, in: stripe)
        return post(
            .clawBack, reference: "purchase:\(purchase.id)", reason: reason, effectiveAt: cancelledAt, in: stripe,
            reverses: purchase.journalEntryID, lines)
    }
}

extension Recall {
    /// For a claw-back: what the buyer's wallet, and coins of the purchase that expired there, lack of the coins that are due.
    ///
    /// Used bonus coins are charged to what the buyer has alone.
    fileprivate init(
        forClawBackOf part: PaidPart, of purchase: Purchase, beside pending: Refund?, own: [Lot], given: [Lot],
        _ usedBonus: UsedBonus, at moment: Date
    ) {
        let coins = Taking.paidCoins(part, of: purchase, beside: pending)
        func had(_ kind: LotKind) -> Int64 { own.reduce(0) { $0 + ($1.kind == kind ? $1.remaining + $1.expired : 0) } }
        let due = BonusDue(
            of: purchase, bonus: own.first { $0.kind == .bonus }, beside: pending, usedBonus,
            recallable: given.recallable(.bonus, at: moment))
        let gone = purchase.refundedCoins + purchase.chargedCoins + (pending?.coins ?? 0) + coins
        self.init(
            paid: min(max(0, coins - had(.paid)), given.recallable(.paid, at: moment)),
            bonus: min(max(0, due.fromWallet(when: gone) - had(.bonus)), given.recallable(.bonus, at: moment)))
    }
}

/// What was taken back of a purchase, or given back.
struct TakenBack: Sendable {
    /// The purchase afterwards.
    let purchase: Purchase
    let amount: Int64
    /// The same in the payment's currency; nil: it was paid in won.
    let foreignAmount: Int64?
    let coins: Int64
    let bonusCoins: Int64
    let chargedCoins: Int64
    let journalEntryID: Int64
    /// What a claw-back took of the purchase's lots.
    let lots: [ClawBackLoss.Taken]
}

/// What a claw-back takes, and from where.
private struct Taking {
    /// What the gateway gave back to the user.
    let part: PaidPart
    /// Paid coins to take back: the cancelled share of the purchase's coins, rounded down, less the coins taken back
    /// before.
    ///
    /// A refund that kept a fee took more coins than the share of its amount.
    let paidCoins: Int64
    /// Bonus coins to take back, including those charged as paid coins.
    let bonusCoins: Int64
    /// Paid coins of the wallet that are charged for used bonus coins.
    let chargedFromLot: Int64
    /// Paid coins that were still in the wallet.
    let paidFromLot: Int64
    /// Bonus coins that were still in the wallet.
    let bonusFromLot: Int64
    /// Coins that had expired unused.
    let expired: Int64
    /// The won that was not recognised as revenue yet, for the amount and for charged coins.
    let deferred: Int64
    /// The part of the amount that was recognised as breakage for expired coins, and is reversed.
    let breakage: Int64
    /// The changed lots.
    let lots: [Lot]
    /// The earliest time at which the coins could be taken: after held coins were released and other coins had expired.
    let earliest: Date

    /// Coins that were spent or are held, and that the user owes now.
    var debt: Int64 { paidCoins + bonusCoins - paidFromLot - bonusFromLot - chargedFromLot - expired }
    /// The part of the amount that was recognised as revenue for used coins, and is reversed.
    ///
    /// Negative because of rounding when the last coins are taken, and for revenue recognised for charged coins.
    var revenue: Int64 { part.won - deferred - breakage }

    init(
        _ part: PaidPart, from purchase: Purchase, beside pending: Refund?, lots: [Lot], usedBonus: UsedBonus,
        at moment: Date
    ) {
        self.part = part
        let amount = part.won
        let coins = Self.paidCoins(part, of: purchase, beside: pending)
        let before = (paid: lots.first { $0.kind == .paid }, bonus: lots.first { $0.kind == .bonus })
        var (paid, bonus) = before
        paid?.takeBack(coins, for: amount)
        paidFromLot = (before.paid?.remaining ?? 0) - (paid?.remaining ?? 0)

        let due = BonusDue(of: purchase, bonus: bonus, beside: pending, usedBonus)
        let gone = purchase.refundedCoins + purchase.chargedCoins + (pending?.coins ?? 0) + coins
        let spare = paid.map { $0.isExpired(at: moment) ? 0 : $0.remaining } ?? 0
        let charged = due.charged(beside: gone, outOf: spare)
        chargedFromLot = min(charged, spare)
        _ = paid?.take(chargedFromLot)
        bonusFromLot = due.fromWallet(when: gone + chargedFromLot)
        let bonusExpired = due.fromExpired(when: gone + chargedFromLot)
        bonus?.takeBack(bonusFromLot + bonusExpired, for: 0)
        paidCoins = coins
        bonusCoins = bonusFromLot + bonusExpired + charged

        func lost(_ amount: KeyPath<Lot, Int64>) -> Int64 {
            [(before.paid, paid), (before.bonus, bonus)].reduce(0) { sum, lot in
                sum + (lot.0?[keyPath: amount] ?? 0) - (lot.1?[keyPath: amount] ?? 0)
            }
        }
        expired = lost(\.expired)
        deferred = lost(\.deferred)
        breakage = lost(\.breakage)
        paid?.taxed = before.paid?.taxed ?? 0
        paid?.takeBackRecognised(amount - deferred - breakage)
        let changes = zip([before.paid, before.bonus], [paid, bonus]).compactMap { before, after in
            before.flatMap { before in after.flatMap { $0 == before ? nil : (before: before, after: $0) } }
        }
        self.lots = changes.map(\.after)
        earliest = changes.map { $0.before.earliestTaking(leaving: $0.after) }.max() ?? .distantPast
    }

    /// Coins held for a pending refund belong to that refund as far as it pays money for them.
    ///
    /// The share is that of what was paid: of its won, which were rounded down, it could be a coin less.
    static func paidCoins(_ part: PaidPart, of purchase: Purchase, beside pending: Refund?) -> Int64 {
        let due =
            part.foreign.map { purchase.coins.share(purchase.paidBack + $0, of: purchase.paidAmount) }
            ?? purchase.coins.share(purchase.refundedAmount + part.won, of: purchase.amount)
        return max(0, min(due, purchase.coins - (pending?.coinsPaidFor ?? 0)) - purchase.refundedCoins)
    }
}

extension BonusDue {
    /// For a claw-back: what a pending refund settles counts as settled.
    ///
    /// - Parameter recallable: given bonus coins that can come back.
    fileprivate init(
        of purchase: Purchase, bonus lot: Lot?, beside pending: Refund?, _ usedBonus: UsedBonus, recallable: Int64 = 0
    ) {
        let setAside = pending?.bonusCoins ?? 0
        self.init(
            of: purchase, settled: purchase.refundedBonusCoins + setAside + (pending?.bonusCharged ?? 0),
            inWallet: (lot?.remaining ?? 0) + recallable, held: (lot?.held ?? 0) - setAside, expired: lot?.expired ?? 0,
            usedBonus: usedBonus)
    }
}

extension Lot {
    /// Takes coins back because `amount` won went back to the user: first from the wallet, then from expired coins, as
    /// far as there are any.
    ///
    /// The deferred won of the wallet's coins, and then the breakage of expired coins, is reduced by the amount and not
    /// by the rounded number of coins. The last coins take all that is left. The won of held coins stay with them.
    fileprivate mutating func takeBack(_ coins: Int64, for amount: Int64) {
        let deferredInWallet = won(of: remaining)
        let fromWallet = min(coins, remaining)
        remaining -= fromWallet
        let won = remaining == 0 ? deferredInWallet : min(deferredInWallet, amount)
        deferred -= won
        expired -= min(coins - fromWallet, expired)
        takeBackBreakage(expired == 0 ? breakage : min(breakage, max(0, amount - won)))
    }

    /// The earliest time at which the coins that `after` lacks could be taken.
    fileprivate func earliestTaking(leaving after: Lot) -> Date {
        let returned = returnedAt ?? .distantPast
        return after.expired < expired ? max(returned, expiresAt ?? .distantPast) : returned
    }
}
