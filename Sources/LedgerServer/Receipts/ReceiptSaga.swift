import Foundation
import Ledger
import PGVerifier

/// The only path from a receipt to coins.
///
/// ```
/// findPurchase ── known ──────────────────────────────────────────── readBalance ── credited before
///      └ unknown ── findFree? ── askGateway ── findSales ── judge ┬ refused ── findCredited ┬ unknown ── note? ─ refused
///                     └ known ── given before                     ├ undecided ─ findCredited ┼ unknown ── keep? ─ waiting
///                                                                 │                          └ known ── keepName ── readBalance
///                                                                 ├ free ── giveFree ── given
///                                                                 └ paid ── note? ── credit ── credited
/// ```
/// The first saga that credits a payment wins, and all others get the same purchase, also under the payment's name in
/// another API of the gateway. Only the gateway's response shows that two names are one payment, so the books are asked
/// again before such a payment is refused.
struct ReceiptSaga: Saga {
    let receipt: Receipt
    /// The user who presents the receipt.
    var user: UserID
    let rules: ReceiptRules
    /// Whether a receipt that can't be decided yet is stored, so that it is credited even if it is never presented
    /// again.
    var keepsWaiting = false
    /// Whether a paid receipt is stored whose price can't be booked yet, so that the publication of a rate takes it up.
    var keepsUnbookable = false
    /// Whether a person has decided that the payment belongs to the user, so claims and the payment's data don't matter.
    var isOwnerDecided = false
    /// What was paid, in the payment's currency, as the person saw it who decided, because one person decides about so much
    /// only; nil: it decides nothing.
    var seenAmount: Int64?
    /// The gateway's response, if the caller has it; then the gateway is not asked.
    var answer: GatewayPayment?
    /// Whether the payment is one of the test channel, as the gateway signed it of what is presented; nil: nothing is signed.
    var signedAsTest: Bool?

    var first: Effect { answer.map(Effect.findSales) ?? .findPurchase }

    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step {
        switch (effect, event) {
        case (.findPurchase, .purchase(let purchase)): return afterBooks(purchase)
        case (.readBalance(let purchase), .balance(let balance)):
            return .end(.credited(Credited(purchase: purchase, balance: balance), isRepeat: true))
        case (.findFree, .freeFound(let free?)): return end(free, isRepeat: true)
        case (.findFree, .freeFound(nil)): return .perform(.askGateway)
        case (.giveFree, .freeGiven(let given)): return try afterGiving(given)
        case (.askGateway, .payment(let payment)): return .perform(.findSales(payment))
        case (.askGateway, .gatewayFailed(let error)):
            guard case .refuse(let reason) = verdict(after: error) else { return wait(.gatewayUnavailable) }
            return .end(.refused(.payment(reason)))
        case (.askGateway, .gatewayOff): return .end(.refused(.gatewayOff))
        case (.findSales(let payment), .sales(let sales, let claims)):
            return try judge(payment, sales, claims, at: now)
        case (.findCredited(let payment, let objection), .purchase(let purchase)):
            return follow(purchase, ofOrderOf: payment, else: objection)
        case (.keepName(_, let purchase), .stored): return .perform(.readBalance(purchase))
        case (.storeClaim(let payment), .stored):
            return .perform(.note(.claimedBySeveral, payment, then: .refuse(.claimedBySeveral)))
        case (.note(_, _, then: .refuse(let refusal)), .stored): return .end(.refused(refusal))
        case (.note(_, _, then: .wait(let reason)), .stored): return wait(reason)
        case (.note(_, let payment, then: .credit(let sale)), .stored): return credit(payment, sale, at: now)
        case (.credit(_, let payment), .credited(let answer)): return try afterCredit(answer, payment)
        case (.keep(let reason), .kept(let isKept)):
            return .end(isKept || !keepsWaiting ? .waiting(reason) : .refused(.tooManyWaitingReceipts))
        default: throw .unexpected("an event of a receipt does not belong to its effect")
        }
    }

    /// Another user's purchase with a wrong `merchant_uid` is a guess, with the same response as an unknown payment.
    private func afterBooks(_ purchase: Purchase?) -> Step {
        guard let purchase, purchase.user == user || receipt.names(purchase.payment) else {
            return .perform(purchase == nil && receipt.isOfStore ? .findFree : .askGateway)
        }
        guard purchase.user == user else { return .end(.refused(.payment(.receiptBelongsToAnotherUser))) }
        guard receipt.names(purchase.payment) else { return .end(.refused(.payment(.merchantUIDMismatch))) }
        return .perform(.readBalance(purchase))
    }

