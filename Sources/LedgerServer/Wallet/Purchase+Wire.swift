import Ledger
import LedgerWire
import WireFormats

extension PurchaseBody {
    /// - Parameters:
    ///   - refunds: the refunds of the purchase; nil: they are not shown.
    ///   - namesUser: whether the reader may not know the user.
    init(_ purchase: Purchase, refunds: [Refund]? = nil, namingUser namesUser: Bool = false) {
        self.init(purchase, of: namesUser ? purchase.user : nil, refunds)
    }

    /// A purchase of a list of its user.
    init(_ listed: WithRefunds<ListedPurchase>) { self.init(listed.purchase, of: nil, listed.refunds) }

    private init(_ purchase: some ListablePurchase, of user: UserID?, _ refunds: [Refund]?) {
        let payment = purchase.payment
        self.init(
            id: purchase.id, user: user?.rawValue, status: purchase.status.rawValue,
            gateway: payment.gateway, impUID: payment.paymentID, merchantUID: payment.merchantUID,
            paymentID: payment.merchantPaymentID, product: purchase.product, amount: purchase.amount,
            currency: purchase.currency.code, coins: purchase.coins, bonusCoins: purchase.bonusCoins,
            paidAt: purchase.paidAt, creditedAt: purchase.creditedAt, refundedAmount: purchase.refundedAmount,
            refunds: refunds?.map(RefundBody.init), foreign: Foreign(purchase))
    }
}

extension PurchaseBody.Foreign {
    /// What was paid of a purchase in a foreign currency; nil: it was paid in won.
    init?(_ purchase: some ListablePurchase) {
        guard let amount = purchase.foreignAmount, let currency = purchase.foreignCurrency else { return nil }
        self.init(amount: amount, currency: currency.code, refundedAmount: purchase.foreignRefunded ?? 0)
    }
}

extension PurchaseBody.Foreign: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", amount)
        json.member("currency", currency)
        json.member("refunded_amount", refundedAmount)
        json.endObject()
    }
}

extension PurchaseCursor: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("creditedAt", creditedAt.microseconds)
        json.member("id", id)
        json.endObject()
    }
}

extension PurchaseBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", amount)
        json.member("bonus_coins", bonusCoins)
        json.member("coins", coins)
        json.member("credited_at", creditedAt)
        json.member("currency", currency)
        if let foreign { json.member("foreign", foreign) }
        json.member("gateway", gateway)
        json.member("id", id)
        json.member("imp_uid", impUID)
        json.member("merchant_uid", merchantUID)
        json.member("paid_at", paidAt)
        if let paymentID {
            json.member("payment_id", paymentID)
        } else {
            json.name("payment_id")
            json.null()
        }
        json.member("product", product)
        json.member("refunded_amount", refundedAmount)
        if let refunds { json.member("refunds", refunds) }
        json.member("status", status)
        if let user { json.member("user", user) }
        json.endObject()
    }
}
