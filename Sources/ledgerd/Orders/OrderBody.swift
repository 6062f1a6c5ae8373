import Foundation
import Ledger
import LedgerWire

/// What a user orders.
struct OrderRequestBody: Decodable {
    let product: NonEmpty
    let gateway: NonEmpty?

    typealias CodingKeys = LedgerWire.OrderRequest.CodingKeys
}

extension OrderBody {
    /// What clients read of an order as it stands at a moment.
    init(_ order: Order, at moment: Date) {
        self.init(
            id: order.id, merchantUID: order.merchantUID, gateway: order.gateway, product: order.product,
            amount: order.price.amount, currency: order.price.currency.code, coins: order.coins.count,
            bonusCoins: order.bonusCoins?.count ?? 0, status: order.status(at: moment).rawValue,
            createdAt: order.createdAt, expiresAt: order.expiresAt, purchaseID: order.settlement?.purchaseID)
    }
}
