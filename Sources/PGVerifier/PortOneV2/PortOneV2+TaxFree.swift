import Currencies
import WireFormats

extension PortOneV2: TellsTaxFreeRest {
    /// What is left of a payment with its tax-free part, by PortOne's own record at this moment.
    ///
    /// V1 tells no tax-free part itself, but V2 shows V1's payments with the `imp_uid` as `transactionId` (PortOne V2
    /// contract, identifiers).
    ///
    /// - Returns: nil if V2 has no such payment.
    /// - Throws: ``GatewayError`` if the gateway can't be asked now.
    package func taxFreeRest(of receipt: Receipt) async throws(GatewayError) -> TaxFreeRest? {
        do throws(GatewayError) {
            switch receipt.gatewayName {
            case PortOneV1.name:
                let impUID = try receipt.impUID.text
                guard let merchantUID = try? MerchantUID(receipt.merchantUID) else { return nil }
                return try await taxFreeRest(of: try merchantUID.pathSegment(), version: "V1") {
                    $0["transactionId"]?.text == impUID
                }
            case Self.name:
                let paymentID = try receipt.v2PaymentID.text
                return try await taxFreeRest(of: paymentID, version: "V2") { $0["id"]?.text == paymentID }
            default: return nil
            }
        } catch {
            // Without such a payment, or without access to V1's store, V2 has nothing to tell.
            let isOther = receipt.gatewayName == PortOneV1.name && error.code == .unauthorized
            guard error.isDefinite || error.code == .refused || isOther else { throw error }
            return nil
        }
    }

    /// - Parameter isSought: whether it is the payment, and not another attempt to pay the order.
    private func taxFreeRest(
        of paymentID: String, version: String, where isSought: (JSON) -> Bool
    ) async throws(GatewayError) -> TaxFreeRest? {
        let storeID = client.configuration.storeID
        let call = GatewayCall(path: ["payments", paymentID], query: [(name: "storeId", value: storeID)])
        let payment = try await client.ask("payment") { client, attempt throws(GatewayError) in
            try await client.answer(to: call, attempt)
        }
        guard payment["storeId"]?.text == storeID, payment["version"]?.text == version, isSought(payment) else {
            return nil
        }
        return payment["currency"]?.text.flatMap(Currency.init).flatMap { TaxFreeRest(payment, in: $0) }
    }
}

extension TaxFreeRest {
    /// Reads V2's payment object, of either API, in its currency; nil: its amounts can't be used.
    ///
    /// Cancellations that are only requested count: the gateway subtracts them too.
    init?(_ payment: JSON, in currency: Currency) {
        func read(_ amount: JSON?) -> Int64? {
            PortOneV2.amounts.read(amount, in: currency).flatMap { $0 < 0 ? nil : $0 }
        }
        guard let amount = payment["amount"], let total = read(amount["total"]),
            let cancelled = read(amount["cancelled"]), let taxFree = read(amount["taxFree"]), taxFree <= total
        else { return nil }
        let (waiting, waitingTaxFree) = Self.requested(in: payment, read)
        self.init(
            total: taxFree, balance: total - cancelled - waiting,
            taxFree: taxFree - (read(amount["cancelledTaxFree"]) ?? 0) - waitingTaxFree)
    }

    private static func requested(
        in payment: JSON, _ read: (JSON?) -> Int64?
    ) -> (amount: Int64, taxFree: Int64) {
        (payment["cancellations"]?.elements ?? []).filter { $0["status"]?.text == "REQUESTED" }
            .reduce(into: (0, 0)) { sum, cancellation in
                sum.0 = min(sum.0 + (read(cancellation["totalAmount"]) ?? 0), AmountFormat.limits.upperBound)
                sum.1 = min(sum.1 + (read(cancellation["taxFreeAmount"]) ?? 0), AmountFormat.limits.upperBound)
            }
    }
}
