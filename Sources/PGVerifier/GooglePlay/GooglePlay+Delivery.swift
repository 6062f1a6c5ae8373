import WireFormats

/// What became of telling Google that a purchase is delivered.
package enum GooglePlayDelivery: Hashable, Sendable {
    /// Google knows it, since now or before.
    case done
    /// Nothing was told: the purchase is not paid, or was taken back.
    case notPurchased(GooglePlayPurchase.State)
}

extension GooglePlay: FinishesPurchases {
    /// What is not consumed or acknowledged for three days is given back.
    package static var finishedWithin: Duration? { .seconds(3 * 86_400) }

    /// Always: a crash of the app between the credit and its call would give the money back, and the coins stay.
    package var finishes: Bool { true }

    /// Consumes the purchase, so that the product can be bought again.
    ///
    /// - Throws: ``GatewayError``; definite if it was taken back, or its token is no longer valid.
    package func finish(_ receipt: Receipt) async throws(GatewayError) {
        let token = try receipt.purchaseToken
        let delivery: GooglePlayDelivery
        do throws(GatewayError) {
            delivery = try await consume(token)
        } catch {
            // It is credited: that Google does not find its token is no word about it.
            throw error.isDefinite && error.httpStatus != 410 ? error.ofExistingPurchase : error
        }
        guard case .notPurchased(let state) = delivery else { return }
        throw GatewayError(
            .refused, isDefinite: state == .cancelled, message: "the purchase is in the state \(state.rawValue)")
    }

    /// Uses the purchase up (`POST …/purchases/products/{productId}/tokens/{token}:consume`), so that the product can be
    /// bought again.
    ///
    /// Only after the books have it: what is not consumed or acknowledged within three days is given back. Safe to repeat, also
    /// by another process: each attempt reads the purchase first, and sends nothing if it is consumed, pending or taken
    /// back.
    ///
    /// - Throws: ``GatewayError``.
    package func consume(_ token: PurchaseToken) async throws(GatewayError) -> GooglePlayDelivery {
        try await client.ask(.consume) { attempt throws(GatewayError) in
            var sent: Set<String> = []
            while true {
                let purchase = try await client.purchase(token, attempt)
                guard purchase.state == .purchased else { return .notPurchased(purchase.state) }
                guard let item = purchase.items.first(where: { !$0.isConsumed && !sent.contains($0.productID) }) else {
                    return .done
                }
                _ = try await client.answer(to: .delivery("consume", item, of: token), of: .consume, attempt)
                sent.insert(item.productID)
                if purchase.items.count == 1 { return .done }
            }
        }
    }

    /// Says that the buyer has what was bought, without using it up (`POST …:acknowledge`).
    ///
    /// As safe to repeat as ``consume(_:)``.
    ///
    /// - Throws: ``GatewayError``.
    package func acknowledge(_ token: PurchaseToken) async throws(GatewayError) -> GooglePlayDelivery {
        try await client.ask(.acknowledge) { attempt throws(GatewayError) in
            let purchase = try await client.purchase(token, attempt)
            guard purchase.state == .purchased else { return .notPurchased(purchase.state) }
            if purchase.isAcknowledged { return .done }
            _ = try await client.answer(
                to: .delivery("acknowledge", purchase.items[0], of: token, body: .object([:])), of: .acknowledge,
                attempt)
            return .done
        }
    }
}

extension GatewayCall {
    fileprivate static func delivery(
        _ verb: String, _ item: GooglePlayPurchase.Item, of token: PurchaseToken, body: JSON? = nil
    ) -> GatewayCall {
        GatewayCall(
            method: .post, path: ["purchases", "products", item.productID, "tokens", token.text], verb: verb,
            body: body, isUnrepeatable: true)
    }
}
