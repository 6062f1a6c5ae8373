import WireFormats

extension Gateways {
    /// What is left of a payment with its tax-free part, by the gateway's own record at this moment.
    ///
    /// V2 is asked, also about payments of V1, which tells no tax-free part itself: V2 shows V1's payments with the
    /// `imp_uid` as `transactionId` (PortOne V2 contract, identifiers).
    ///
    /// - Returns: nil if no configured gateway tells it.
    /// - Throws: ``GatewayError`` if the gateway can't be asked now.
    package func taxFreeRest(of receipt: Receipt) async throws(GatewayError) -> TaxFreeRest? {
        guard let v2 else { return nil }
        do throws(GatewayError) {
            switch receipt {
            case .v1(let impUID, let merchantUID):
                return try await v2.taxFreeRest(of: try merchantUID.pathSegment(), version: "V1") {
                    $0["transactionId"]?.text == impUID.text
                }
            case .v2(let paymentID):
                return try await v2.taxFreeRest(of: paymentID.text, version: "V2") { $0["id"]?.text == paymentID.text }
            }
        } catch {
            // Without such a payment, or without access to V1's store, V2 has nothing to tell.
            let isOther = receipt.gatewayName == PortOneV1.name && error.code == .unauthorized
            guard error.isDefinite || error.code == .refused || isOther else { throw error }
            return nil
        }
    }
}

extension PortOneV2 {
    /// - Parameter isSought: whether it is the payment, and not another attempt to pay the order.
    fileprivate func taxFreeRest(
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
        return TaxFreeRest(payment)
    }
}