    private func wait(_ reason: WaitReason) -> Step {
        guard reason.mayEnd else { return .end(.waiting(reason)) }
        return keepsWaiting || keepsUnbookable && reason == .priceNotBookable
            ? .perform(.keep(reason)) : .end(.waiting(reason))
    }

    private func judge(
        _ payment: GatewayPayment, _ sales: PossibleSales, _ claims: [Claim], at now: Date
    ) throws(LedgerError) -> Step {
        guard signedAsTest == nil || payment.isTest == nil || payment.isTest == signedAsTest else {
            return .end(.refused(.payment(.environmentMismatch)))
        }
        let assessment = rules.assess(payment, presentedAs: receipt, sales, by: user)
        switch assessment.verdict {
        case .credit:
            guard let sale = assessment.sale else { throw .unexpected("a credit has no sale") }
            guard !sale.isOrdered, !isOwnerDecided else { return book(payment, sale, at: now) }
            guard let named = rules.claims.user(namedBy: payment) else {
                return decide(payment, sale, claims, at: now)
            }
            return named == user
                ? book(payment, sale, at: now)
                : findCredited(payment, else: .refuse(.payment(.receiptBelongsToAnotherUser)))
        case .wait(let reason): return findCredited(payment, else: .wait(reason))
        case .alreadyCredited: throw .unexpected("the verdict has used the books")
        // Callers can't distinguish other users' payments from unknown payments.
        case .refuse(.merchantUIDMismatch): return .end(.refused(.payment(.paymentNotFound)))
        case .refuse(let reason): return findCredited(payment, else: .refuse(refusal(reason, of: payment, sales)))
        }
    }

    /// Looks for the purchase of the payment's order, unless it would change nothing: a payment without a time can't be
    /// recognised under another name.
    private func findCredited(_ payment: GatewayPayment, else objection: Objection) -> Step {
        payment.paidAt == nil && !objection.isAboutPurchase
            ? follow(nil, ofOrderOf: payment, else: objection) : .perform(.findCredited(payment, else: objection))
    }

    private func follow(
        _ purchase: Purchase?, ofOrderOf payment: GatewayPayment, else objection: Objection
    ) -> Step {
        if let purchase, purchase.isOf(PaymentSighting(payment)) {
            return purchase.user == user
                ? .perform(.keepName(payment, purchase)) : .end(.refused(.payment(.receiptBelongsToAnotherUser)))
        }
        switch objection {
        case .wait(let reason):
            // Also of what was free: its buyer waits for coins, too.
            guard let kind = Finding.Kind(reason) else { return wait(reason) }
            return .perform(.note(kind, payment, then: .wait(reason)))
        // The order's coins are credited for another payment, whoever else presented this one.
        case .claimedBySeveral where purchase != nil:
            return follow(purchase, ofOrderOf: payment, else: .refuse(.merchantUIDAlreadyCredited(by: nil)))
        case .claimedBySeveral: return .perform(.storeClaim(payment))
        case .refuse(let refusal):
            let known = refusal.telling(purchase.flatMap { $0.user == user ? $0 : nil })
            guard let kind = Finding.Kind(refusal), rules.policy.isMoneyLeft(in: payment) else {
                return .end(.refused(known))
            }
            return .perform(.note(kind, payment, then: .refuse(known)))
        }
    }

    private func refusal(
        _ reason: RefusalReason, of payment: GatewayPayment, _ sales: PossibleSales
    ) -> CreditRefusal {
        switch reason {
        case .amountMismatch where mayBeTold(payment, sales): .wrongAmount(payment)
        case .testPayment: .testPayment(payment)
        default: .payment(reason)
        }
    }

    /// Whether the user may be told what was paid.
    ///
    /// The payment must be of the user's order, or name the user in its data. If its data names nobody, the receipt must
    /// have an id that can't be guessed.
    private func mayBeTold(_ payment: GatewayPayment, _ sales: PossibleSales) -> Bool {
        if case .order = sales { return true }
        guard let named = rules.claims.user(namedBy: payment) else { return isOwnerDecided || !receipt.isGuessable }
        return isOwnerDecided || named == user
    }

    /// Decides who gets the coins of a payment that has neither an order nor a user in its data.
    ///
    /// - The payment belongs to its only presenter. With several presenters, a person must decide.
    /// - A user who presented the payment before it was paid can have guessed its id. So other users have a grace period
    ///   after the payment to present it too.
    private func decide(_ payment: GatewayPayment, _ sale: Sale, _ claims: [Claim], at now: Date) -> Step {
        guard claims.allSatisfy({ $0.user == user }) else {
            return findCredited(payment, else: .claimedBySeveral)
        }
        return rules.claims.isPending(claims.first, on: payment, at: now)
            ? findCredited(payment, else: .wait(.claimPending)) : book(payment, sale, at: now)
    }

