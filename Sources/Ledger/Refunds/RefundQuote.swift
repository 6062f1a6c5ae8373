package import Foundation

/// A preview of a refund.
package struct RefundQuote: Sendable, Equatable {
    package let purchase: Purchase
    /// Unused paid coins of the purchase that can be refunded now.
    package let unusedCoins: Int64
    /// Expired paid coins of the purchase that can be refunded now; nil: none.
    package let refundableExpired: RefundableExpired?
    /// Paid coins that would be taken back, including charged ones.
    package let coins: Int64
    /// Bonus coins that would be taken back; 0 if the refund would be refused because of its coins.
    package let bonusCoins: Int64
    /// Paid coins that would be charged for used bonus coins.
    ///
    /// No money would be refunded for them.
    package let bonusCharged: Int64
    /// The expired ones of the paid coins that would be taken back; nil: none.
    package let expired: Refund.ExpiredPart?
    /// The amount paid for the other paid coins, in minor units of the purchase's currency; of a payment in a foreign
    /// one, its worth.
    package let value: Int64
    /// The part of the value that would be kept.
    package let fee: Int64
    /// The rule that set the fee.
    package let feeRule: RefundFeeRule
    /// What would go back of a payment in a foreign currency; nil: it was paid in won.
    package let foreign: ForeignRefund?
    /// Why the refund would be refused; nil: it would not.
    package let refusal: Refusal?
    /// The given coins that would come back for it.
    let recall: Recall

    /// The coins that would come back from other users, who were given them.
    package var givenCoins: Int64 { recall.paid + recall.bonus }
}

/// Expired paid coins of a purchase that can be refunded.
package struct RefundableExpired: Sendable, Equatable {
    package let coins: Int64
    /// What the payer gets, in percent of the amount paid for them.
    package let percent: Int64
    /// The moment from which on they can't be refunded.
    package let until: Date
}

extension RefundQuote {
    /// Reasons to refuse a refund that do not depend on the purchase's lots.
    struct Obstacles {
        /// Coins that the user owes.
        var debt: Int64 = 0
        /// Whether another refund of the purchase is pending.
        var isInProgress = false
    }

    /// Previews a refund from the purchase's own lots at a moment.
    ///
    /// - Parameters:
    ///   - asked: paid coins to refund; nil: all that can be refunded.
    ///   - given: the lots with coins of the purchase that were given away.
    ///   - before: the refunds of the purchase before.
    ///   - isWaived: whether somebody waived the fee.
    init(
        _ asked: Coins?, of purchase: Purchase, lots: [Lot], given: [Lot], policy: RefundPolicy, obstacles: Obstacles,
        before: RefundsBefore, isWaived: Bool = false, at moment: Date
    ) {
        let had = lots.filter { $0.purchaseID == purchase.id }
        func paidCoins(of lots: [Lot]) -> RefundableCoins? {
            lots.first { $0.kind == .paid }.map { RefundableCoins(of: $0, purchase, policy, at: moment) }
        }
        // What can be refunded with all given coins; then what is, with those of them that it takes.
        let all = Recall(of: purchase, own: had, given: given, at: moment)
        let most = paidCoins(of: all.applied(to: had, from: given, at: moment))
        let coins = asked?.count ?? most?.coins ?? 0
        recall = Recall(forRefundOf: coins, of: purchase, own: had, given: given, policy, at: moment)
        let own = recall.applied(to: had, from: given, at: moment)
        let paid = paidCoins(of: own)
        let refundable = min(most?.coins ?? 0, coins <= paid?.coins ?? 0 ? .max : paid?.coins ?? 0)

        self.purchase = purchase
        unusedCoins = most?.unused ?? 0
        refundableExpired = most?.expired
        self.coins = coins
        var (won, fromExpired) = (Int64(0), (coins: Int64(0), value: Int64(0)))
        if let paid, coins > 0, coins <= refundable {
            let (isLast, fromWallet) = paid.taking(coins, of: purchase)
            let gone = isLast ? purchase.coins : purchase.refundedCoins + purchase.chargedCoins + coins
            let due = BonusDue(of: purchase, bonus: own.first { $0.kind == .bonus }, policy, at: moment)
            bonusCoins = due.fromWallet(when: gone)
            bonusCharged = min(coins, due.charged(when: gone))
            let values = paid.values(of: coins, charged: bonusCharged)
            fromExpired = (coins - fromWallet, values.expired)
            won = values.unused + values.expired
        } else {
            (bonusCoins, bonusCharged) = (0, 0)
        }
        // What was paid and what is kept of it is counted in the currency of the payment; its won follow.
        let (price, ofExpired) = purchase.paid(
            forUnused: won - fromExpired.value, expired: fromExpired.value, after: before.expired)
        // The unused coins of a refund that takes expired ones, too, are rounded by themselves.
        let (fee, rule) = policy.fee(
            of: price - ofExpired, in: purchase.paidCurrency,
            after: fromExpired.coins > 0 ? 0 : before.byPercentage, purchasedAt: purchase.creditedAt,
            isUnused: purchase.isUnused(own), isWaived: isWaived, at: moment)
        let expiredFee = policy.feeOfExpired(
            ofExpired, after: purchase.roundedUp(before.expired), isWaived: isWaived)
        foreign = purchase.foreign.map {
            ForeignRefund(
                amount: price - fee - expiredFee, fee: fee + expiredFee, currency: $0.currency,
                balance: $0.amount - $0.refunded)
        }
        value = purchase.worth(ofNext: price)
        self.fee = value - purchase.worth(ofNext: price - fee - expiredFee)
        let expiredValue = min(fromExpired.value, value)
        expired =
            fromExpired.coins > 0
            ? Refund.ExpiredPart(
                coins: fromExpired.coins, value: expiredValue,
                fee: min(expiredValue, value - purchase.worth(ofNext: price - expiredFee))) : nil
        feeRule = fromExpired.coins > 0 && fromExpired.coins == coins && !isWaived ? .expired : rule
        refusal =
            if !purchase.isRefundable {
                .refundInForeignCurrency
            } else if obstacles.isInProgress {
                .refundInProgress
            } else if obstacles.debt > 0 {
                .userInDebt(obstacles.debt)
            } else if refundable > 0 && coins > refundable {
                .exceedsRefundable(required: coins, available: refundable)
            } else if value > self.fee {
                nil
            } else {
                .nothingToRefund
            }
    }
}

