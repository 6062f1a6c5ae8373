public import Foundation

// What users' apps do: see what is on sale, order it, present the receipt of its payment.
extension LedgerClient {
    /// What is on sale, cheapest first; no token is needed.
    public func products() async throws -> [ProductBody] {
        var call = Call.get(["products"])
        call.isPublic = true
        return try await send(call, as: ProductsBody.self).products
    }

    /// Orders a product: its price is fixed and registered at the gateway.
    ///
    /// Open the payment window with the order's `merchantUID` and `amount`.
    ///
    /// - Parameters:
    ///   - product: its code.
    ///   - gateway: through which to pay; nil: the one that is on.
    ///   - key: under which the same order is not made twice.
    public func order(
        _ product: String, gateway: String? = nil, key: IdempotencyKey = .random()
    ) async throws -> OrderBody {
        try await send(.post(["orders"], OrderRequest(product: product, gateway: gateway), key: key))
    }

    /// The user's orders, newest first.
    ///
    /// - Parameters:
    ///   - from: only those that were made then or later.
    ///   - to: only those that were made before.
    ///   - status: of this status only, such as `open`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func orders(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<OrderBody> {
        listing(["orders"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// One of the user's orders.
    public func order(_ id: Int64) async throws -> OrderBody { try await send(.get(["orders", "\(id)"])) }

    /// Presents the receipt of a payment, once the payment window has closed.
    ///
    /// It may be presented as often as wanted. An app that may be killed in between does it through a ``ReceiptQueue``.
    public func present(_ receipt: ReceiptRequest) async throws -> ReceiptOutcome {
        let answer = try await perform(.post(["receipts"], receipt))
        return answer.status == 202 ? .waiting(try answer.decode()) : .credited(try answer.decode())
    }
}
