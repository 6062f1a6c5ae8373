package import Ledger
package import PGVerifier

/// What a gateway said of a payment that a person asked about, and what was booked then.
package struct PaymentLookUp: Sendable {
    /// Nil: it knows none, or can't be asked now.
    package let payment: GatewayPayment?
    /// The purchase, after what was booked; nil: nothing is credited.
    package let purchase: Purchase?
    package let review: ReviewSaga.Review

    private init(_ payment: GatewayPayment?, _ purchase: Purchase?, _ review: ReviewSaga.Review) {
        self.payment = payment
        self.purchase = purchase
        self.review = review
    }
}

extension PaymentLookUp {
    /// Asks the gateway of a receipt about it, and books what it answers.
    ///
    /// A name that no payment has can be that of an order in a buyer's mail, which can have several payments.
    ///
    /// - Returns: one for each payment; one without a payment if there is none.
    /// - Throws: `gateway_off`; ``LedgerError``.
    package static func make(_ receipt: Receipt, by reviewer: PaymentReviewer) async throws -> [PaymentLookUp] {
        guard let gateway = reviewer.crediter.gateways.gateway(for: receipt) else { throw Problem(.gatewayOff) }
        let payments: [GatewayPayment]
        do throws(GatewayError) {
            payments = try await Self.payments(named: receipt, at: gateway, reviewer.crediter)
        } catch {
            return [PaymentLookUp(nil, nil, .gatewayUnavailable)]
        }
        guard !payments.isEmpty else { return [PaymentLookUp(nil, nil, .unknownPayment)] }
        var found: [PaymentLookUp] = []
        for payment in payments {
            let review = try await reviewer.follow(try await reviewer.described(payment))
            let purchase = try await reviewer.crediter.ledger.purchases.find(of: PaymentIdentity(payment))
            found.append(PaymentLookUp(payment, purchase, review))
        }
        return found
    }

    private static func payments(
        named receipt: Receipt, at gateway: any PaymentGateway, _ crediter: ReceiptCrediter
    ) async throws(GatewayError) -> [GatewayPayment] {
        do throws(GatewayError) {
            return [try await crediter.payment(for: receipt, at: gateway)]
        } catch {
            guard error.isDefinite, error.code == .notFound else { throw error }
            guard let gateway = gateway as? any FindsMailedOrders, let id = receipt.paymentID else { return [] }
            return try await gateway.payments(ofMailedOrder: id)
        }
    }
}
