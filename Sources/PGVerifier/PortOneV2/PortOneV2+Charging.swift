import CivilTime
import WireFormats

extension PortOneV2: ChargesBillingKeys {
    /// Charges a registered card (`POST /payments/{paymentId}/billing-key`), with the order id as payment id.
    ///
    /// The `Idempotency-Key` has the order and the time of the request, because PortOne answers a repeat of a key for three hours as
    /// it answered the first request, also if that was refused before it was looked at (HTTP 401, 429).
    ///
    /// - Throws: ``GatewayError`` if it is unknown whether the card was charged.
    package func charge(_ charge: BillingKeyCharge) async throws(GatewayError) -> ChargeAnswer {
        let order = charge.order
        let limit = client.configuration.limits.cancelTimeout
        var amount = ["total": JSON.number(try Self.amounts.text(of: order.amount, inCode: order.currency))]
        if charge.isTaxFree { amount["taxFree"] = amount["total"] }
        let call = GatewayCall(
            method: .post, path: ["payments", try order.merchantUID.pathSegment(), "billing-key"],
            body: .object([
                "storeId": .string(client.configuration.storeID), "billingKey": .string(charge.billingKey.text),
                "orderName": .string(charge.title), "currency": .string(order.currency),
                "amount": .object(amount),
            ]),
            idempotencyKey: "charge-\(order.merchantUID.text)-\(charge.askedAt.microsecondsSince1970)",
            timeout: limit, leastTime: limit / 2, isUnrepeatable: true)
        return try await client.calls.charge(within: limit) { attempt throws(GatewayError) in
            _ = try await client.answer(to: call, attempt)
        }
    }
}
