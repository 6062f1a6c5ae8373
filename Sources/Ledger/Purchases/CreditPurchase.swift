package import Foundation

/// Credits the coins of a payment that the gateway confirmed, exactly once.
///
/// ```
/// Dr coins:issued         coins   / Cr wallet:<user>:paid      coins
/// Dr coins:promotions     bonus   / Cr wallet:<user>:bonus     bonus
/// Dr gateway:receivable   amount  / Cr coins:deferred-revenue  amount
/// ```
/// Coins that the user owes are paid off at once, and recognised as if they were spent:
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr debt:<user>    coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins  won
/// ```
/// The payment is the key: the same payment again is answered with the same purchase.
package struct CreditPurchase: Act, Equatable {
    /// Who gets the coins.
    package let user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The code of the product that was bought.
    package let product: String
    /// What was paid, as the gateway says.
    package let price: Price
    /// Coins bought.
    package let coins: Coins
    /// Coins given on top, if any.
    package let bonusCoins: Coins?
    /// When it was paid at the gateway; a time that is further ahead than ``clockTolerance`` counts as now.
    package let paidAt: Date
    /// When unused bought coins expire; nil: never.
    package let expiresAt: Date?
    /// When unused given coins expire; nil: never.
    package let bonusExpiresAt: Date?

    /// How many seconds a gateway's clock may be ahead of ours.
    package static let clockTolerance: TimeInterval = 600

    /// A purchase to credit.
    package init(
        user: UserID, payment: PaymentIdentity, product: String, price: Price, coins: Coins, bonusCoins: Coins?,
        paidAt: Date, expiresAt: Date? = nil, bonusExpiresAt: Date? = nil
    ) {
        self.user = user
        self.payment = payment
        self.product = product
        self.price = price
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.expiresAt = expiresAt
        self.bonusExpiresAt = bonusExpiresAt
    }
}

/// A purchase that is in the ledger.
package struct Credited: Sendable, Equatable {
    /// The purchase.
    package let purchase: Purchase
    /// The user's balance right after the act.
    package let balance: Balance

    /// Names a purchase that is in the ledger.
    package init(purchase: Purchase, balance: Balance) {
        self.purchase = purchase
        self.balance = balance
    }
}

// MARK: - Planning

extension CreditPurchase {
    package var touches: Touches {
        Touches(
            systemAccounts: bonusCoins == nil
                ? [.coinsIssued, .gatewayReceivable, .deferredRevenue, .revenue]
                : [.coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue, .revenue],
            payment: payment, userLots: .ifInDebt)
    }

    package func plan(on books: inout Plan) -> Answer<Credited> { books.creditPurchase(self) }
}

extension Plan {
    fileprivate mutating func creditPurchase(_ act: CreditPurchase) -> Answer<Credited> {
        if let credited = purchases.purchase(of: act.payment) { return repeated(credited, for: act) }
        if purchases.purchase(underMerchantUIDOf: act.payment) != nil {
            return .refused(.merchantUIDAlreadyCredited)
        }
        let purchase = credit(act)
        purchases.insert(purchase)
        payDebt(of: act.user, reference: "purchase:\(purchase.id)")
        return .done(Credited(purchase: purchase, balance: balance(of: act.user)))
    }

    private func repeated(_ credited: Purchase, for act: CreditPurchase) -> Answer<Credited> {
        guard credited.user == act.user else { return .refused(.paymentBelongsToAnotherUser) }
        guard ExactText(credited.payment.merchantUID) == ExactText(act.payment.merchantUID) else {
            return .refused(.paymentHasAnotherMerchantUID)
        }
        return .unchanged(Credited(purchase: credited, balance: balance(of: act.user)))
    }

    private mutating func credit(_ act: CreditPurchase) -> Purchase {
        let id = newID()
        let entryID = postCredit(act, reference: "purchase:\(id)")
        addLot(.paid, act.coins, of: act, purchaseID: id, entryID: entryID)
        if let bonus = act.bonusCoins { addLot(.bonus, bonus, of: act, purchaseID: id, entryID: entryID) }
        return Purchase(
            id: id, status: .credited, user: act.user, payment: act.payment, product: act.product,
            amount: act.price.amount, currency: act.price.currency, coins: act.coins.count,
            bonusCoins: act.bonusCoins?.count ?? 0, refundedAmount: 0, paidAt: believable(act.paidAt),
            creditedAt: recordedAt, journalEntryID: entryID)
    }

    private mutating func postCredit(_ act: CreditPurchase, reference: String) -> Int64 {
        let stripe = stripe(of: act.user)
        let coins = act.coins.count
        let amount = act.price.amount
        var lines = [
            Line(account: .system(.coinsIssued, stripe), side: .debit, amount: coins),
            Line(account: open(.paid, of: act.user), side: .credit, amount: coins),
        ]
        if let bonus = act.bonusCoins?.count {
            lines.append(Line(account: .system(.coinsPromotions, stripe), side: .debit, amount: bonus))
            lines.append(Line(account: open(.bonus, of: act.user), side: .credit, amount: bonus))
        }
        lines.append(Line(account: .system(.gatewayReceivable, stripe), side: .debit, amount: amount))
        lines.append(Line(account: .system(.deferredRevenue, stripe), side: .credit, amount: amount))
        return post(.purchase, reference: reference, effectiveAt: act.paidAt, in: stripe, lines)
    }

    private mutating func addLot(
        _ kind: LotKind, _ coins: Coins, of act: CreditPurchase, purchaseID: Int64, entryID: Int64
    ) {
        lots.insert(
            Lot(
                id: newID(), stripe: stripe(of: act.user), user: act.user, kind: kind, coins: coins.count,
                amount: kind == .paid ? act.price.amount : 0, acquiredAt: recordedAt,
                expiresAt: kind == .paid ? act.expiresAt : act.bonusExpiresAt, purchaseID: purchaseID,
                journalEntryID: entryID))
    }
}
