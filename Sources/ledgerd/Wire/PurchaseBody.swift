import Foundation
import Ledger

/// A purchase, as clients read it.
struct PurchaseBody: Encodable {
    let purchase: Purchase
    /// Its refunds, where they are shown.
    var refunds: [Refund]?

    private enum CodingKeys: String, CodingKey {
        case id, status, gateway, product, amount, currency, coins, refunds
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case bonusCoins = "bonus_coins"
        case paidAt = "paid_at"
        case creditedAt = "credited_at"
        case refundedAmount = "refunded_amount"
    }

    func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(purchase.id, forKey: .id)
        try body.encode(purchase.status.rawValue, forKey: .status)
        try body.encode(purchase.payment.gateway, forKey: .gateway)
        try body.encode(purchase.payment.impUID, forKey: .impUID)
        try body.encode(purchase.payment.merchantUID, forKey: .merchantUID)
        try body.encode(purchase.payment.paymentID, forKey: .paymentID)
        try body.encode(purchase.product, forKey: .product)
        try body.encode(purchase.amount, forKey: .amount)
        try body.encode(purchase.currency.code, forKey: .currency)
        try body.encode(purchase.coins, forKey: .coins)
        try body.encode(purchase.bonusCoins, forKey: .bonusCoins)
        try body.encode(purchase.paidAt, forKey: .paidAt)
        try body.encode(purchase.creditedAt, forKey: .creditedAt)
        try body.encode(purchase.refundedAmount, forKey: .refundedAmount)
        try body.encodeIfPresent(refunds?.map(RefundBody.init), forKey: .refunds)
    }
}
