import Ledger
import LedgerWire

extension PurchaseBody {
    /// What clients read of a purchase.
    ///
    /// - Parameter refunds: its refunds, where they are shown.
    init(_ purchase: Purchase, refunds: [Refund]? = nil) {
        let payment = purchase.payment
        self.init(
            id: purchase.id, status: purchase.status.rawValue, gateway: payment.gateway, impUID: payment.impUID,
            merchantUID: payment.merchantUID, paymentID: payment.paymentID, product: purchase.product,
            amount: purchase.amount, currency: purchase.currency.code, coins: purchase.coins,
            bonusCoins: purchase.bonusCoins, paidAt: purchase.paidAt, creditedAt: purchase.creditedAt,
            refundedAmount: purchase.refundedAmount, refunds: refunds?.map(RefundBody.init))
    }
}
