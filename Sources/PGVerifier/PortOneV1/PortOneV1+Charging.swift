import WireFormats

extension PortOneV1: ChargesBillingKeys {
    /// Charges a registered card (`POST /subscribe/payments/again`).
    ///
    /// V1 has no idempotency key, and says 200 with code 0 also for a declined card.
    ///
    /// - Throws: ``GatewayError`` if it is unknown whether the card was charged.
    package func charge(_ charge: BillingKeyCharge) async throws(GatewayError) -> ChargeAnswer {
        let order = charge.order
        let limit = client.configuration.limits.cancelTimeout
        let amount = JSON.number(try Self.amounts.text(of: order.amount, inCode: order.currency))
        var members: [String: JSON] = [
            "customer_uid": .string(charge.billingKey.text), "merchant_uid": .string(order.merchantUID.text),
            "amount": amount, "currency": .string(order.currency), "name": .string(charge.title),
        ]
        if charge.isTaxFree { members["tax_free"] = amount }
        let call = GatewayCall(
            method: .post, path: ["subscribe", "payments", "again"], body: .object(members),
            timeout: limit, leastTime: limit / 2, isUnrepeatable: true)
        return try await client.calls.charge(within: limit) { attempt throws(GatewayError) in
            _ = try await client.answer(to: call, attempt)
        }
    }
}
