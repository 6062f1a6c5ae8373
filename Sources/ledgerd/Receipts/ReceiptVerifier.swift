import Foundation
import Ledger
import PGVerifier

/// The one path from a receipt to coins.
///
/// The client's call, the retries and whatever else learns of a payment end here: look in the books, ask the gateway,
/// judge what it says, and submit one command. Whoever comes first credits, and the rest are answered with the same
/// purchase. The gateway is asked outside any database transaction.
struct ReceiptVerifier: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let policy: VerdictPolicy

    /// What became of a receipt.
    enum Verification: Sendable {
        /// It is a purchase, now or since before.
        case credited(Credited, isRepeat: Bool)
        /// The gateway has not decided, or can't be asked: ask again later.
        case waiting(WaitReason)
        /// It is not a purchase and nothing was credited.
        case refused(Problem.Code)
    }

    /// Verifies a receipt that the user presents and credits what it proves.
    ///
    /// - Throws: ``LedgerError`` when the books can't be asked or written. Nothing is lost: presenting the receipt again
    ///   is safe and ends in the same purchase.
    func verify(_ receipt: Receipt, for user: UserID) async throws(LedgerError) -> Verification {
        if let purchase = try await ledger.purchase(of: PaymentIdentity(receipt)) {
            return try await known(purchase, presentedAs: receipt, by: user)
        }
        guard let gateway = gateways.gateway(for: receipt) else { return .refused(.gatewayOff) }
        let answer: GatewayPayment
        do {
            answer = try await gateway.payment(for: receipt)
        } catch {
            return Verification(PGVerifier.verdict(after: error))
        }
        return try await judge(answer, presentedAs: receipt, by: user)
    }

    private func known(
        _ purchase: Purchase, presentedAs receipt: Receipt, by user: UserID
    ) async throws(LedgerError) -> Verification {
        guard purchase.user == user else { return .refused(.receiptBelongsToAnotherUser) }
        guard receipt.names(purchase.payment) else { return .refused(.merchantUIDMismatch) }
        let balance = try await ledger.balance(of: user)
        return .credited(Credited(purchase: purchase, balance: balance), isRepeat: true)
    }

    /// What the gateway's answer comes to, and the product that it pays for if it credits.
    struct Assessment: Sendable {
        let verdict: Verdict
        let product: Product?
    }

    /// Judges what the gateway says against the products that the payment may have been for.
    ///
    /// Nothing is done about it.
    func assess(
        _ answer: GatewayPayment, presentedAs receipt: Receipt
    ) async throws(LedgerError) -> Assessment {
        let products = try await ledger.shop.products(since: answer.earliestSale(grace: policy.offerGrace))
        // An offer's id is its product's place.
        let offers = products.indices.map { Offer(products[$0], id: Int64($0)) }
        let verdict = verdict(receipt: receipt, payment: answer, expectation: .offers(offers), policy: policy)
        guard case .credit(let proof) = verdict else { return Assessment(verdict: verdict, product: nil) }
        return Assessment(verdict: verdict, product: products[Int(proof.offerID)])
    }

    private func judge(
        _ answer: GatewayPayment, presentedAs receipt: Receipt, by user: UserID
    ) async throws(LedgerError) -> Verification {
        let assessment = try await assess(answer, presentedAs: receipt)
        switch assessment.verdict {
        case .credit:
            guard let product = assessment.product else { preconditionFailure("a credit has its product") }
            return try await credit(answer, product, to: user)
        case .wait(let reason): return .waiting(reason)
        case .alreadyCredited: preconditionFailure("the books were asked before, and not by the verdict")
        case .refuse(let reason):
            if let kind = Finding.Kind(reason) { try await note(kind, answer, user) }
            return .refused(Problem.Code(reason))
        }
    }

    private func credit(
        _ payment: GatewayPayment, _ product: Product, to user: UserID
    ) async throws(LedgerError) -> Verification {
        let command = CreditPurchase(
            user: user, payment: PaymentIdentity(payment), product: product.code, price: product.price,
            coins: product.coins, bonusCoins: product.bonusCoins, paidAt: payment.paidAt ?? Date())
        let answer = try await ledger.submit(.creditPurchase(command))
        switch answer.outcome {
        case .credited(let credited): return .credited(credited, isRepeat: answer.isRepeat)
        case .refused(let refusal):
            if refusal == .merchantUIDAlreadyCredited {
                try await note(.merchantUIDAlreadyCredited, payment, user)
            }
            return .refused(Problem.Code(refusal))
        default: preconditionFailure("a purchase is never answered with another act")
        }
    }

    /// Money was taken and no coins came of it: finance has to know.
    private func note(_ kind: Finding.Kind, _ payment: GatewayPayment, _ user: UserID) async throws(LedgerError) {
        try await ledger.findings.note(
            kind, PaymentIdentity(payment), of: user, amount: payment.amount, currency: payment.currency)
    }
}

extension ReceiptVerifier.Verification {
    /// A verdict that credits nothing.
    fileprivate init(_ verdict: Verdict) {
        switch verdict {
        case .wait(let reason): self = .waiting(reason)
        case .refuse(let reason): self = .refused(Problem.Code(reason))
        case .credit, .alreadyCredited: preconditionFailure("only an answer of the gateway credits")
        }
    }
}

extension Receipt {
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
}

extension Offer {
    /// A version of a product, as the verdict sees it.
    fileprivate init(_ product: Product, id: Int64) {
        self.init(
            id: id, price: product.price.amount, currency: product.price.currency.code, activeFrom: product.activeFrom,
            activeUntil: product.activeUntil)
    }
}

extension Finding.Kind {
    /// The kind of a refusal after which the gateway keeps money that bought nothing.
    fileprivate init?(_ reason: RefusalReason) {
        switch reason {
        case .paymentPartiallyCancelled: self = .partiallyCancelled
        case .amountMismatch: self = .amountMismatch
        case .currencyMismatch: self = .currencyMismatch
        default: return nil
        }
    }
}
