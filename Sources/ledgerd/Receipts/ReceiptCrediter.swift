import Foundation
import Ledger
import PGVerifier

/// The only path from a receipt to coins.
///
/// Client requests, retries, webhooks and sweeps use it: it looks the payment up in the books, then at the gateway,
/// judges the gateway's response, and submits one act. The first caller credits the payment, and all others get the
/// same purchase. Requests to the gateway are outside database transactions.
struct ReceiptCrediter: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let policy: VerdictPolicy
    /// Whether only payments of an order are credited.
    let requireOrders: Bool
    var lifetimes = CoinLifetimes()
    /// The rules for who can claim a payment without an order.
    var claims = ClaimRules()

    /// The result of a receipt.
    enum Outcome: Sendable {
        /// The payment is credited, now or before.
        case credited(Credited, isRepeat: Bool)
        /// The gateway has not decided, or is unavailable: retry later.
        case waiting(WaitReason)
        /// The payment is not credited.
        case refused(CreditRefusal)
    }

    /// Credits the payment of a receipt to the user who presents it, if the gateway confirms the payment.
    ///
    /// - Throws: ``LedgerError`` when the books can't be read or written. A repeat is safe and returns the same
    ///   purchase.
    func credit(_ receipt: Receipt, to user: UserID) async throws(LedgerError) -> Outcome {
        // Another user's purchase with a wrong merchant_uid is a guess, with the same response as an unknown payment.
        if let purchase = try await ledger.purchases.find(of: PaymentIdentity(receipt)),
            purchase.user == user || receipt.names(purchase.payment)
        {
            return try await known(purchase, presentedAs: receipt, by: user)
        }
        guard let gateway = gateways.gateway(for: receipt) else { return .refused(.gatewayOff) }
        let answer: GatewayPayment
        do {
            answer = try await gateway.payment(for: receipt)
        } catch {
            return Outcome(PGVerifier.verdict(after: error))
        }
        return try await credit(answer, presentedAs: receipt, to: user)
    }

    private func known(
        _ purchase: Purchase, presentedAs receipt: Receipt, by user: UserID
    ) async throws(LedgerError) -> Outcome {
        guard purchase.user == user else { return .refused(.payment(.receiptBelongsToAnotherUser)) }
        guard receipt.names(purchase.payment) else { return .refused(.payment(.merchantUIDMismatch)) }
        let balance = try await ledger.balances.find(of: user)
        return .credited(Credited(purchase: purchase, balance: balance), isRepeat: true)
    }

    /// Whether the receipt has the id of an order of the user.
    func isOrdered(_ receipt: Receipt, by user: UserID) async throws(LedgerError) -> Bool {
        try await ledger.orders.find(named: receipt.orderName)?.user == user
    }

    /// The verdict on the gateway's response, and the sale if the verdict credits.
    struct Assessment: Sendable {
        let verdict: Verdict
        let sale: Sale?
    }

    /// Judges the gateway's response by the payment's order or, without an order, by the products on sale at the time.
    ///
    /// It changes nothing.
    ///
    /// - Parameter user: the user who presents the receipt, if any.
    func assess(
        _ answer: GatewayPayment, presentedAs receipt: Receipt, by user: UserID? = nil
    ) async throws(LedgerError) -> Assessment {
        let (expectation, sales) = try await expectation(of: answer, presentedAs: receipt)
        let verdict = verdict(
            receipt: receipt, payment: answer, expectation: expectation, policy: policy,
            books: Bookkeeping(presenter: user?.rawValue))
        guard case .credit(let proof) = verdict else { return Assessment(verdict: verdict, sale: nil) }
        return Assessment(verdict: verdict, sale: sales[Int(proof.offerID)])
    }

    /// The expectation of the verdict, and the possible sales; the verdict identifies a sale by its index.
    private func expectation(
        of answer: GatewayPayment, presentedAs receipt: Receipt
    ) async throws(LedgerError) -> (Expectation, [Sale]) {
        if let order = try await ledger.orders.find(named: receipt.orderName) {
            return (.order(ExpectedOrder(order, payment: answer, id: 0)), [Sale(order)])
        }
        if requireOrders { return (.noOrder, []) }
        let products = try await ledger.products.list(since: answer.earliestSale(grace: policy.offerGrace))
        return (.offers(products.indices.map { Offer(products[$0], id: Int64($0)) }), products.map { Sale($0) })
    }

    /// Judges a response of the gateway, and credits the payment to a user.
    func credit(
        _ answer: GatewayPayment, presentedAs receipt: Receipt, to user: UserID
    ) async throws(LedgerError) -> Outcome {
        let assessment = try await assess(answer, presentedAs: receipt, by: user)
        switch assessment.verdict {
        case .credit:
            guard let sale = assessment.sale else { throw .unexpected("a credit has no sale") }
            if !sale.isOrdered, let another = try await standing(of: user, in: answer, presentedAs: receipt) {
                return another
            }
            return try await book(answer, sale, to: user)
        case .wait(let reason): return .waiting(reason)
        case .alreadyCredited: throw .unexpected("the verdict has used the books")
        // Callers can't distinguish other users' payments from unknown payments.
        case .refuse(.merchantUIDMismatch): return .refused(.payment(.paymentNotFound))
        case .refuse(let reason):
            if let kind = Finding.Kind(reason), answer.keepsMoney(policy) { try await note(kind, answer, user) }
            return .refused(.payment(reason))
        }
    }

    /// The reason why a user does not get a payment without an order now; nil if there is none.
    ///
    /// - A payment with a user in its data belongs to that user.
    /// - Any other payment belongs to its only presenter. With several presenters, a person must decide.
    /// - A user who presented the payment before it was paid can have guessed its id. So other users have a grace period
    ///   after the payment to present it too.
    private func standing(
        of user: UserID, in payment: GatewayPayment, presentedAs receipt: Receipt
    ) async throws(LedgerError) -> Outcome? {
        if let named = claims.user(namedBy: payment) {
            return named == user ? nil : .refused(.payment(.receiptBelongsToAnotherUser))
        }
        let known = try await ledger.retries.claims(of: PaymentIdentity(payment))
        guard known.allSatisfy({ $0.user == user }) else {
            try await ledger.retries.claim(
                PaymentIdentity(receipt), of: user, because: CreditRefusal.claimedBySeveral.name)
            try await note(.claimedBySeveral, payment, user)
            return .refused(.claimedBySeveral)
        }
        let now = Date()
        // A payment time in the future is ignored. V1 tells the time only in seconds.
        guard let claim = known.first, let paidAt = payment.paidAt, claim.claimedAt < paidAt + 1,
            paidAt <= now + CreditPurchase.clockTolerance, now < paidAt + claims.grace / .seconds(1)
        else { return nil }
        return .waiting(.claimPending)
    }

    private func book(
        _ payment: GatewayPayment, _ sale: Sale, to user: UserID
    ) async throws(LedgerError) -> Outcome {
        let now = Date()
        // The purchase is booked as of now. The finding is stored first, so that a crash does not lose it.
        if let paidAt = payment.paidAt, paidAt > now + CreditPurchase.clockTolerance {
            try await note(.paidInFuture, payment, user)
        }
        let credit = CreditPurchase(
            user: user, payment: PaymentIdentity(payment), product: sale.product, price: sale.price,
            coins: sale.coins, bonusCoins: sale.bonusCoins, paidAt: payment.paidAt ?? now,
            expiresAt: lifetimes.end(ofPaidFrom: now), bonusExpiresAt: lifetimes.end(ofBonusFrom: now))
        let answer = try await ledger.submit(credit)
        switch answer.outcome {
        case .done(let credited): return .credited(credited, isRepeat: answer.isRepeat)
        case .refused(.paymentBelongsToAnotherUser): return .refused(.payment(.receiptBelongsToAnotherUser))
        case .refused(.paymentHasAnotherMerchantUID): return .refused(.payment(.merchantUIDMismatch))
        case .refused(.merchantUIDAlreadyCredited):
            try await note(.merchantUIDAlreadyCredited, payment, user)
            return .refused(.merchantUIDAlreadyCredited)
        case .refused(.accountFull): return .refused(.accountFull)
        case .refused: throw .unexpected("the ledger refused a purchase for an unexpected reason")
        }
    }

    /// Stores a finding for finance: the buyer has paid, but the payment is not credited.
    private func note(_ kind: Finding.Kind, _ payment: GatewayPayment, _ user: UserID) async throws(LedgerError) {
        try await ledger.findings.note(
            kind, PaymentIdentity(payment), of: user, amount: payment.amount, currency: payment.currency,
            paidAt: payment.paidAt)
    }
}

