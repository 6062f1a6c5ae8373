import Foundation
import Ledger

/// Purchases of the same product by many users, each of a payment of its own.
struct PurchaseSource: Sendable {
    let users: Int

    /// The next purchase of a lane, told from those of other lanes by its ids.
    func purchase(lane: Int, serial: Int) -> CreditPurchase {
        guard let user = UserID(rawValue: "user-\(Int.random(in: 0..<users))"), let price = Price(won: 1000),
            let coins = Coins(100)
        else { preconditionFailure("the figures above are in range") }
        return CreditPurchase(
            user: user,
            payment: PaymentIdentity(
                gateway: "portone-v1", impUID: "imp_\(lane)_\(serial)", merchantUID: "order_\(lane)_\(serial)"),
            product: "coins_100", price: price, coins: coins, bonusCoins: nil, paidAt: Date())
    }
}
