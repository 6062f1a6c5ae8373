package import Foundation
import Postgres

/// Credits the coins of a payment that the gateway confirmed, exactly once.
///
/// ```
/// Dr coins:issued         coins   / Cr wallet:<user>:paid      coins
/// Dr coins:promotions     bonus   / Cr wallet:<user>:bonus     bonus
/// Dr gateway:receivable   amount  / Cr coins:deferred-revenue  amount
/// ```
/// A store owes the amount on an account of its own, such as `app-store:receivable`. What was paid in a foreign currency has two
/// legs, and the amount is its worth at the rate of the payment:
///
/// ```
/// Dr app-store:receivable:USD  paid    / Cr fx:clearing:USD         paid
/// Dr fx:clearing:USD:KRW       amount  / Cr coins:deferred-revenue  amount
/// ```
///
/// If the user owes coins, the debt is paid at once, and its coins are recognised as if they were spent:
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr debt:<user>    coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins  won
/// ```
/// If the ledger books VAT and the product's arises at the sale:
///
/// ```
/// Dr tax:vat-deferred        VAT   / Cr tax:vat-payable  VAT
/// ```
/// What the gateway gave back before is clawed back at once, before anybody can use its coins, and before a debt is paid with them
/// (``ClawBack``).
///
/// The act has no idempotency key: the same payment, also under another API's name, returns the same purchase.
package struct CreditPurchase: UserAct, Hashable {
    package var user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The product's code.
    package let product: String
    /// The amount paid, as the gateway reports it; of a payment in a foreign currency, its worth.
    package let price: Price
    /// What was paid in a foreign currency; nil: it was won.
    package let foreign: ForeignPayment?
    /// Paid coins, without the bonus.
    package let coins: Coins
    /// Bonus coins; nil: none.
    package let bonusCoins: Coins?
    /// When it was paid at the gateway.
    ///
    /// A time later than now plus ``clockTolerance`` counts as now.
    package let paidAt: Date
    /// Whether the gateway told ``paidAt``; without it, the payment has no other name.
    package let isTimeTold: Bool
    /// When unused paid coins expire; nil: never.
    package let expiresAt: CoinExpiry?
    /// When unused bonus coins expire; nil: never.
    package let bonusExpiresAt: CoinExpiry?
    /// The product's rule of VAT, which applies if the ledger books VAT.
    package let vat: VATRule
    /// The part of the amount that has no VAT by the gateway's record; nil: the gateway does not tell.
    ///
    /// It is kept, and decides nothing: the rule is the product's.
    package let taxFree: Int64?
    /// What the gateway gave back before, in the payment's currency: its coins are taken back at once (``ClawBack``), so that
    /// nobody can spend them.
    package internal(set) var cancelledAmount: Int64
    /// When it gave them back; nil: unknown.
    package let cancelledAt: Date?
    /// Keyed hashes of the payment's names, by which it is known that a user who was forgotten has it; empty: nobody was.
    var digests: [PostgresBytes] = []

    /// Seconds that a gateway's clock may be ahead of the database's.
    package static let clockTolerance: TimeInterval = 600

    package init(
        user: UserID, payment: PaymentIdentity, product: String, price: Price, foreign: ForeignPayment? = nil,
        coins: Coins, bonusCoins: Coins?, paidAt: Date, isTimeTold: Bool = true, expiresAt: CoinExpiry? = nil,
        bonusExpiresAt: CoinExpiry? = nil, vat: VATRule = .atUse, taxFree: Int64? = nil,
        cancelledAmount: Int64 = 0, cancelledAt: Date? = nil
    ) {
        self.user = user
        self.payment = payment
        self.product = product
        self.price = price
        self.foreign = foreign
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.isTimeTold = isTimeTold
        self.expiresAt = expiresAt
        self.bonusExpiresAt = bonusExpiresAt
        self.vat = vat
        self.taxFree = taxFree
        self.cancelledAmount = cancelledAmount
        self.cancelledAt = cancelledAt
    }
}

/// The result of crediting a payment.
package struct Credited: Sendable, Equatable {
    package let purchase: Purchase
    /// The user's balance after the act.
    package let balance: Balance

    package init(purchase: Purchase, balance: Balance) {
        self.purchase = purchase
        self.balance = balance
    }
}

// MARK: - Planning

extension CreditPurchase {
    package var givesCoins: Bool { true }

