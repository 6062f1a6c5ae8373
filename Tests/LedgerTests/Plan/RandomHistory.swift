import Foundation
import TestSupport

@testable import Ledger

/// Commands at random, the same for the same seed: new ones, repeated ones, and ones that must be refused.
struct RandomHistory {
    private var random: SplitMix64
    private var purchases: [CreditPurchase] = []
    private var grants: [Grant] = []
    private var serial = 0

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func batch() -> [Command] {
        (0..<Int.random(in: 1...48, using: &random)).map { _ in command() }
    }

    mutating func command() -> Command {
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where !purchases.isEmpty: .creditPurchase(pick(purchases))
        case 1 where !purchases.isEmpty: .creditPurchase(changed(pick(purchases), user: user()))
        case 2 where !purchases.isEmpty: .creditPurchase(changed(pick(purchases), impUID: "imp_other_\(next())"))
        case 3 where !purchases.isEmpty: .creditPurchase(changed(pick(purchases), merchantUID: "other_\(next())"))
        case 4 where !grants.isEmpty: .grant(pick(grants))
        case 5 where !grants.isEmpty: .grant(changed(pick(grants)))
        case 6 where !purchases.isEmpty: .clawBack(newClawBack())
        case 7...12: .grant(newGrant())
        default: .creditPurchase(newPurchase())
        }
    }

    private mutating func newPurchase() -> CreditPurchase {
        let number = next()
        let bonus = Bool.random(using: &random) ? Int64.random(in: 1...50, using: &random) : 0
        let purchase = CreditPurchase(
            user: user(),
            payment: PaymentIdentity(gateway: "portone-v1", impUID: "imp_\(number)", merchantUID: "order_\(number)"),
            product: "random", price: sure(Price(won: .random(in: 1...1_000_000, using: &random))),
            coins: sure(Coins(.random(in: 1...100_000, using: &random))), bonusCoins: Coins(bonus),
            paidAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)))
        purchases.append(purchase)
        return purchase
    }

    private mutating func newGrant() -> Grant {
        let grant = Grant(
            idempotencyKey: .named("grant-\(next())"), user: user(),
            coins: sure(Coins(.random(in: 1...1000, using: &random))), reason: "because")
        grants.append(grant)
        return grant
    }

    /// Now and then of a payment that was never credited, or of another user's, or of more than was paid.
    private mutating func newClawBack() -> ClawBack {
        let purchase = pick(purchases)
        let cancelled = Int64.random(in: 0...(purchase.price.amount + 1), using: &random)
        let isWhole = Bool.random(using: &random)
        return ClawBack(
            user: Int.random(in: 0..<10, using: &random) == 0 ? user() : purchase.user, payment: purchase.payment,
            cancelledAmount: isWhole ? purchase.price.amount : cancelled)
    }

    private mutating func next() -> Int {
        serial += 1
        return serial
    }

    private mutating func user() -> UserID { sure(UserID(rawValue: "user-\(Int.random(in: 0..<300, using: &random))")) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private func changed(
        _ purchase: CreditPurchase, user: UserID? = nil, impUID: String? = nil, merchantUID: String? = nil
    ) -> CreditPurchase {
        CreditPurchase(
            user: user ?? purchase.user,
            payment: PaymentIdentity(
                gateway: purchase.payment.gateway, impUID: impUID ?? purchase.payment.impUID,
                merchantUID: merchantUID ?? purchase.payment.merchantUID),
            product: purchase.product, price: purchase.price, coins: purchase.coins, bonusCoins: purchase.bonusCoins,
            paidAt: purchase.paidAt)
    }

    private func changed(_ grant: Grant) -> Grant {
        Grant(
            idempotencyKey: grant.idempotencyKey, user: grant.user, coins: sure(Coins(grant.coins.count + 1)),
            reason: grant.reason)
    }
}

/// A small generator of good quality whose whole state is its seed (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