/// The reason why a receipt is refused.
enum CreditRefusal: Sendable, Equatable {
    /// The gateway's response, or the purchase in the books, contradicts the receipt.
    case payment(RefusalReason)
    /// The receipt's gateway is not configured.
    case gatewayOff
    /// Several users have presented the payment.
    case claimedBySeveral
    /// Another payment of the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The totals of an account would exceed their maximum.
    case accountFull

    /// The name that is stored with a waiting receipt; it must not change.
    var name: String {
        switch self {
        case .payment(let reason): reason.rawValue
        case .gatewayOff: "gateway_off"
        case .claimedBySeveral: "claimed_by_several"
        case .merchantUIDAlreadyCredited: "merchant_uid_already_credited"
        case .accountFull: "invalid_request"
        }
    }
}

extension ReceiptCrediter.Outcome {
    /// The outcome of a verdict that does not credit.
    fileprivate init(_ verdict: Verdict) {
        switch verdict {
        case .wait(let reason): self = .waiting(reason)
        case .refuse(let reason): self = .refused(.payment(reason))
        case .credit, .alreadyCredited: preconditionFailure("a verdict after an error can't credit")
        }
    }
}

extension Receipt {
    /// The order id in the receipt.
    fileprivate var orderName: String {
        switch self {
        case .v1(_, let merchantUID): merchantUID.text
        case .v2(let paymentID): paymentID.text
        }
    }

