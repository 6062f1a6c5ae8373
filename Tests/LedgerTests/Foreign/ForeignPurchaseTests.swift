import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Purchases in stores that were paid in foreign currencies: both legs, what goes back, and what is refused (docs/decisions/0223).
@Suite(.timeLimit(.minutes(20))) struct ForeignPurchaseTests {
    /// The balances of the App Store's dollars, of their mirror, and of the won that are carried for them.
    private static func open(in test: TestLedger, at store: String = "app-store") async throws -> [Int64] {
        var balances: [Int64] = []
        for name in ["\(store):receivable:USD", "fx:clearing:USD", "fx:clearing:USD:KRW"] {
            balances.append(
                try await test.number(
                    """
                    SELECT coalesce(sum(balance), 0)::bigint FROM account
                    WHERE owner IS NULL AND split_part(code, '/', 1) = '\(name)'
                    """))
        }
        return balances
    }

    /// In each currency, debits equal credits.
    private static func expectBalanced(_ test: TestLedger) async throws {
        let unequal = """
            SELECT count(*) FROM (
                SELECT currency FROM account GROUP BY currency HAVING sum(debits) <> sum(credits)
            ) AS unequal
            """
        #expect(try await test.number(unequal) == 0)
        try await Audit.expectSound(test)
    }

    @Test func `what a store sold for dollars is booked in dollars and, at the rate of the payment, in won`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            #expect(try await test.number("SELECT count(*) FROM account WHERE code LIKE 'fx:%'") == 0)
            let rate = try await ledger.publish("1387.40")
            #expect(try await Self.open(in: test) == [0, 0, 0])

            let purchase = try await ledger.buy(.sample(at: rate))
            #expect(purchase.amount == 1374 && purchase.currency == .won)
            #expect(purchase.foreign == ForeignPayment(amount: 99, currency: .named("USD"), rateID: rate.id))
            #expect(try await ledger.purchases.find(purchase.id) == purchase)
            #expect(try await Self.open(in: test) == [99, 99, 1374])
            #expect(try await test.number("SELECT sum(deferred)::bigint FROM lot") == 1374)
            #expect(try await ledger.figures.owedByGateways() == 1374)
            let page = try await ledger.settlements.listOutstanding(limit: 5)
            #expect(page.accounts.map(\.account) == ["gateway:receivable", "fx:clearing:USD:KRW"])
            #expect(page.balance == 1374 && page.payments.map(\.outstanding) == [1374])

            _ = try await ledger.submit(Spend.sample(coins: 30))
            #expect(try await test.number("SELECT sum(deferred)::bigint FROM lot") == 1374 - 412)
            let again = try await ledger.credit(.sample(at: rate))
            #expect(again.isRepeat && again.credited?.purchase == purchase)
            try await Self.expectBalanced(test)
        }
    }

    /// Thirds of 297 cents for ₩4,121: each is one of three pieces, and they add up.
    @Test func `parts that go back are at the purchase's own rate, piece by piece, and leave nothing over`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(paying: 297, at: rate, coins: 300))
            #expect(purchase.amount == 4121)
            // Another rate is published meanwhile: what goes back does not ask for it.
            try await ledger.publish("1450.00", on: sure(CivilDate(year: 2026, month: 1, day: 2)))
            let steps: [(cancelled: Int64, won: Int64, open: [Int64])] = [
                (99, 1373, [198, 198, 2748]), (198, 1374, [99, 99, 1374]), (297, 1374, [0, 0, 0]),
            ]
            for (cancelled, won, open) in steps {
                let before = try #require(try await ledger.purchases.find(purchase.id))
                let taken = try await ledger.submit(ClawBack.sample(of: purchase, cancelled)).clawedBack
                #expect(taken?.coins == 100, "\(cancelled)")
                let after = try #require(try await ledger.purchases.find(purchase.id))
                #expect(after.refundedAmount - before.refundedAmount == won, "\(cancelled)")
                #expect(after.foreign?.refunded == cancelled)
                #expect(try await Self.open(in: test) == open, "\(cancelled)")
                let repeated = try await ledger.submit(ClawBack.sample(of: purchase, cancelled))
                #expect(repeated.isRepeat)
                try await Self.expectBalanced(test)
            }
            #expect(try await ledger.purchases.find(purchase.id)?.status == .refunded)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
        }
    }

    @Test func `a refund that the store takes back is owed again in dollars and in won`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(paying: 297, at: rate, coins: 300))
            _ = try await ledger.submit(Spend.sample(coins: 250))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 99))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 297))
            #expect(try await Self.open(in: test) == [0, 0, 0])
            // The store takes the second one back but for a cent.
            let act = try await ledger.reversal(of: purchase, total: 100)
            let given = try #require(try await ledger.submit(act).clawBackReversed)
            #expect(given.result == .givenBack && given.purchase.foreign?.refunded == 100)
            #expect(given.purchase.refundedAmount == 1387)  // ⌊4121 × 100 ÷ 297⌋
            #expect(try await Self.open(in: test) == [197, 197, 4121 - 1387])
            try await Self.expectBalanced(test)
        }
    }

    @Test func `what went back before the purchase was credited is taken at once`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(paying: 297, at: rate, coins: 300, cancelled: 99))
            #expect(purchase.refundedAmount == 1373 && purchase.foreign?.refunded == 99)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 200)
            #expect(try await Self.open(in: test) == [198, 198, 2748])
            try await Self.expectBalanced(test)
        }
    }

    /// A dong is a twentieth of a won.
    @Test func `a part that is worth no won is booked with the next one in the App Store`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("5.45", per: 100, of: "VND")
            let purchase = try await ledger.buy(.sample(paying: 26_000, at: rate))
            #expect(purchase.amount == 1417)
            #expect(try await ledger.submit(ClawBack.sample(of: purchase, 18)).isRepeat)
            #expect(try await ledger.purchases.find(purchase.id)?.foreign?.refunded == 0)
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 19))
            let after = try #require(try await ledger.purchases.find(purchase.id))
            #expect(after.foreign?.refunded == 19 && after.refundedAmount == 1)
            try await Self.expectBalanced(test)
        }
    }

    @Test func `a part that is worth no won is booked at once at Google Play`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("5.45", per: 100, of: "VND")
            let purchase = try await ledger.buy(.sample(payment: .sampleAtPlay(1), paying: 26_000, at: rate))
            #expect(try await ledger.submit(ClawBack.sample(of: purchase, 18)).clawedBack != nil)
            let after = try #require(try await ledger.purchases.find(purchase.id))
            #expect(after.foreign?.refunded == 18 && after.refundedAmount == 0)
            try await ledger.events.publisher.publish()
            let told = try await ledger.events.everything(limit: 100).contains { event in
                guard
                    case .clawBack(_, amount: 0, foreignAmount: let dongs, coins: _, bonusCoins: _)? = event.entry?.fact
                else {
                    return false
                }
                return dongs == 18
            }
            #expect(told, "the event tells what went back")
            try await Audit.expectSound(test)
        }
    }

    @Test func `the rate of a payment is the last published when it was paid, or that of its day if there was none`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let dollar = ForeignCurrency.named("USD")
            func rate(paidAt: Date) async throws -> Rate? {
                try await ledger.rates.find(ofPaymentIn: dollar, paidAt: paidAt, in: .gmt)
            }
            let newYear = Date(timeIntervalSince1970: 1_767_225_600)
            #expect(try await rate(paidAt: newYear) == nil)
            let second = try await ledger.publish("1390", on: sure(CivilDate(year: 2026, month: 1, day: 2)))
            #expect(try await rate(paidAt: newYear) == nil, "its day has none")
            let first = try await ledger.publish("1387.40", on: sure(CivilDate(year: 2026, month: 1, day: 1)))
            #expect(try await rate(paidAt: newYear) == first)
            #expect(try await rate(paidAt: newYear + 2 * 86_400) == second)
            let paidAt = try await test.databaseTime()
            let corrected = try await ledger.publish("1391", on: sure(CivilDate(year: 2026, month: 1, day: 2)))
            #expect(corrected.version == 2)
            #expect(try await rate(paidAt: paidAt) == second, "it was paid before the correction")
            let later = try await test.databaseTime()
            #expect(try await rate(paidAt: later) == corrected)

            _ = try await ledger.buy(.sample(1, at: second, paidAt: paidAt))
            _ = try await ledger.buy(.sample(2, at: corrected, paidAt: later))
            _ = try await ledger.buy(.sample(3, at: first))
            try await Self.expectBalanced(test)
        }
    }

    @Test func `a purchase in won is as it was, and its store's account has it alone`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let won = try await ledger.buy(.sample(1, payment: .sampleInStore(1)))
            _ = try await ledger.buy(.sample(2, by: "bob", payment: .sampleAtPlay(2), at: rate))
            #expect(won.foreign == nil && won.paidAmount == 1000 && won.paidCurrency == .won)
            #expect(try await Self.open(in: test, at: "google-play") == [99, 99, 1374])
            let page = try await ledger.settlements.listOutstanding(limit: 5)
            #expect(page.accounts.map(\.balance) == [0, 1000, 1374])
            try await Self.expectBalanced(test)
        }
    }

    @Test func `a refund by us and a settlement line are refused by code`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(at: rate))
            let refund = try await ledger.submit(BeginRefund.sample(of: purchase.id))
            #expect(refund.refusal == .refundInForeignCurrency)
            let file = try await ledger.settlements.book(
                .sample([(purchase.payment.paymentID, 99, 30, 0, "2026-01-20")]), by: "finance")
            let lines = try await ledger.settlements.listLines(of: file.file.id, limit: 5).elements
            #expect(lines.map(\.reason) == ["foreign_currency"])
            #expect(try await ledger.purchases.find(purchase.id) == purchase)
            try await Self.expectBalanced(test)
        }
    }

    @Test func `a purchase in a currency whose accounts are not open is refused before anything is written`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            var act = CreditPurchase.sample(at: rate)
            act = CreditPurchase(
                user: act.user, payment: act.payment, product: act.product, price: act.price,
                foreign: ForeignPayment(amount: 99, currency: .named("EUR"), rateID: rate.id), coins: act.coins,
                bonusCoins: nil, paidAt: act.paidAt)
            await #expect(throws: LedgerError.self) { _ = try await ledger.credit(act) }
            #expect(try await test.number("SELECT count(*) FROM purchase") == 0)
        }
    }

    @Test func `coins that were bought in dollars are given away and taken back with their won`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(at: rate))
            _ = try await ledger.buy(.sample(2, by: "bob"))
            _ = try await ledger.submit(Gift.sample("gift-1", from: "ann", to: "bob", coins: 40))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 99))
            #expect(try await Self.open(in: test) == [0, 0, 0])
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            try await Self.expectBalanced(test)
        }
    }
}
