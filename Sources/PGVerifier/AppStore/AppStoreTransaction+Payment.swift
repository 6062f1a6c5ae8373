import FoundationEssentials

extension AppStoreTransaction {
    /// The transaction as a payment, which the verdict judges.
    ///
    /// The environment shows as a test payment.
    ///
    /// - Throws: ``GatewayError/Code/unreadablePayment`` if the store told no price, or one with parts of a minor unit.
    func payment() throws(GatewayError) -> GatewayPayment {
        guard let currency else { throw Self.unusable("currency") }
        guard let price, let amount = AppStore.amounts.readPrice(String(price), inCode: currency) else {
            throw Self.unusable("price")
        }
        let refunded = revocation.map { Self.refunded(of: amount, percentage: $0.percentage, quantity: quantity) } ?? 0
        var payment = GatewayPayment(
            gateway: AppStore.name, paymentID: id.text, merchantUID: receipt.merchantUID, status: status,
            amount: amount, cancelledAmount: refunded, cancellations: cancellations(of: refunded), currency: currency,
            isTest: environment != .production, paidAt: purchasedAt, cancelledAt: revocation?.at)
        payment.store = StorePurchase(
            app: bundleID, items: [StorePurchase.Item(productID: productID, quantity: quantity)],
            price: price, refundedPart: revocation?.percentage ?? 0, isConsumable: kind == .consumable,
            storefront: storefront, isFamilyShared: !isPurchased,
            accountToken: accountToken, toldAt: signedAt)
        return payment
    }

    private var status: GatewayPayment.Status {
        switch revocation?.percentage {
        case nil, 0?: .paid
        case Revocation.whole?: .cancelled
        default: .partiallyCancelled
        }
    }

    /// One, whose amount is all that was given back so far: the store tells a total and no steps.
    private func cancellations(of refunded: Int64) -> [GatewayCancellation] {
        guard let revocation, revocation.percentage > 0 else { return [] }
        return [
            GatewayCancellation(
                id: "revocation-\(Int64(revocation.at.timeIntervalSince1970))-\(revocation.percentage)",
                amount: refunded, reason: revocation.type, cancelledAt: revocation.at)
        ]
    }

    /// The part of an amount that a percentage in thousandths means, rounded to the nearest minor unit.
    ///
    /// The store writes one of three pieces as 33333: whole pieces are meant, and are exact.
    static func refunded(of amount: Int64, percentage: Int64, quantity: Int64) -> Int64 {
        let share = percentage * quantity
        let pieces = (share + Revocation.whole / 2) / Revocation.whole
        let arePieces = (pieces * Revocation.whole - share).magnitude < quantity.magnitude
        let (part, whole) = arePieces ? (pieces, quantity) : (percentage, Revocation.whole)
        return Int64((Int128(amount) * Int128(part) * 2 + Int128(whole)) / (Int128(whole) * 2))
    }

    private static func unusable(_ name: String) -> GatewayError {
        GatewayError(.unreadablePayment, httpStatus: 200, message: "the transaction's \(name) can't be used")
    }
}
