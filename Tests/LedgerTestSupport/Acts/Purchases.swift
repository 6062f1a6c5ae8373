package import Foundation
package import Ledger
import TestSupport

/// A user by name, or by id.
package protocol UserName {
    var userID: UserID { get }
}

extension String: UserName {
    package var userID: UserID { sure(UserID(rawValue: self)) }
}

extension UserID: UserName {
    package var userID: UserID { self }

    package static func named(_ name: String) -> UserID { name.userID }
}

extension CallerKey {
    /// The key of this text that the caller `shop` chose.
    package static func named(_ text: String) -> CallerKey { sure(CallerKey(text, of: .named("shop"))) }
}

extension PaymentIdentity {
    /// The payment with this number, as V1 shows it.
    package static func sample(
        _ number: Int = 1, paymentID: String? = nil, merchantUID: String? = nil
    ) -> PaymentIdentity {
        PaymentIdentity(
            gateway: "portone-v1", paymentID: paymentID ?? "imp_\(number)",
            merchantUID: merchantUID ?? "order_\(number)")
    }

    /// The payment with this number, as V2 shows it; by default, its transaction has the same number.
    package static func sampleInV2(
        _ number: Int = 1, paymentID: String? = nil, merchantUID: String? = nil
    ) -> PaymentIdentity {
        let order = merchantUID ?? "order_\(number)"
        return PaymentIdentity(
            gateway: "portone-v2", paymentID: paymentID ?? "tx_\(number)", merchantUID: order, merchantPaymentID: order)
    }
}

extension PaymentIdentity {
    /// The purchase with this number in the App Store.
    package static func sampleInStore(_ number: Int = 1) -> PaymentIdentity {
        PaymentIdentity(
            gateway: "app-store", paymentID: "200000000000000\(number)",
            merchantUID: "app-store:200000000000000\(number)")
    }

    /// The purchase with this number at Google Play, whose order has this number, too.
    package static func sampleAtPlay(_ number: Int = 1) -> PaymentIdentity {
        PaymentIdentity(
            gateway: "google-play", paymentID: "token-\(number)", merchantUID: "google-play:token-\(number)",
            merchantPaymentID: "GPA.3300-0000-0000-0000\(number)")
    }
}

extension CreditPurchase {
    /// The purchase with this number: 100 coins and by default 10 more for ₩1,000.
    package static func sample(
        _ number: Int = 1, by buyer: some UserName = "ann", payment: PaymentIdentity? = nil, paymentID: String? = nil,
        merchantUID: String? = nil, product: String = "coins_100", coins: Int64 = 100, bonus: Int64 = 10,
        won: Int64 = 1000, paidAt: Date? = nil, isTimeTold: Bool = true, expiresAt: Date? = nil,
        bonusExpiresAt: Date? = nil, vat: VATRule = .atUse, taxFree: Int64? = nil
    ) -> CreditPurchase {
        sample(
            number, by: buyer, payment: payment, paymentID: paymentID, merchantUID: merchantUID, product: product,
            coins: coins, bonus: bonus, won: won, paidAt: paidAt, isTimeTold: isTimeTold,
            expiry: expiresAt.map { CoinExpiry(at: $0) }, bonusExpiry: bonusExpiresAt.map { CoinExpiry(at: $0) },
            vat: vat, taxFree: taxFree)
    }

    /// The same with lifetimes, whose days can be counted.
    package static func sample(
        _ number: Int = 1, by buyer: some UserName = "ann", payment: PaymentIdentity? = nil, paymentID: String? = nil,
        merchantUID: String? = nil, product: String = "coins_100", coins: Int64 = 100, bonus: Int64 = 10,
        won: Int64 = 1000, paidAt: Date? = nil, isTimeTold: Bool = true, expiry: CoinExpiry?,
        bonusExpiry: CoinExpiry? = nil, vat: VATRule = .atUse, taxFree: Int64? = nil
    ) -> CreditPurchase {
        CreditPurchase(
            user: buyer.userID, payment: payment ?? .sample(number, paymentID: paymentID, merchantUID: merchantUID),
            product: product, price: sure(Price(won: won)), coins: sure(Coins(coins)), bonusCoins: Coins(bonus),
            paidAt: paidAt ?? Date(timeIntervalSince1970: 1_767_225_600 + Double(number)), isTimeTold: isTimeTold,
            expiresAt: expiry, bonusExpiresAt: bonusExpiry, vat: vat, taxFree: taxFree)
    }
}

extension ClawBack {
    /// The gateway has cancelled so many won of the payment, in all.
    package static func sample(
        of purchase: Purchase, _ cancelled: Int64, cancelledAt: Date? = nil, usedBonus: UsedBonus = .charge,
        freezes: Bool = false
    ) -> ClawBack {
        ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: cancelled, cancelledAt: cancelledAt,
            usedBonus: usedBonus, freezes: freezes)
    }

    /// The gateway has cancelled so many won of the payment, in all.
    package static func sample(
        of purchase: CreditPurchase, _ cancelled: Int64, cancelledAt: Date? = nil, usedBonus: UsedBonus = .charge
    ) -> ClawBack {
        ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: cancelled, cancelledAt: cancelledAt,
            usedBonus: usedBonus)
    }
}
