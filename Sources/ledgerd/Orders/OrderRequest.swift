import Ledger

/// What a user orders.
struct OrderRequest: Sendable {
    /// The product's code.
    let product: String
    /// The gateway to pay through; nil for the one that is on, V1 before V2.
    let gateway: String?
    /// Under which the same request is answered with the same order.
    let key: IdempotencyKey?

    /// Whether the order is what is asked for here.
    func isSame(as order: Order) -> Bool {
        order.product == product && (gateway == nil || gateway == order.gateway)
    }
}
