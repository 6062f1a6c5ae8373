import Ledger

/// What a busy month's shop sells.
struct MonthProduct: Sendable {
    let code: String
    let price: Int64
    let coins: Int64
    let bonus: Int64
    /// After how many days paid coins expire; nil: never.
    let days: Int?

    /// Prices that do not divide by their coins, too.
    static let all = [
        MonthProduct(code: "coins_30", price: 1000, coins: 30, bonus: 0, days: nil),
        MonthProduct(code: "coins_100", price: 3300, coins: 100, bonus: 5, days: nil),
        MonthProduct(code: "coins_330", price: 9900, coins: 330, bonus: 33, days: nil),
        MonthProduct(code: "trial_7", price: 100, coins: 7, bonus: 1, days: 3),
        MonthProduct(code: "week_70", price: 1990, coins: 70, bonus: 0, days: 7),
    ]
}

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