    /// Whether the receipt's order id matches a payment in the books.
    fileprivate func names(_ payment: PaymentIdentity) -> Bool {
        switch self {
        case .v1(_, let merchantUID): payment.merchantUID.utf8.elementsEqual(merchantUID.text.utf8)
        case .v2: true
        }
    }
}

extension GatewayPayment {
    /// Products that were on sale at this moment or later can be the paid ones.
    fileprivate func earliestSale(grace: Duration) -> Date {
        let moment = [startedAt, paidAt].compactMap(\.self).min() ?? Date()
        return moment.addingTimeInterval(-(grace / .seconds(1)))
    }

    /// Whether the gateway has money of the buyer.
    fileprivate func keepsMoney(_ policy: VerdictPolicy) -> Bool {
        // Test payments have no money.
        guard isTest != true || policy.allowTestPayments else { return false }
        switch status {
        case .paid, .partiallyCancelled, .cancelled: return cancelledInAll < amount
        case .ready, .failed, .unknown: return false
        }
    }
}

extension Finding.Kind {
    /// The finding after a refusal that leaves the buyer's money at the gateway.
    fileprivate init?(_ reason: RefusalReason) {
        switch reason {
        case .paymentPartiallyCancelled: self = .partiallyCancelled
        case .amountMismatch: self = .amountMismatch
        case .currencyMismatch: self = .currencyMismatch
        case .orderNotFound: self = .orderNotFound
        case .orderBelongsToAnotherUser: self = .orderBelongsToAnotherUser
        case .orderAlreadyCredited: self = .merchantUIDAlreadyCredited
        case .orderExpired: self = .orderExpired
        default: return nil
        }
    }
}
