import Foundation
import Ledger

/// What a user orders.
struct OrderRequestBody: Decodable {
    let product: NonEmpty
    let gateway: NonEmpty?
}

/// An order, as clients read it.
struct OrderBody: Encodable {
    private let order: Order
    private let status: Order.Status

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency, coins, status
        case merchantUID = "merchant_uid"
        case bonusCoins = "bonus_coins"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case purchaseID = "purchase_id"
    }

    /// Describes an order as it stands at a moment.
    init(_ order: Order, at moment: Date) {
        self.order = order
        status = order.status(at: moment)
    }

    func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(order.id, forKey: .id)
        try body.encode(order.merchantUID, forKey: .merchantUID)
        try body.encode(order.gateway, forKey: .gateway)
        try body.encode(order.product, forKey: .product)
        try body.encode(order.price.amount, forKey: .amount)
        try body.encode(order.price.currency.code, forKey: .currency)
        try body.encode(order.coins.count, forKey: .coins)
        try body.encode(order.bonusCoins?.count ?? 0, forKey: .bonusCoins)
        try body.encode(status.rawValue, forKey: .status)
        try body.encode(order.createdAt, forKey: .createdAt)
        try body.encode(order.expiresAt, forKey: .expiresAt)
        try body.encode(order.settlement?.purchaseID, forKey: .purchaseID)
    }
}
