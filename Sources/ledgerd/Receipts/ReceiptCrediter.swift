import Foundation
import Ledger
import PGVerifier

/// The one path from a receipt to coins.
///
/// The client's call, the retries and whatever else learns of a payment end here: look in the books, ask the gateway,
/// judge what it says, and submit one command. Whoever comes first credits, and the rest are answered with the same
/// purchase. The gateway is asked outside any database transaction.
struct ReceiptCrediter: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let policy: VerdictPolicy
    /// Whether only payments of an order made here are credited.
    let requireOrders: Bool
    /// How long the coins last.
    var lifetimes = CoinLifetimes()
    /// Whose a payment without an order is.
    var claims = ClaimRules()

    /// What became of a receipt.
    enum Outcome: Sendable {
        /// It is a purchase, now or since before.
        case credited(Credited, isRepeat: Bool)
        /// The gateway has not decided, or can't be asked: ask again later.
        case waiting(WaitReason)
        /// It is not a purchase and nothing was credited.
        case refused(CreditRefusal)
    }

    /// Credits a user with what a receipt that they present proves, if the gateway confirms it.
    ///
    /// - Throws: ``LedgerError`` when the books can't be asked or written. Nothing is lost: presenting the receipt again
    ///   is safe and ends in the same purchase.
    func credit(_ receipt: Receipt, to user: UserID) async throws(LedgerError) -> Outcome {
        // Another's purchase under a name that is not its own is a guess: it is looked up and answered like any other.
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

    /// Whether the receipt names an order of the user's.
    func isOrdered(_ receipt: Receipt, by user: UserID) async throws(LedgerError) -> Bool {
        try await ledger.orders.find(named: receipt.orderName)?.user == user
    }

    /// What the gateway's answer comes to, and what it pays for if it credits.
    struct Assessment: Sendable {
        let verdict: Verdict
        let sale: Sale?
    }

    /// Judges what the gateway says against the order that the payment is for or, if there is none, against the products
    /// that it may have been for.
    ///
    /// Nothing is done about it.
    ///
    /// - Parameter user: who presents the receipt; nil when nobody does.
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

    /// What the payment must be worth, and the sales that it may be; to the verdict each is known by its place.
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

    /// Judges what the gateway has just said, and credits a user with what it proves.
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
        case .alreadyCredited: throw .unexpected("the verdict asked the books")
        // The names of others' payments can't be told from names of none.
        case .refuse(.merchantUIDMismatch): return .refused(.payment(.paymentNotFound))
        case .refuse(let reason):
            if let kind = Finding.Kind(reason), answer.keepsMoney(policy) { try await note(kind, answer, user) }
            return .refused(.payment(reason))
        }
    }

    /// What keeps a user from a payment that no order was made for; nil: nothing does.
    ///
    /// A payment that names a user is theirs. Any other is its only presenter's: of several nobody says whose it is, and
    /// one that was presented before it was paid may be a guesser's, so whoever paid has a while to present it, too.
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
        // A time to come is no time to wait for.
        // V1 tells the second alone.
        guard let claim = known.first, let paidAt = payment.paidAt, claim.claimedAt < paidAt + 1,
            paidAt <= now + CreditPurchase.clockTolerance, now < paidAt + claims.grace / .seconds(1)
        else { return nil }
        return .waiting(.claimPending)
    }

    private func book(
        _ payment: GatewayPayment, _ sale: Sale, to user: UserID
    ) async throws(LedgerError) -> Outcome {
        let now = Date()
        // It is booked as of now, and a person sees why; before it is credited, for after a crash nobody would.
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
        case .refused: throw .unexpected("the ledger refused a purchase for a reason that no purchase has")
        }
    }

    /// Money was taken and no coins came of it: finance has to know.
    private func note(_ kind: Finding.Kind, _ payment: GatewayPayment, _ user: UserID) async throws(LedgerError) {
        try await ledger.findings.note(
            kind, PaymentIdentity(payment), of: user, amount: payment.amount, currency: payment.currency,
            paidAt: payment.paidAt)
    }
}

/// Why a receipt credits nothing.
enum CreditRefusal: Sendable, Equatable {
    /// The gateway's answer, or the purchase in the books, is not what the receipt claims.
    case payment(RefusalReason)
    /// The gateway that the receipt is of is not configured here.
    case gatewayOff
    /// Several users have presented the payment.
    case claimedBySeveral
    /// Another payment of the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// An account's totals can't grow any further.
    case accountFull

    /// The name that is kept with a receipt that waited; stable.
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
    /// A verdict that credits nothing.
    fileprivate init(_ verdict: Verdict) {
        switch verdict {
        case .wait(let reason): self = .waiting(reason)
        case .refuse(let reason): self = .refused(.payment(reason))
        case .credit, .alreadyCredited: preconditionFailure("only an answer of the gateway credits")
        }
    }
}

extension Receipt {
    /// The name of the order that it says it is for.
    fileprivate var orderName: String {
        switch self {
        case .v1(_, let merchantUID): merchantUID.text
        case .v2(let paymentID): paymentID.text
        }
    }

    /// Whether a payment in the books is the one, and of the order, that the receipt names.
    fileprivate func names(_ payment: PaymentIdentity) -> Bool {
        switch self {
        case .v1(_, let merchantUID): payment.merchantUID.utf8.elementsEqual(merchantUID.text.utf8)
        case .v2: true
        }
    }
}

extension GatewayPayment {
    /// The earliest moment at which a product that was paid for may have been on sale for the last time.
    fileprivate func earliestSale(grace: Duration) -> Date {
        let moment = [startedAt, paidAt].compactMap(\.self).min() ?? Date()
        return moment.addingTimeInterval(-(grace / .seconds(1)))
    }

    /// Whether the buyer's money is at the gateway.
    fileprivate func keepsMoney(_ policy: VerdictPolicy) -> Bool {
        // The test channel takes none.
        guard isTest != true || policy.allowTestPayments else { return false }
        switch status {
        case .paid, .partiallyCancelled, .cancelled: return cancelledInAll < amount
        case .ready, .failed, .unknown: return false
        }
    }
}

extension Finding.Kind {
    /// The kind of a refusal after which the gateway keeps money that bought nothing.
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
