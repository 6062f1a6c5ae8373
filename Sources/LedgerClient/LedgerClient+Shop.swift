public import Foundation

// Calls for apps: list products, create an order, present the receipt.
extension LedgerClient {
    /// The products on sale, cheapest first; needs no token.
    public func products() async throws -> [ProductBody] {
        var call = Call.get(["products"])
        call.isPublic = true
        return try await send(call, as: ProductsBody.self).products
    }

    /// Creates an order: fixes the price and registers the amount at the gateway.
    ///
    /// Open the payment window with the order's `merchantUID` and `amount`.
    ///
    /// - Parameters:
    ///   - product: the product's code.
    ///   - gateway: the gateway to pay through; nil: the configured one.
    ///   - currency: the currency to pay in, one of the product's; nil: won.
    ///   - key: an optional key; a repeat returns the same order.
    public func order(
        _ product: String, gateway: String? = nil, currency: String? = nil, key: IdempotencyKey = .random()
    ) async throws -> OrderBody {
        let request = OrderRequest(product: product, gateway: gateway, currency: currency)
        return try await send(.post(["orders"], request, key: key))
    }

    /// The user's orders, newest first.
    ///
    /// - Parameters:
    ///   - from: only those made at this moment or later.
    ///   - to: only those made before this moment.
    ///   - status: only this status, such as `open`.
    ///   - pageSize: the page size, 1 to 100.
    public func orders(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<OrderBody> {
        listing(["orders"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// One of the user's orders.
    public func order(_ id: Int64) async throws -> OrderBody { try await send(.get(["orders", "\(id)"])) }

    /// What the app passes with the user's purchases in stores, so that they name the user: always the same.
    public func storeAccount() async throws -> StoreAccountBody { try await send(.get(["me", "store-account"])) }

    /// Presents the receipt of a payment, after the payment window has closed, or of a purchase in a store.
    ///
    /// A receipt can be presented repeatedly. An app that can be terminated in between uses a ``ReceiptQueue``.
    ///
    /// - Parameter user: the user for whom a service presents it; nil: the caller.
    public func present(_ receipt: ReceiptRequest, for user: String? = nil) async throws -> ReceiptOutcome {
        let answer = try await perform(.post((user.map { ["users", $0] } ?? []) + ["receipts"], receipt))
        return answer.status == 202 ? .waiting(try answer.decode()) : .credited(try answer.decode())
    }
}
