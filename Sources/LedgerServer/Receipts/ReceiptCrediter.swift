import Foundation
package import Ledger
package import PGVerifier
import Timing

/// Credits receipts: performs the effects of ``ReceiptSaga``.
///
/// Client requests, retries, webhooks and sweeps use it. Requests to the gateway are outside database transactions.
package struct ReceiptCrediter: Sendable {
    package let gateways: Gateways
    package let ledger: Ledger
    let rules: ReceiptRules

    /// Credits the payment of a receipt to the user who presents it, if the gateway confirms the payment.
    ///
    /// - Parameters:
    ///   - keepsWaiting: whether a receipt that can't be decided yet is stored.
    ///   - isTest: as in ``ReceiptSaga/signedAsTest``.
    /// - Throws: ``LedgerError`` when the books can't be read or written. A repeat is safe and returns the same
    ///   purchase.
    func credit(
        _ receipt: Receipt, to user: UserID, keepsWaiting: Bool = false, signedAsTest isTest: Bool? = nil
    ) async throws(LedgerError) -> ReceiptSaga.Outcome {
        try await run(
            ReceiptSaga(
                receipt: receipt, user: user, rules: rules, keepsWaiting: keepsWaiting, signedAsTest: isTest))
    }

    /// Credits a payment to the user to whom it belongs by a person's decision, if the gateway confirms the payment.
    ///
    /// - Parameter seen: what was paid, in the payment's currency, as the person saw it; nil: it decides nothing.
    func credit(
        _ receipt: Receipt, asDecidedTo user: UserID, seen: Int64? = nil
    ) async throws(LedgerError) -> ReceiptSaga.Outcome {
        try await run(ReceiptSaga(receipt: receipt, user: user, rules: rules, isOwnerDecided: true, seenAmount: seen))
    }

    /// Judges a response of the gateway, and credits the payment to a user.
    ///
    /// - Parameter keepsUnbookable: as in ``ReceiptSaga/keepsUnbookable``.
    func credit(
        _ answer: GatewayPayment, presentedAs receipt: Receipt, to user: UserID, keepsUnbookable: Bool = false
    ) async throws(LedgerError) -> ReceiptSaga.Outcome {
        try await run(
            ReceiptSaga(receipt: receipt, user: user, rules: rules, keepsUnbookable: keepsUnbookable, answer: answer))
    }

    /// Whether the receipt has the id of an order of the user.
    func isOrdered(_ receipt: Receipt, by user: UserID) async throws(LedgerError) -> Bool {
        try await ledger.orders.find(named: receipt.merchantUID)?.user == user
    }

    /// Judges the gateway's response without a user, and changes nothing.
    func assess(
        _ answer: GatewayPayment, presentedAs receipt: Receipt
    ) async throws(LedgerError) -> ReceiptRules.Assessment {
        rules.assess(answer, presentedAs: receipt, try await sales(of: answer, presentedAs: receipt).possible)
    }

    /// Runs a receipt for the user to whom its user's id refers.
    private func run(_ given: ReceiptSaga) async throws(LedgerError) -> ReceiptSaga.Outcome {
        var saga = given
        saga.user = try await ledger.merges.user(behind: given.user)
        if let answer = given.answer { saga.answer = try await named(answer) }
        return try await saga.run { effect throws(LedgerError) in try await perform(effect, of: saga) }
    }

    private func perform(
        _ effect: ReceiptSaga.Effect, of saga: ReceiptSaga
    ) async throws(LedgerError) -> ReceiptSaga.Event {
        let presented = PaymentIdentity(saga.receipt)
        switch effect {
        case .findPurchase: return .purchase(try await ledger.purchases.find(of: presented))
        case .readBalance: return .balance(try await ledger.balances.find(of: saga.user))
        case .findFree: return .freeFound(try await findFree(presented))
        case .giveFree(let coins, let expiresAt, let payment):
            return .freeGiven(
                try await giveFree(coins, until: expiresAt, for: PaymentIdentity(payment), to: saga.user))
        case .askGateway:
            let event = await ask(saga.receipt)
            guard case .payment(let payment) = event else { return event }
            return .payment(try await named(payment))
        case .findSales(let payment):
            let (possible, claims) = try await sales(of: payment, presentedAs: saga.receipt)
            return .sales(possible, claims)
        case .findCredited(let payment, _):
            return .purchase(try await ledger.purchases.find(ofOrder: PaymentIdentity(payment)))
        case .keepName(let payment, let purchase):
            try await ledger.purchases.keep(PaymentIdentity(payment), of: purchase)
            return .stored
        case .storeClaim:
            try await ledger.retries.claim(presented, of: saga.user, because: CreditRefusal.claimedBySeveral.name)
            return .stored
        case .note(let kind, let payment, _):
            try await ledger.findings.note(
                kind, PaymentIdentity(payment), of: saga.user, amount: payment.amount, currency: payment.currency,
                paidAt: payment.paidAt, named: rules.claims.user(namedBy: payment))
            return .stored
        case .credit(let act, _): return .credited(try await credit(act))
        case .keep(let reason):
            let delay = reason.backoff.delay(afterAttempts: 0)
            return .kept(
                try await ledger.retries.keep(
                    presented, of: saga.user, because: reason.rawValue, askAgainAfter: delay, isPaid: reason.isOfPaid))
        }
    }

    /// Credits a payment, and has it reviewed if it was credited before and a store has given back more of it since.
    ///
    /// Of two attempts at once, the one that was told of the refund can be the repeat, which takes nothing back. A total that may
    /// fall is asked for once more when a credit was told of it or the books have it: it can be the older one.
    private func credit(_ act: CreditPurchase) async throws(LedgerError) -> Answer<Credited> {
        let answer = try await ledger.credit(act, after: rules.forgettingKey)
        guard case .done(let credited) = answer.outcome else { return answer }
        let (told, booked) = (act.cancelledAmount, credited.purchase.paidBack)
        let mayFall = Gateways.takesRefundsBack(act.payment.gateway)
        if told > booked || mayFall && (told > 0 || booked > 0) {
            try await ledger.requestReview(
                of: act.payment, after: "credit:\(credited.purchase.id):\(told):\(booked)",
                type: "ledgerd.credited_in_part")
        }
        return answer
    }

    /// The payment as if its data named the user to whom the id or the token in it refers.
    func named(_ payment: GatewayPayment) async throws(LedgerError) -> GatewayPayment {
        if let store = payment.store {
            var payment = payment
            payment.customerID = nil
            if let token = store.accountToken {
                payment.customerID = try await ledger.stores.user(of: token)?.rawValue
            }
            return payment
        }
        guard let named = rules.claims.user(namedBy: payment) else { return payment }
        let user = try await ledger.merges.user(behind: named)
        guard user != named else { return payment }
        var payment = payment
        (payment.customData, payment.customerID) = (nil, user.rawValue)
        return payment
    }

    /// The payment, whose store tells of all that its app sells and not what coins are: those are the products that somebody has
    /// said to be ours.
    func markedAsCoins(_ payment: GatewayPayment) async throws(LedgerError) -> GatewayPayment {
        guard let store = payment.store, store.isConsumable == nil else { return payment }
        let isCoins = try await product(of: payment, in: store) != nil
        var payment = payment
        payment.store?.isConsumable = isCoins
        return payment
    }

    /// Whether a payment is for coins: a store also tells of other products.
    ///
    /// A product that is mapped to none of ours counts as coins if somebody presented its purchase.
    func areCoins(_ payment: GatewayPayment) async throws(LedgerError) -> Bool {
        guard let store = payment.store else { return true }
        guard store.isConsumable != false else { return false }
        let (sale, claims) = try await sales(of: payment, in: store)
        if case .store(nil, _, _) = sale { return !claims.isEmpty }
        return true
    }

    /// Looks up a payment that the books may have: one that they have is never unknown, as Google forgets the tokens of what was
    /// taken back.
    ///
    /// What a gateway says that takes refunds back must not be older than the question.
    func payment(
        for receipt: Receipt, at gateway: any PaymentGateway
    ) async throws(GatewayError) -> GatewayPayment {
        if let gateway = gateway as? any TakesRefundsBack { return try await gateway.presentPayment(for: receipt) }
        do throws(GatewayError) {
            return try await gateway.payment(for: receipt)
        } catch {
            guard error.isDefinite, let gateway = gateway as? any TellsRefunds, await isCredited(receipt) else {
                throw error
            }
            return try await gateway.payment(forKnown: receipt)
        }
    }

    /// Also if the books can't be read now: then nothing is said to be unknown.
    private func isCredited(_ receipt: Receipt) async -> Bool {
        do throws(LedgerError) {
            if try await ledger.purchases.find(of: PaymentIdentity(receipt)) != nil { return true }
            return try await ledger.freePurchases.find(of: PaymentIdentity(receipt)) != nil
        } catch {
            return true
        }
    }

    private func ask(_ receipt: Receipt) async -> ReceiptSaga.Event {
        guard let gateway = gateways.gateway(for: receipt) else { return .gatewayOff }
        do {
            return .payment(try await gateway.payment(for: receipt))
        } catch {
            return .gatewayFailed(error)
        }
    }

    private func sales(
        of payment: GatewayPayment, presentedAs receipt: Receipt
    ) async throws(LedgerError) -> (possible: PossibleSales, claims: [Claim]) {
        if let store = payment.store { return try await sales(of: payment, in: store) }
        // A payment of an order belongs to the order's user.
        if rules.requireOrders {
            let order = try await ledger.orders.find(named: receipt.merchantUID)
            guard let order else { return (PossibleSales.none, []) }
            return (.order(order, try await rate(of: payment, for: order)), [])
        }
        let facts = try await ledger.shownPayments.facts(
            of: PaymentIdentity(payment), presentedAs: receipt.merchantUID,
            soldSince: payment.earliestSale(grace: rules.policy.offerGrace))
        guard let order = facts.order else { return (.products(facts.products), facts.claims) }
        return (.order(order, try await rate(of: payment, for: order)), facts.claims)
    }
}

