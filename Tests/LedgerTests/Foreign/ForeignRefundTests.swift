import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Refunds by us of payments in foreign currencies (docs/decisions/0230).
@Suite(.timeLimit(.minutes(20))) struct ForeignRefundTests {
    /// What the gateway owes in dollars, its mirror, and the won that are carried for it.
    static func open(in test: TestLedger, _ currency: String = "USD") async throws -> [Int64] {
        var balances: [Int64] = []
        for name in ["gateway:receivable:\(currency)", "fx:clearing:\(currency)", "fx:clearing:\(currency):KRW"] {
            balances.append(
                try await test.number(
                    """
                    SELECT coalesce(sum(balance), 0)::bigint FROM account
                    WHERE owner IS NULL AND split_part(code, '/', 1) = '\(name)'
                    """))
        }
        return balances
    }

    static func complete(_ refund: Refund, on ledger: Ledger) async throws -> Purchase {
        try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided).purchase
    }

    @Test func `a whole refund gives back every cent and every won`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(
                .sample(payment: .sample(), paying: 297, at: rate, coins: 300, bonus: 30))
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(
                refund.foreign == ForeignRefund(amount: 297, fee: 0, currency: rate.currency, balance: 297), "\(refund)"
            )
            #expect(refund.amount == 4121 && refund.value == 4121 && refund.believedBalance == 4121)
            #expect(refund.paidBack == 297 && refund.paidCurrency.code == "USD")
            #expect(try await ledger.refunds.find(refund.id) == refund)
            #expect(try await Self.open(in: test) == [297, 297, 4121], "nothing is booked before the gateway's answer")
            let after = try await Self.complete(refund, on: ledger)
            #expect(after.status == .refunded && after.foreign?.refunded == 297)
            #expect(try await Self.open(in: test) == [0, 0, 0])
            #expect(try await ledger.balances.find(of: purchase.user).total == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `three parts add up to the payment in both currencies`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 100, at: rate, coins: 3))
            #expect(purchase.amount == 1387)
            // A coin is 462⅓ won, and ₩462 are 33.3 cents. The second is ₩465, 33.5 cents.
            // The last has what is left.
            let parts: [(cents: Int64, won: Int64, open: [Int64])] = [
                (33, 457, [67, 67, 930]), (33, 458, [34, 34, 472]), (34, 472, [0, 0, 0]),
            ]
            for (number, part) in parts.enumerated() {
                let refund = try await ledger.begin(.sample("part-\(number)", of: purchase.id, coins: 1))
                #expect(refund.paidBack == part.cents && refund.amount == part.won && refund.fee == 0, "\(refund)")
                _ = try await Self.complete(refund, on: ledger)
                #expect(try await Self.open(in: test) == part.open)
            }
            try await Audit.expectSound(test)
        }
    }

    /// A dong is worth a twentieth of a won, and some coins are worth less than half a cent.
    @Test func `parts add up, however small the coins and the unit`() async throws {
        let sales: [(paid: Int64, coins: Int64, code: String, rate: String, per: Int64)] = [
            (100, 3, "USD", "1387.40", 1), (99, 7, "USD", "1387.40", 1), (2, 4, "USD", "1387.40", 1),
            (99, 200, "USD", "1387.40", 1), (26_000, 33, "VND", "5.45", 100), (120, 7, "JPY", "951", 100),
            (1250, 11, "KWD", "4512.3", 1),
        ]
        try await TestLedger.with { ledger, test in
            var rates: [String: Rate] = [:]
            for sale in sales where rates[sale.code] == nil {
                rates[sale.code] = try await ledger.publish(sale.rate, per: sale.per, of: sale.code)
            }
            for (number, sale) in sales.enumerated() {
                let user = "user-\(number)"
                let rate = try #require(rates[sale.code])
                let purchase = try await ledger.buy(
                    .sample(number, by: user, payment: .sample(number), paying: sale.paid, at: rate, coins: sale.coins))
                var (left, last) = (sale.coins, purchase)
                while left > 0 {
                    let begin = BeginRefund.sample("\(user)-\(left)", of: purchase.id, by: user, coins: 1)
                    let answer = try await ledger.submit(begin)
                    if answer.begun == nil { #expect(answer.refusal == .nothingToRefund, "\(sale)") }
                    let refund =
                        if let begun = answer.begun { begun } else {
                            try await ledger.begin(.sample("\(user)-rest", of: purchase.id, by: user))
                        }
                    #expect(refund.paidBack > 0 && refund.amount > 0, "\(refund)")
                    last = try await Self.complete(refund, on: ledger)
                    left -= refund.coins
                    #expect((last.foreign?.refunded == sale.paid) == (left == 0), "\(sale), \(left) coins left")
                }
                #expect(last.refundedAmount == purchase.amount && last.status == .refunded, "\(sale)")
            }
            for code in rates.keys { #expect(try await Self.open(in: test, code) == [0, 0, 0], "\(code)") }
            try await Audit.expectSound(test)
        }
    }

    @Test func `the fee is a share of what was paid, rounded down, and the least fee is of won only`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), at: rate))
            let policy = RefundPolicy(feePercent: 10, minimumFee: 500)
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: policy)
            let refund = try await ledger.begin(.sample(of: purchase.id, policy: policy))
            #expect(quote.foreign == refund.foreign && quote.amount == refund.amount && quote.fee == refund.fee)
            #expect(refund.paidBack == 90 && refund.paidFee == 9 && refund.feeRule == .percentage, "\(refund)")
            #expect(refund.value == 1374 && refund.amount == 1249 && refund.fee == 125)  // ⌊1374 × 90 ÷ 99⌋
            _ = try await Self.complete(refund, on: ledger)
            // What we kept is still owed by the gateway.
            #expect(try await Self.open(in: test) == [9, 9, 125])
            #expect(
                try await test.number(
                    "SELECT sum(balance)::bigint FROM account WHERE code LIKE 'revenue:refund-fees/%'")
                    == 125)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what a person saw in cents must hold`() async throws {
        try await TestLedger.with { ledger, _ in
            let rate = try await ledger.publish("5.45", per: 100, of: "VND")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 26_000, at: rate, coins: 33))
            let quote = try await ledger.refunds.quote(for: Coins(1), of: purchase, policy: .free)
            for (number, paidBack) in [quote.paidBack - 1, quote.paidBack].enumerated() {
                let answer = try await ledger.submit(
                    BeginRefund.sample(
                        "seen-\(number)", of: purchase.id, coins: 1,
                        terms: RefundTerms(amount: quote.amount, paidBack: paidBack)))
                #expect(answer.refusal == (number == 0 ? .changedMeanwhile : nil), "\(paidBack)")
            }
        }
    }

    @Test func `what rounds to no cent is refused, and so are bank transfers and the App Store`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), at: rate, coins: 1000))
            // A coin is ₩1.37. Ten are ₩13, as a cent is, and nine are less.
            #expect(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 1)).refusal == .nothingToRefund)
            let nine = try await ledger.refunds.quote(for: Coins(9), of: purchase, policy: .free)
            #expect(nine.refusal == .nothingToRefund, "\(nine)")
            let ten = try await ledger.refunds.quote(for: Coins(10), of: purchase, policy: .free)
            #expect(ten.refusal == nil && ten.paidBack == 1 && ten.amount == 13, "\(ten)")
            let transfer = try await ledger.submit(
                BeginRefund.sample("refund-3", of: purchase.id, method: .bankTransfer))
            #expect(transfer.refusal == .refundInForeignCurrency)
            let sold = try await ledger.buy(.sample(2, payment: .sampleInStore(2), at: rate))
            let atStore = try await ledger.submit(BeginRefund.sample("refund-2", of: sold.id))
            #expect(atStore.refusal == .refundInForeignCurrency)
            #expect(try await test.number("SELECT count(*) FROM refund") == 0)
        }
    }

    @Test func `what Google Play sold is refunded in dollars, and takes both legs off what it owes`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sampleAtPlay(1), paying: 297, at: rate, coins: 300))
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.coins == 300 && refund.paidBack == 297 && refund.amount == 4121, "\(refund)")
            _ = try await Self.complete(refund, on: ledger)
            #expect(try await ForeignSettlementTests.balances(test).isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `used coins are not refunded, and the rounding of the last of the others is revenue`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 297, at: rate, coins: 300))
            _ = try await ledger.submit(Spend.sample(coins: 250))
            // ₩687 are deferred, 49.5 cents; 49 cents are ₩679.
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.coins == 50 && refund.paidBack == 49 && refund.amount == 679, "\(refund)")
            _ = try await Self.complete(refund, on: ledger)
            #expect(try await Self.open(in: test) == [248, 248, 3442])
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the gateway gives back beside a pending refund is taken back after its decision`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: .sample(), paying: 297, at: rate, coins: 300))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 100))
            #expect(refund.paidBack == 99 && refund.amount == 1373)
            for cancelled: Int64 in [99, 100, 297] {
                #expect(try await ledger.clawBack(purchase, cancelled).isRepeat, "\(cancelled)")
            }
            _ = try await Self.complete(refund, on: ledger)
            #expect(try await ledger.clawBack(purchase, 99).isRepeat)
            let cent = try #require(try await ledger.clawBack(purchase, 100).clawedBack)
            #expect(cent.purchase.refundedAmount == 1387 && cent.coins == 1)
            let rest = try #require(try await ledger.clawBack(purchase, 297).clawedBack)
            #expect(rest.purchase.status == .refunded && rest.balance.total == 0)
            #expect(try await Self.open(in: test) == [0, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    /// A dong is a twentieth of a won, and 18 of them are less than one and none of 33 coins.
    @Test(arguments: [(10_000, 6), (33, 0)] as [(Int64, Int64)])
    func `what the gateway gave back below a won is booked, and then the rest is refunded`(
        coins: Int64, taken back: Int64
    ) async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("5.45", per: 100, of: "VND")
            let purchase = try await ledger.buy(
                .sample(payment: .sample(), paying: 26_000, at: rate, coins: coins))
            let taken = try #require(try await ledger.clawBack(purchase, 18).clawedBack)
            #expect(taken.purchase.foreign?.refunded == 18 && taken.purchase.refundedAmount == 0, "\(taken)")
            #expect(taken.coins == back && taken.purchase.status == .credited, "\(taken)")
            #expect(try await ledger.clawBack(purchase, 18).isRepeat)
            #expect(try await ledger.purchases.find(purchase.id) == taken.purchase)
            #expect(try await Self.open(in: test, "VND") == [25_982, 25_982, 1417])
            try await Audit.expectSound(test)
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.paidBack == 25_982 && refund.paidBalance == 25_982 && refund.amount == 1417, "\(refund)")
            #expect(try await Self.complete(refund, on: ledger).status == .refunded)
            #expect(try await Self.open(in: test, "VND") == [0, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refused refund that was carried out is completed at its won, or clawed back`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            func released(_ number: Int) async throws -> (purchase: Purchase, refund: Refund) {
                let purchase = try await ledger.buy(
                    .sample(number, payment: .sample(number), paying: 297, at: rate, coins: 300))
                let refund = try await ledger.begin(.sample("refund-\(number)", of: purchase.id, coins: 100))
                _ = try await ledger.submit(ReleaseRefund.sample(refund))
                return (purchase, refund)
            }
            func carriedOut(_ refund: Refund, _ cancelled: Int64) async throws -> Refund.Status? {
                let act = CompleteRefund(user: refund.user, refundID: refund.id, cancelledInAll: cancelled)
                return try await ledger.submit(act).decided?.refund.status
            }
            let first = try await released(1)
            #expect(try await carriedOut(first.refund, 98) == .refused, "the gateway shows less")
            #expect(try await carriedOut(first.refund, 99) == .completed)

            let second = try await released(2)
            _ = try await ledger.clawBack(second.purchase, 1)
            // Together with the cent before, the 99 cents are a won more.
            #expect(try await carriedOut(second.refund, 100) == .refused)
            let taken = try #require(try await ledger.clawBack(second.purchase, 100).clawedBack)
            #expect(taken.purchase.refundedAmount == 1387)
            try await Audit.expectSound(test)
        }
    }
}
