import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Random purchases in four currencies at rates that move, with parts that go back and come again, against a model that knows
/// amounts only.
@Suite(.timeLimit(.minutes(20))) struct ForeignHistoryTests {
    private static let currencies: [(code: String, per: Int64, rate: Int64, scale: Int, most: Int64)] = [
        ("USD", 1, 138_740, 2, 100_000), ("JPY", 100, 95_012, 2, 1_000_000), ("KWD", 1, 45_123, 1, 100_000),
        ("VND", 100, 545, 2, 10_000_000),
    ]

    /// A purchase as the model has it.
    private struct Sale {
        let purchase: Purchase
        let won: Int64
        /// What went back in all, after each claw-back that stands.
        var totals: [Int64] = []

        var paid: Int64 { purchase.paidAmount }
        var refunded: Int64 { totals.last ?? 0 }
        /// ⌊won × refunded ÷ paid⌋.
        var refundedWon: Int64 { Int64(Int128(won) * Int128(refunded) / Int128(paid)) }
    }

    private static func balances(_ test: TestLedger) async throws -> [String: Int64] {
        let connection = try await test.connectAsOwner()
        let found = try await connection.run(
            PostgresQuery<[(String, Int64)]>(
                """
                SELECT split_part(code, '/', 1), sum(balance)::bigint FROM account
                WHERE owner IS NULL AND (currency NOT IN ('KRW', 'COIN') OR code LIKE 'fx:%') GROUP BY 1
                """
            ) { row in (try row[0], try row[1]) })
        await connection.close()
        return Dictionary(uniqueKeysWithValues: found)
    }

    @Test(arguments: Effort.seeds(upTo: 3))
    func `what is open in each currency is what the model has, in the currency and in won`(_ seed: UInt64) async throws
    {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: seed)
            var rates: [Rate] = []
            for currency in Self.currencies {
                let text = Self.text(currency.rate, currency.scale)
                rates.append(try await ledger.publish(text, per: currency.per, of: currency.code))
            }
            var sales: [Sale] = []
            for number in 1...Effort.count(60, upTo: 600) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    // By less than 5 %: one person publishes it. What was paid before keeps its rate.
                    let place = Int.random(in: 0..<rates.count, using: &random)
                    let currency = Self.currencies[place]
                    let moved =
                        currency.rate + Int64.random(in: -currency.rate / 50...currency.rate / 50, using: &random)
                    let text = Self.text(moved, currency.scale)
                    rates[place] = try await ledger.publish(text, per: currency.per, of: currency.code)
                case 1...5:
                    let place = Int.random(in: 0..<rates.count, using: &random)
                    let paid = Int64.random(in: 1_000...Self.currencies[place].most, using: &random)
                    let act = CreditPurchase.sample(
                        number, by: ["ann", "bob", "cat"].randomElement(using: &random) ?? "ann",
                        payment: Bool.random(using: &random) ? .sampleInStore(number) : .sampleAtPlay(number),
                        paying: paid, at: rates[place], coins: Int64.random(in: 1...500, using: &random),
                        bonus: Int64.random(in: 0...20, using: &random), paidAt: try await test.databaseTime())
                    sales.append(Sale(purchase: try await ledger.buy(act), won: act.price.amount))
                case 6:
                    _ = try await ledger.submit(
                        Spend.sample("spend-\(number)", by: "ann", coins: Int64.random(in: 1...50, using: &random)))
                case 7:
                    guard
                        let place = sales.indices.filter({ Self.isReversible(sales[$0]) }).randomElement(using: &random)
                    else { continue }
                    let known = try #require(try await ledger.purchases.find(sales[place].purchase.id))
                    let clawBack = try #require(try await ledger.purchases.reversibleClawBack(of: known))
                    let before = sales[place].totals.dropLast().last ?? 0
                    let reversed = try await ledger.submit(
                        ReverseClawBack(
                            clawBack, of: known, told: .sample(of: known, before), toldAt: Date(), grace: 0))
                    if reversed.clawBackReversed?.result == .givenBack { sales[place].totals.removeLast() }
                default:
                    guard
                        let place = sales.indices.filter({ sales[$0].refunded < sales[$0].paid }).randomElement(
                            using: &random)
                    else { continue }
                    var sale = sales[place]
                    let total = Int64.random(in: (sale.refunded + 1)...sale.paid, using: &random)
                    let taken = try await ledger.submit(ClawBack.sample(of: sale.purchase, total))
                    let before = sale.refundedWon
                    sale.totals.append(total)
                    // A part that is worth no won waits for the next one.
                    #expect(taken.isRepeat == (sale.refundedWon == before), "\(total) of \(sale.paid)")
                    if !taken.isRepeat { sales[place] = sale }
                }
            }
            let balances = try await Self.balances(test)
            for currency in Self.currencies {
                let own = sales.filter { $0.purchase.paidCurrency.code == currency.code }
                let open = own.reduce(0) { $0 + $1.paid - $1.refunded }
                #expect(balances["fx:clearing:\(currency.code)"] == open)
                let owed = SystemAccount.receivables.map { balances["\($0.rawValue):\(currency.code)"] ?? 0 }
                #expect(owed.reduce(0, +) == open)
                let won = own.reduce(0) { $0 + $1.won - $1.refundedWon }
                #expect(balances["fx:clearing:\(currency.code):KRW"] == won)
            }
            try await Audit.expectSound(test)
        }
    }

    /// Google takes nothing back.
    private static func isReversible(_ sale: Sale) -> Bool {
        !sale.totals.isEmpty && sale.purchase.payment.gateway == "app-store"
    }

    /// A rate as it is quoted.
    private static func text(_ value: Int64, _ scale: Int) -> String {
        let digits = String(value)
        return "\(digits.dropLast(scale)).\(digits.suffix(scale))"
    }
}