extension ReceiptCrediter {
    /// What a store sold, by its product.
    private func sales(
        of payment: GatewayPayment, in store: StorePurchase
    ) async throws(LedgerError) -> (possible: PossibleSales, claims: [Claim]) {
        let paidAt = payment.paidAt ?? Time.current.now
        let claims = try await ledger.shownPayments.facts(
            of: PaymentIdentity(payment), presentedAs: payment.merchantUID, soldSince: paidAt
        ).claims
        let quantity = store.items.reduce(0) { $0 + $1.quantity }
        let product = try await product(of: payment, in: store)
        return (.store(product, quantity, try await rate(of: payment, paidAt: paidAt)), claims)
    }

    /// The rate of a payment for an order in its currency; nil: it is won, or there is no rate.
    ///
    /// A payment in another currency than the order's is refused at any rate.
    private func rate(of payment: GatewayPayment, for order: Order) async throws(LedgerError) -> Rate? {
        guard payment.currency == order.price.currency.code else { return nil }
        return try await rate(of: payment, paidAt: payment.paidAt ?? Time.current.now)
    }

    /// The rate of a payment in a foreign currency; nil: it is none, or there is no rate.
    private func rate(of payment: GatewayPayment, paidAt: Date) async throws(LedgerError) -> Rate? {
        guard let currency = try? ForeignCurrency(payment.currency) else { return nil }
        return try await ledger.rates.find(ofPaymentIn: currency, paidAt: paidAt, in: rules.timeZone)
    }

    /// What a store sold; nil: no product of ours, as several products are none.
    private func product(of payment: GatewayPayment, in store: StorePurchase) async throws(LedgerError) -> Product? {
        guard let id = store.items.first?.productID, store.items.allSatisfy({ $0.productID == id }) else { return nil }
        let name = StoreProductName(store: payment.gateway, app: store.app, productID: id)
        return try await ledger.stores.product(soldAs: name, at: payment.paidAt ?? Time.current.now)
    }
}

extension GatewayPayment {
    /// Products that were on sale at this moment or later can be the paid ones.
    fileprivate func earliestSale(grace: Duration) -> Date {
        let moment = [startedAt, paidAt].compactMap(\.self).min() ?? Time.current.now
        return moment.addingTimeInterval(-(grace / .seconds(1)))
    }
}