    package var touches: Touches {
        // What is taken back at once is in the purchase's own new lots, so no others are read for it.
        Touches(
            systemAccounts: [.coinsIssued, .receivable(of: payment.gateway), .deferredRevenue, .revenue]
                + (bonusCoins == nil ? [] : [.coinsPromotions])
                + (cancelledAmount > 0 ? ClawBack.systemAccounts(at: payment.gateway) : []),
            payment: payment, digests: digests, foreign: foreign?.currency, userLots: .ifInDebt)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<Credited> {
        if let foreign, !books.hasAccounts(of: foreign.currency, at: payment.gateway, for: user) {
            throw .unexpected("the accounts of \(foreign.currency.code) are not open")
        }
        return books.creditPurchase(self)
    }
}

extension CreditPurchase {
    fileprivate var sighting: PaymentSighting {
        PaymentSighting(
            of: payment, amount: foreign?.amount ?? price.amount,
            currency: foreign?.currency.code ?? price.currency.code, paidAt: isTimeTold ? paidAt : nil)
    }
}

extension Plan {
    fileprivate mutating func creditPurchase(_ act: CreditPurchase) -> Answer<Credited> {
        if let credited = purchases.purchase(of: act.payment) { return repeated(credited, for: act) }
        if let ofOrder = purchases.purchase(underMerchantUIDOf: act.payment) {
            return ofOrder.isOf(act.sighting) ? repeated(ofOrder, for: act) : .refused(.merchantUIDAlreadyCredited)
        }
        guard purchases.forgotten.isDisjoint(with: act.digests) else { return .refused(.paymentBelongsToAnotherUser) }
        var purchase = credit(act)
        purchases.insert(purchase)
        let won = min(purchase.worth(ofCancelled: act.cancelledAmount), purchase.amount)
        if purchase.isDue(won, cancelled: act.cancelledAmount) {
            // No bonus coin of it is used yet.
            let taken = takeBack(
                purchase.part(of: won, cancelled: act.cancelledAmount), of: purchase, cancelledAt: act.cancelledAt,
                usedBonus: .charge)
            purchase = taken.purchase
        }
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
            bonusCoins: act.bonusCoins?.count ?? 0, refundedAmount: 0,
            paidAt: believable(act.paidAt), creditedAt: recordedAt, journalEntryID: entryID, taxFree: act.taxFree,
            foreignAmount: act.foreign?.amount, foreignCurrency: act.foreign?.currency, rateID: act.foreign?.rateID,
            foreignRefunded: act.foreign.map { _ in 0 })
    }

    /// Whether the accounts were read that a purchase in a foreign currency posts to.
    fileprivate func hasAccounts(of currency: ForeignCurrency, at gateway: String, for user: UserID) -> Bool {
        ForeignAccount.ofPurchase(at: gateway, in: currency).allSatisfy { account in
            journal.accounts.place(of: account, in: stripe(of: user)) != nil
        }
    }

    private mutating func postCredit(_ act: CreditPurchase, reference: String) -> Int64 {
        let stripe = stripe(of: act.user)
        var lines = PurchaseRule.lines(of: act, in: stripe, vat: rule(of: act)) { open($0, of: act.user) }
        if let foreign = act.foreign {
            let paid = PaidPart(won: act.price.amount, foreign: foreign.amount)
            lines += owedLines(paid, at: act.payment.gateway, in: foreign.currency, .debit, stripe)
        }
        return post(.purchase, reference: reference, effectiveAt: act.paidAt, in: stripe, lines)
    }

    private mutating func addLot(
        _ kind: LotKind, _ coins: Coins, of act: CreditPurchase, purchaseID: Int64, entryID: Int64
    ) {
        let expiry = kind == .paid ? act.expiresAt : act.bonusExpiresAt
        lots.insert(
            .issued(
                id: newID(), stripe: stripe(of: act.user), user: act.user, kind: kind, coins: coins.count,
                amount: kind == .paid ? act.price.amount : 0, acquiredAt: recordedAt,
                expiresAt: expiry.map { coinDays.end(of: $0, from: recordedAt) }, purchaseID: purchaseID,
                journalEntryID: entryID, vat: kind == .paid ? rule(of: act) : nil))
    }

    /// The rule of VAT of the paid coins; nil: the ledger books no VAT.
    private func rule(of act: CreditPurchase) -> VATRule? { vatSettings.isBooked ? act.vat : nil }
}
