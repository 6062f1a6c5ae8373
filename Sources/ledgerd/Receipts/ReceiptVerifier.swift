import Foundation
import Ledger
import PGVerifier

/// The one path from a receipt to coins.
///
/// The client's call, the retries and whatever else learns of a payment end here: look in the books, ask the gateway,
/// judge what it says, and submit one command. Whoever comes first credits, and the rest are answered with the same
/// purchase. The gateway is asked outside any database transaction.
struct ReceiptVerifier: Sendable {
    let gateway: any PaymentGateway
    let ledger: Ledger
    let policy: VerdictPolicy

    /// What became of a receipt.
    enum Verification: Sendable {
        /// It is a purchase, now or since before.
        case credited(Credited)
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
        let payment = PaymentIdentity(receipt, at: gateway)
        if let purchase = try await ledger.purchase(of: payment) {
            return try await known(purchase, presented: payment, by: user)
        }
        let (verdict, products) = try await judge(receipt)
        switch verdict {
        case .credit(let proof): return try await credit(proof, products[Int(proof.offer.id)], payment, to: user)
        case .wait(let reason): return .waiting(reason)
        case .refuse(let reason): return .refused(Problem.Code(reason))
        }
    }

    private func known(
        _ purchase: Purchase, presented payment: PaymentIdentity, by user: UserID
    ) async throws(LedgerError) -> Verification {
        guard purchase.user == user else { return .refused(.receiptBelongsToAnotherUser) }
        guard purchase.payment.merchantUID == payment.merchantUID else { return .refused(.merchantUIDMismatch) }
        let balance = try await ledger.balance(of: user)
        return .credited(Credited(purchase: purchase, balance: balance, isRepeat: true))
    }

    private func credit(
        _ proof: Verdict.Credit, _ product: Product, _ payment: PaymentIdentity, to user: UserID
    ) async throws(LedgerError) -> Verification {
        let command = CreditPurchase(
            user: user, payment: payment, product: product.code, price: product.price, coins: product.coins,
            bonusCoins: product.bonusCoins, paidAt: proof.payment.paidAt ?? Date())
        return switch try await ledger.submit(.creditPurchase(command)) {
        case .credited(let credited): .credited(credited)
        case .refused(let refusal): .refused(Problem.Code(refusal))
        case .granted: preconditionFailure("a purchase is never answered with a grant")
        }
    }
}

extension ReceiptVerifier {
    /// Asks the gateway and judges what it says, against the products that the payment may have been for.
    ///
    /// An offer's id is its product's place among them.
    private func judge(_ receipt: Receipt) async throws(LedgerError) -> (Verdict, [Product]) {
        let answer: GatewayPayment
        do {
            answer = try await gateway.payment(for: receipt)
        } catch {
            return (verdict(after: error), [])
        }
        let products = try await ledger.shop.products(since: answer.earliestSale(grace: policy.offerGrace))
        let offers = products.indices.map { Offer(products[$0], id: Int64($0)) }
        return (verdict(receipt: receipt, payment: answer, expectation: .offers(offers), policy: policy), products)
    }
}

extension PaymentIdentity {
    /// The payment that a receipt names.
    init(_ receipt: Receipt, at gateway: any PaymentGateway) {
        switch receipt {
        case .v1(let impUID, let merchantUID):
            self.init(gateway: gateway.name, impUID: impUID.text, merchantUID: merchantUID.text)
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