extension Purchase {
    /// Whether no coins of the purchase were used: all that were not refunded are in the wallet or expired.
    fileprivate func isUnused(_ lots: [Lot]) -> Bool {
        func left(_ kind: LotKind) -> Int64 { lots.first { $0.kind == kind }.map { $0.remaining + $0.expired } ?? 0 }
        return chargedCoins == 0 && left(.paid) == coins - refundedCoins
            && left(.bonus) == bonusCoins - refundedBonusCoins
    }
}

extension Recall {
    /// All paid coins that can come back for a refund.
    fileprivate init(of purchase: Purchase, own: [Lot], given: [Lot], at moment: Date) {
        self = .none
        guard !given.isEmpty, let lot = own.first(where: { $0.kind == .paid }), !lot.isExpired(at: moment) else {
            return
        }
        let notGone = purchase.coins - purchase.refundedCoins - purchase.chargedCoins - lot.remaining
        self = Recall(paid: max(0, min(given.recallable(.paid, at: moment), notGone)), bonus: 0)
    }

    /// For a refund of so many paid coins: what the buyer's wallet lacks of them, and of the bonus coins that are due.
    fileprivate init(
        forRefundOf coins: Int64, of purchase: Purchase, own: [Lot], given: [Lot], _ policy: RefundPolicy,
        at moment: Date
    ) {
        let most = Recall(of: purchase, own: own, given: given, at: moment)
        let inWallet = own.first { $0.kind == .paid }?.remaining ?? 0
        self = Recall(paid: max(0, min(coins - inWallet, most.paid)), bonus: 0)
        let back = applied(to: own, from: given, at: moment)
        guard let paid = back.first(where: { $0.kind == .paid }), let bonus = back.first(where: { $0.kind == .bonus }),
            !bonus.isExpired(at: moment), !given.isEmpty
        else { return }
        let refundable = RefundableCoins(of: paid, purchase, policy, at: moment)
        let isLast = refundable.taking(min(coins, refundable.coins), of: purchase).isLast
        let due = BonusDue(
            of: purchase, bonus: bonus, policy, recallable: given.recallable(.bonus, at: moment), at: moment)
        let gone = isLast ? purchase.coins : purchase.refundedCoins + purchase.chargedCoins + coins
        self = Recall(paid: self.paid, bonus: max(0, due.fromWallet(when: gone) - bonus.remaining))
    }
}

extension BonusDue {
    /// For a refund: coins past their expiry that are still in the wallet count as expired.
    ///
    /// - Parameter recallable: given bonus coins that can come back.
    fileprivate init(
        of purchase: Purchase, bonus lot: Lot?, _ policy: RefundPolicy, recallable: Int64 = 0, at moment: Date
    ) {
        let isExpired = lot?.isExpired(at: moment) ?? false
        let inWallet = lot?.remaining ?? 0
        self.init(
            of: purchase, settled: purchase.refundedBonusCoins,
            inWallet: (isExpired ? 0 : inWallet) + recallable,
            held: lot?.held ?? 0, expired: (lot?.expired ?? 0) + (isExpired ? inWallet : 0),
            usedBonus: policy.usedBonus)
    }
}
