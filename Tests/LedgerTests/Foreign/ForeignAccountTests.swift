import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// The accounts of foreign currencies, and how they are exported.
@Suite(.timeLimit(.minutes(20))) struct ForeignAccountTests {
    private static let dollar = ForeignCurrency.named("USD")

    @Test func `an account of a foreign currency is known by its name, and no other is`() {
        let names = ForeignAccount.all(of: Self.dollar).map(\.name)
        #expect(
            names == [
                "gateway:receivable:USD", "app-store:receivable:USD", "google-play:receivable:USD", "fx:clearing:USD",
                "fx:clearing:USD:KRW", "fx:gain:USD", "fx:loss:USD", "fx:unrealised:USD",
            ])
        #expect(names.map { ForeignAccount($0)?.name } == names)
        for account in SystemAccount.allCases { #expect(ForeignAccount(account.rawValue) == nil) }
        let others = [
            "", "fx:clearing", "fx:clearing:KRW", "fx:clearing:usd", "fx:clearing:ZZZ", "fx:clearing:USD:JPY",
            "bank:USD",
            "fx:clearing:USD:KRW:", "app-store:receivable:USD:KRW", "wallet:USD:paid", "coins:deferred-revenue:USD",
        ]
        for other in others { #expect(ForeignAccount(other) == nil, "\(other)") }
        #expect(BookAccount.named("fx:clearing:USD:KRW")?.currency == .won)
        #expect(BookAccount.named("app-store:receivable:USD")?.english == "Due from the App Store, USD")
    }

    @Test func `the first rate of a currency opens its accounts in every stripe, once`() async throws {
        try await TestLedger.with { ledger, test in
            let codes = PostgresQuery<[String]>(
                "SELECT code FROM account WHERE currency NOT IN ('KRW', 'COIN') OR code LIKE 'fx:%'"
            ) { row in try row[0] }
            func opened() async throws -> Set<String> {
                let connection = try await test.connectAsOwner()
                let found = try await connection.run(codes)
                await connection.close()
                return Set(found)
            }
            #expect(try await opened() == [])
            try await ledger.publish("1387.40")
            let stripes = try await test.number("SELECT stripes FROM ledger")
            func expected(_ currencies: [String]) -> Set<String> {
                Set(
                    currencies.flatMap { code in
                        ForeignAccount.all(of: .named(code)).flatMap { account in
                            (0..<stripes).map { AccountCode.foreign(account, Stripe(number: $0)).rawValue }
                        }
                    })
            }
            #expect(try await opened() == expected(["USD"]))
            try await ledger.publish("1390", on: sure(CivilDate(year: 2026, month: 1, day: 2)))
            try await ledger.publish("951", per: 100, of: "JPY")
            #expect(try await opened() == expected(["USD", "JPY"]))
            try await Audit.expectSound(test)
        }
    }

    /// Whatever the parts are, they add up to all of the won, and none is below zero.
    @Test func `what goes back of a payment adds up to its won`() throws {
        var random = SplitMix64(seed: 39)
        for _ in 0..<2_000 {
            let paid = Int64.random(in: 1...1_000_000_000_000_000, using: &random)
            let won = Int64.random(in: 1...Price.highest, using: &random)
            let purchase = Purchase.sample(won: won, paying: paid)
            var (cancelled, sum): (Int64, Int64) = (0, 0)
            while cancelled < paid {
                let next = Bool.random(using: &random) ? paid : Int64.random(in: (cancelled + 1)...paid, using: &random)
                let part = purchase.worth(ofCancelled: next) - purchase.worth(ofCancelled: cancelled)
                #expect(part >= 0)
                (cancelled, sum) = (next, sum + part)
            }
            #expect(sum == won && purchase.worth(ofCancelled: paid + 1) == won)
        }
    }

    @Test func `accounting programs get dollars with their cents, and the commodity before its first use`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let before = try await ledger.export(.journal, [.format: "hledger"]).text
            #expect(!before.contains("USD"))
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(at: rate))
            let hledger = try await ledger.export(.journal, [.format: "hledger"]).text
            for line in [
                "\ncommodity 1000.00 USD\n", "    app-store:receivable:USD  0.99 USD\n",
                "    fx:clearing:USD  -0.99 USD\n",
                "    fx:clearing:USD:KRW  1374 KRW\n", "account app-store:receivable:USD  ; type:A\n",
            ] { #expect(hledger.contains(line), "\(line)") }
            #expect(hledger.ranges(of: "commodity 1000.00 USD").count == 1)
            let beancount = try await ledger.export(.journal, [.format: "beancount"]).text
            #expect(beancount.contains("1900-01-01 commodity USD\n"))
            #expect(beancount.contains("    Assets:App-store:Receivable:USD  0.99 USD\n"))
        }
    }

    @Test func `the report of foreign payments has both amounts and the rate`() async throws {
        try await TestLedger.with { ledger, _ in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(paying: 297, at: rate, coins: 300))
            _ = try await ledger.buy(.sample(2, by: "bob"))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 99))
            let row = try #require(try await ledger.export(.foreignPayments).records.first)
            #expect(row["foreign_amount"] == "297" && row["foreign_refunded"] == "99")
            #expect(row["foreign_currency"] == "USD" && row["rate"] == "1387.40" && row["per"] == "1")
            #expect(row["amount"] == "4121" && row["refunded_amount"] == "1373" && row["currency"] == "KRW")
            #expect(row["rate_day"] == "2025-12-31" && row["rate_source"] == "test")
            #expect(try await ledger.export(.foreignPayments).records.count == 1)
            #expect(Set(try await ledger.export(.purchases).records.map { $0["amount"] }) == ["4121", "1000"])
        }
    }
}

extension Purchase {
    /// A purchase of so many won, which are the worth of what was paid.
    static func sample(won: Int64, paying paid: Int64) -> Purchase {
        Purchase(
            id: 1, status: .credited, user: .named("ann"), payment: .sampleInStore(), product: "coins_100", amount: won,
            currency: .won, coins: 100, bonusCoins: 0, refundedAmount: 0, paidAt: Date(timeIntervalSince1970: 0),
            creditedAt: Date(timeIntervalSince1970: 0), journalEntryID: 2, foreignAmount: paid,
            foreignCurrency: .named("USD"), rateID: 3, foreignRefunded: 0)
    }
}