    /// Books the sale.
    ///
    /// A payment with a time in the future is booked as of now, and is a finding. The finding is stored first, so that a
    /// crash does not lose it.
    private func book(_ payment: GatewayPayment, _ sale: Sale, at now: Date) -> Step {
        guard sale.price != nil else { return give(payment, sale, at: now) }
        let isInFuture = payment.paidAt.map { $0 > now + CreditPurchase.clockTolerance } ?? false
        return isInFuture
            ? .perform(.note(.paidInFuture, payment, then: .credit(sale))) : credit(payment, sale, at: now)
    }

    private func credit(_ payment: GatewayPayment, _ sale: Sale, at now: Date) -> Step {
        guard let price = sale.price else { return give(payment, sale, at: now) }
        let paid = sale.foreign?.amount ?? price.amount
        if let seenAmount, seenAmount != paid { return .end(.refused(.changedMeanwhile)) }
        let lifetimes = rules.lifetimes.lifetimes(of: sale, at: payment.gateway)
        let act = CreditPurchase(
            user: user, payment: PaymentIdentity(payment), product: sale.product, price: price,
            foreign: sale.foreign, coins: sale.coins, bonusCoins: sale.bonusCoins, paidAt: payment.paidAt ?? now,
            isTimeTold: payment.paidAt != nil, expiresAt: lifetimes.paid.map { CoinExpiry(after: $0, from: now) },
            bonusExpiresAt: lifetimes.bonus.map { CoinExpiry(after: $0, from: now) }, vat: sale.vat,
            // It counts won in the books, and nothing follows from it.
            taxFree: sale.foreign == nil ? payment.taxFreeAmount : nil, cancelledAmount: payment.cancelledInAll,
            cancelledAt: payment.lastCancelledAt)
        return .perform(.credit(act, payment))
    }

    private func afterCredit(_ answer: Answer<Credited>, _ payment: GatewayPayment) throws(LedgerError) -> Step {
        switch answer.outcome {
        case .done(let credited):
            let isUnderAnotherName = answer.isRepeat && credited.purchase.payment.gateway != payment.gateway
            return isUnderAnotherName
                ? .perform(.keepName(payment, credited.purchase))
                : .end(.credited(credited, isRepeat: answer.isRepeat))
        case .refused(.paymentBelongsToAnotherUser): return .end(.refused(.payment(.receiptBelongsToAnotherUser)))
        case .refused(.paymentHasAnotherMerchantUID): return .end(.refused(.payment(.merchantUIDMismatch)))
        case .refused(.merchantUIDAlreadyCredited):
            return findCredited(payment, else: .refuse(.merchantUIDAlreadyCredited(by: nil)))
        // It is of nobody who can present it.
        case .refused(.userForgotten): return .end(.refused(.payment(.receiptBelongsToAnotherUser)))
        case .refused(.accountFull): return .end(.refused(.accountFull))
        case .refused: throw .unexpected("the ledger refused a purchase for an unexpected reason")
        }
    }
}

extension Receipt {
    /// Whether the receipt's order id matches a payment in the books, which was found by its look-up id.
    fileprivate func names(_ payment: PaymentIdentity) -> Bool {
        paymentID == nil || payment.merchantUID.utf8.elementsEqual(merchantUID.utf8)
    }

    /// Whether a store sold it, which registers no orders.
    fileprivate var isOfStore: Bool { !Gateways.thatRegister.contains(gatewayName) }
}

extension Finding.Kind {
    /// The finding while a payment waits for a person.
    fileprivate init?(_ reason: WaitReason) {
        switch reason {
        case .unknownStoreProduct: self = .unknownStoreProduct
        case .priceNotBookable, .worthOutOfRange: self = .priceNotBookable
        case .awaitingPayment, .unknownStatus, .cancellationPending, .claimPending, .gatewayUnavailable: return nil
        }
    }

    /// The finding after a refusal that leaves the buyer's money at the gateway.
    fileprivate init?(_ refusal: CreditRefusal) {
        switch refusal {
        case .payment(.paymentPartiallyCancelled): self = .partiallyCancelled
        case .payment(.amountMismatch), .wrongAmount: self = .amountMismatch
        case .payment(.currencyMismatch): self = .currencyMismatch
        case .payment(.orderNotFound): self = .orderNotFound
        case .payment(.orderBelongsToAnotherUser): self = .orderBelongsToAnotherUser
        case .payment(.orderAlreadyCredited), .merchantUIDAlreadyCredited: self = .merchantUIDAlreadyCredited
        case .payment(.orderExpired): self = .orderExpired
        default: return nil
        }
    }
}
