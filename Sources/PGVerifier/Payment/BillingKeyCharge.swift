package import Foundation

/// A request to the gateway to charge a card that the user has registered.
package struct BillingKeyCharge: Sendable {
    /// What is paid for.
    package var order: OrderAmount

    /// The gateway's name of the card: V1 `customer_uid`, V2 `billingKey`.
    package var billingKey: Secret

    /// When it is asked for: one that surely did not arrive is asked for again at another time, and is another request.
    package var askedAt: Date

    /// What the payer reads on the bill.
    package var title: String

    /// Whether nothing of the amount has VAT.
    package var isTaxFree: Bool

    /// A charge.
    package init(order: OrderAmount, billingKey: Secret, askedAt: Date, title: String, isTaxFree: Bool = false) {
        self.order = order
        self.billingKey = billingKey
        self.askedAt = askedAt
        self.title = title
        self.isTaxFree = isTaxFree
    }
}

/// The gateway's answer to a ``BillingKeyCharge``.
package enum ChargeAnswer: Hashable, Sendable {
    /// It was carried out: the order's payment is paid, or has failed.
    case accepted
    /// The gateway, or the payment company behind it, refused.
    case refused(GatewayError)
}

extension GatewayCalls {
    /// Asks for a charge, once: it is not safe to repeat.
    ///
    /// - Throws: ``GatewayError``, if the gateway did not refuse the charge itself.
    func charge(
        within limit: Duration, _ attempt: @escaping @Sendable (Attempt) async throws(GatewayError) -> Void
    ) async throws(GatewayError) -> ChargeAnswer {
        do throws(GatewayError) {
            try await ask("charge", within: limit, repeats: false, attempt)
            return .accepted
        } catch {
            guard error.mayHaveBeenCarriedOut, error.code == .refused || error.isNoSuchThing else { throw error }
            return .refused(error)
        }
    }
}
