import Ledger

/// A payment, and what of it the gateway has paid out.
struct MonthPayment: Sendable {
    var purchase: Purchase
    private var settled: Int64 = 0

    init(_ purchase: Purchase) { self.purchase = purchase }

    /// What a statement of a day has of it; nil: nothing.
    mutating func payout(on day: MonthDay) -> GatewayPayout? {
        let due = purchase.amount - purchase.refundedAmount - settled
        guard MonthDay(of: purchase.paidAt).after(2) <= day, due != 0 else { return nil }
        settled += due
        let fee = due * 3 / 100
        return GatewayPayout(purchase.payment.merchantUID, gross: due, fee: fee, tax: fee / 10, on: day.name)
    }
}
