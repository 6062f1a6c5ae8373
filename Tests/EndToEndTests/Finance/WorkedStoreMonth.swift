import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import TestSupport

/// The month of docs/worked-store-month.md: sales in two stores, a refund by one, and what it is to pay out.
struct WorkedStoreMonth {
    private let story: WorkedStory

    private let ann = UserID.named("ann")
    private let bob = UserID.named("bob")

    /// The file that Google makes of the month, in the directory where the page's commands run.
    private static let file = "earnings_202601.csv"

    /// Has the month pass in the books, to the morning on which Google pays; its file is not imported yet.
    static func pass(in house: House) async throws {
        let first = PaymentIdentity.sampleAtPlay(1)
        let second = PaymentIdentity.sampleAtPlay(2)
        try await WorkedStory.pass(in: house, through: 45) { story in
            try await WorkedStoreMonth(story: story).pass(first, second)
        }
        var earnings = EarningsFile()
        for payment in [first, second] {
            let order = sure(payment.merchantPaymentID)
            let day = payment == first ? "Jan 5, 2026" : "Jan 7, 2026"
            earnings.add(order, "Charge", "1200", on: day)
            earnings.add(order, "Google fee", "-180", on: day)
        }
        earnings.add(sure(second.merchantPaymentID), "Charge refund", "-1200", on: "Jan 20, 2026")
        earnings.add(sure(second.merchantPaymentID), "Google fee refund", "180", on: "Jan 20, 2026")
        earnings.add("GPA.3300-0000-0000-00009", "Charge", "4900", on: "Jan 25, 2026")
        earnings.add("GPA.3300-0000-0000-00009", "Google fee", "-735", on: "Jan 25, 2026")
        earnings.add(
            "GPA.3300-0000-0000-00010", "Charge", "0.99", on: "Jan 26, 2026", currency: "USD", buyer: "USD")
        try Data(earnings.text.utf8).write(to: house.directory.appending(path: file))
    }

    private func pass(_ first: PaymentIdentity, _ second: PaymentIdentity) async throws {
        try await buy(5, ann, first)
        try await buy(7, bob, second)
        try await buy(8, .named("cho"), .sampleInStore(1))
        try await spend(10, ann, 50)
        try await spend(12, bob, 30)
        try await story.act(20, ClawBack(user: bob, payment: second, cancelledAmount: 1200))
    }

    private func buy(_ day: Int, _ user: UserID, _ payment: PaymentIdentity) async throws {
        try await story.act(
            day,
            CreditPurchase(
                user: user, payment: payment, product: "coins_100", price: sure(Price(won: 1200)),
                coins: story.coins(100), bonusCoins: nil, paidAt: WorkedStory.day(day, hour: 10), expiresAt: nil))
    }

    private func spend(_ day: Int, _ user: UserID, _ coins: Int64) async throws {
        try await story.act(
            day, Spend(idempotencyKey: story.key("spend-\(day)"), user: user, coins: story.coins(coins)))
    }
}
