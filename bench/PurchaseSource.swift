import Foundation
import Ledger

/// What many users buy and spend, each act of a payment or key of its own.
struct PurchaseSource: Sendable {
    let users: Int

    /// The next purchase of a lane, told from those of other lanes by its ids.
    func purchase(lane: Int, serial: Int) -> CreditPurchase {
        purchase("\(lane)_\(serial)", by: someone, coins: 100)
    }

    /// Coins for a user that outlast any measurement.
    func fortune(of user: Int) -> CreditPurchase {
        purchase("fortune_\(user)", by: Self.user(user), coins: 1_000_000_000)
    }

    private func purchase(_ name: String, by user: UserID, coins: Int64) -> CreditPurchase {
        guard let price = Price(won: coins * 10), let coins = Coins(coins) else { preconditionFailure("in range") }
        return CreditPurchase(
            user: user,
            payment: PaymentIdentity(gateway: "portone-v1", impUID: "imp_\(name)", merchantUID: "order_\(name)"),
            product: "coins_100", price: price, coins: coins, bonusCoins: nil, paidAt: Date())
    }

    /// The next spend of a lane: three coins of somebody's.
    func spend(lane: Int, serial: Int) -> Spend {
        Spend(idempotencyKey: key("spend", lane, serial), user: someone, coins: Self.few)
    }

    /// The next hold of a lane: three coins of somebody's.
    func hold(lane: Int, serial: Int) -> PlaceHold {
        PlaceHold(idempotencyKey: key("hold", lane, serial), user: someone, coins: Self.few, timeout: 3600)
    }

    /// The capture of that hold, whole.
    func capture(_ hold: Hold, lane: Int, serial: Int) -> CaptureHold {
        CaptureHold(idempotencyKey: key("capture", lane, serial), user: hold.user, holdID: hold.id)
    }

    private var someone: UserID { Self.user(Int.random(in: 0..<users)) }

    private static func user(_ number: Int) -> UserID {
        guard let user = UserID(rawValue: "user-\(number)") else { preconditionFailure("a user's id is short") }
        return user
    }

    private static let few: Coins = {
        guard let coins = Coins(3) else { preconditionFailure("three is in range") }
        return coins
    }()

    private func key(_ act: String, _ lane: Int, _ serial: Int) -> IdempotencyKey {
        guard let caller = UserID(rawValue: "bench"), let key = IdempotencyKey("\(act)-\(lane)-\(serial)", of: caller)
        else { preconditionFailure("a key is short and printable") }
        return key
    }
}
