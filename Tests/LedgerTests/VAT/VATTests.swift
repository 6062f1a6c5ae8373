import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// The entries of acts with VAT, to the won, by the rules of `docs/vat.md`.
@Suite(.timeLimit(.minutes(20))) struct VATTests {
    @Test func `a use books revenue without its VAT, and the parts add up to the VAT of the price`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 10))
            #expect(
                try await test.won(of: purchase.journalEntryID) == [
                    "gateway:receivable": 1000, "coins:deferred-revenue": -1000,
                ])
            // 10 bonus coins carry no won. ₩300 have ⌊300/11⌋ = 27; ₩600 have 54, ₩1,000 have 90.
            let first = try await ledger.submit(Spend.sample("s1", coins: 40)).spent
            #expect(
                try await test.won(of: sure(first).journalEntryID) == [
                    "coins:deferred-revenue": 300, "revenue:coins": -273, "tax:vat-payable": -27,
                ])
            _ = try await ledger.submit(Spend.sample("s2", coins: 30))
            #expect(
                try await test.last("spend") == [
                    "coins:deferred-revenue": 300, "revenue:coins": -273, "tax:vat-payable": -27,
                ])
            let third = try await ledger.submit(Spend.sample("s3", coins: 40))
            let last: Won = ["coins:deferred-revenue": 400, "revenue:coins": -364, "tax:vat-payable": -36]
            #expect(try await test.last("spend") == last)
            // A repeat books nothing.
            #expect(try await ledger.submit(Spend.sample("s3", coins: 40)).spent == third.spent)
            #expect(try await test.taxes == [90, 0, 0])
            #expect(try await test.balance(of: .revenue) == 910)
            try await Audit.expectSound(test)
        }
    }

    @Test func `VAT that arises at the sale is paid ahead, and falls away with what goes back or expires`() async throws
    {
        try await TestLedger.with(at: Self.start, vat: .on) { ledger, test, clock in
            let end = Self.start + 3600
            let purchase = try await ledger.buy(.sample(bonus: 0, expiresAt: end, vat: .atSale))
            #expect(
                try await test.won(of: purchase.journalEntryID) == [
                    "gateway:receivable": 1000, "coins:deferred-revenue": -1000, "tax:vat-deferred": 90,
                    "tax:vat-payable": -90,
                ])
            _ = try await ledger.submit(Spend.sample(coins: 30))
            #expect(
                try await test.last("spend") == [
                    "coins:deferred-revenue": 300, "revenue:coins": -273, "tax:vat-deferred": -27,
                ])
            let refund = sure(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 20, feePercent: 10)).begun)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            // ₩800 stay, with ₩72: 18 fall away, and none of them for the fee.
            #expect(
                try await test.last("refund") == [
                    "coins:deferred-revenue": 200, "gateway:receivable": -180, "revenue:refund-fees": -20,
                    "tax:vat-deferred": -18, "tax:vat-payable": 18,
                ])
            #expect(try await test.taxes == [72, 45, 0])
            try await clock.set(to: end + 1)
            let lot = try await test.number("SELECT id FROM lot")
            _ = try await ledger.submit(ExpireLot(user: .named("ann"), lotID: lot))
            #expect(
                try await test.last("expiry") == [
                    "coins:deferred-revenue": 500, "revenue:breakage": -500, "tax:vat-deferred": -45,
                    "tax:vat-payable": 45,
                ])
            #expect(try await test.taxes == [27, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that expire unused, and exempt ones, have no VAT`() async throws {
        try await TestLedger.with(at: Self.start, vat: .on) { ledger, test, clock in
            let end = Self.start + 3600
            _ = try await ledger.buy(.sample(bonus: 0, expiresAt: end))
            _ = try await ledger.buy(.sample(2, by: "bob", bonus: 0, vat: .exempt))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 30))
            #expect(try await test.last("spend") == ["coins:deferred-revenue": 300, "revenue:coins": -300])
            try await clock.set(to: end + 1)
            let lot = try await test.number("SELECT id FROM lot WHERE user_id = 'ann'")
            _ = try await ledger.submit(ExpireLot(user: .named("ann"), lotID: lot))
            #expect(try await test.last("expiry") == ["coins:deferred-revenue": 1000, "revenue:breakage": -1000])
            #expect(try await test.taxes == [0, 0, 0])
            let report = try await ledger.export(.vat).records
            #expect(report.map { $0["exempt_supply"] } == ["300"])
            try await Audit.expectSound(test)
        }
    }

    private static let start = Date(timeIntervalSince1970: 1_767_300_000)

    @Test func `the rule of the sale stays when the setting changes, and off is as before`() async throws {
        try await TestLedger.withDatabase { test in
            let off = try await test.open()
            let on = try await test.open(vat: .on)
            let old = try await off.buy(.sample(1, by: "old", bonus: 0, vat: .atSale))
            _ = try await on.buy(.sample(2, by: "new", bonus: 0))
            _ = try await on.buy(.sample(3, by: "ahead", bonus: 0, vat: .atSale))
            #expect(
                try await test.won(of: old.journalEntryID) == [
                    "gateway:receivable": 1000, "coins:deferred-revenue": -1000,
                ])
            let untaxed = try await on.submit(Spend.sample("s1", by: "old", coins: 30)).spent
            #expect(
                try await test.won(of: sure(untaxed).journalEntryID) == [
                    "coins:deferred-revenue": 300, "revenue:coins": -300,
                ])
            let used = try await off.submit(Spend.sample("s2", by: "new", coins: 30)).spent
            #expect(
                try await test.won(of: sure(used).journalEntryID) == [
                    "coins:deferred-revenue": 300, "revenue:coins": -273, "tax:vat-payable": -27,
                ])
            let ahead = try await off.submit(Spend.sample("s3", by: "ahead", coins: 30)).spent
            #expect(
                try await test.won(of: sure(ahead).journalEntryID) == [
                    "coins:deferred-revenue": 300, "revenue:coins": -273, "tax:vat-deferred": -27,
                ])
            #expect(try await test.number("SELECT count(*) FROM lot WHERE vat IS NULL AND taxed = 0") == 1)
            await off.close()
            await on.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `an agent has VAT of the commission, a principal of the whole`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            try await ledger.setTerms("agnes", 8000)
            try await ledger.setTerms("paul", 8000, .principal)
            _ = try await ledger.buy(.sample(bonus: 0))
            let captured = try await ledger.capture("c1", 50, for: "agnes")
            #expect(
                try await test.last("capture") == [
                    "coins:deferred-revenue": 500, "payable:agnes": -400, "revenue:commission": -91,
                    "tax:vat-payable": -9,
                ])
            _ = try await ledger.submit(ReverseRedemption.sample("r1", of: captured, coins: 25))
            // Of the commission ₩50 stay, with ₩4.
            #expect(
                try await test.last("capture_reversal") == [
                    "coins:deferred-revenue": -250, "payable:agnes": 200, "revenue:commission": 45,
                    "tax:vat-payable": 5,
                ])
            _ = try await ledger.submit(ReverseRedemption.sample("r2", of: captured))
            #expect(try await test.taxes == [0, 0, 0])
            #expect(try await test.balance(of: .commission) == 0)
            _ = try await ledger.capture("c2", 50, for: "paul")
            #expect(
                try await test.last("capture") == [
                    "coins:deferred-revenue": 500, "revenue:coins": -455, "tax:vat-payable": -45,
                    "cost:providers": 400, "payable:paul": -400,
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `the tax of a gateway's fee is input VAT, and corrections take it back`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            _ = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.settlements.book(.sample([("imp_1", 1000, 30, 3, "2026-11-20")]), by: "kim")
            #expect(
                try await test.last("settlement") == [
                    "bank": 967, "gateway:fees": 30, "tax:vat-input": 3, "gateway:receivable": -1000,
                ])
            _ = try await ledger.settlements.book(
                .sample([("imp_1", -1000, -30, -3, "2026-11-21")], named: "b.csv"), by: "kim")
            #expect(try await test.taxes == [0, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the gateway says of VAT is kept with the purchase`() async throws {
        try await TestLedger.with { ledger, test in
            let bought = try await ledger.buy(.sample(1, taxFree: 400))
            #expect(try await ledger.purchases.find(bought.id)?.taxFree == 400)
            #expect(try await ledger.buy(.sample(2)).taxFree == nil)
            let refused = await ledger.result(CreditPurchase.sample(3, taxFree: 1001)).failure
            #expect(refused != nil, "more than was paid")
            try await Audit.expectSound(test)
        }
    }

    @Test func `forty spends at once owe the VAT of what they used`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            for number in 0..<4 {
                let rule: VATRule = number < 2 ? .atUse : .atSale
                _ = try await ledger.buy(.sample(number, by: "user-\(number)", bonus: 0, won: 9_999, vat: rule))
            }
            _ = try await together(80) { number in
                try await ledger.submit(Spend.sample("s\(number / 2)", by: "user-\(number % 8 / 2)", coins: 7))
            }
            // 10 spends of each user, ₩6,999: 636 of the 909 twice, and 909 of which 273 are paid ahead twice.
            #expect(try await test.taxes == [3090, 546, 0])
            try await Audit.expectSound(test)
        }
    }

    @Test func `the report adds up to the entries of its period`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            try await ledger.oweVAT()
            let export = try await ledger.export(.vat)
            func sum(_ column: String) -> Int64 {
                let amounts = export.records.map { Int64($0[column] ?? "") ?? 0 }
                return amounts.reduce(0, +)
            }
            let taxes = try await test.taxes
            #expect(sum("output_vat") == taxes[0])
            #expect(taxes[0] > 0 && taxes[2] == 30)
            #expect(sum("input_vat") == 30)
            #expect(sum("taxable_purchases") == 300)
            let supplied = try await test.number(
                """
                SELECT sum(CASE vat WHEN 'at_sale' THEN taxed + deferred ELSE taxed END)::int8 + 500 FROM lot
                WHERE vat IN ('at_use', 'at_sale')
                """)
            #expect(sum("taxable_supply") + sum("output_vat") == supplied)
            let exempt = try await test.number("SELECT sum(taxed)::int8 FROM lot WHERE vat = 'exempt'")
            #expect(sum("exempt_supply") == exempt)
            #expect(try await ledger.export(.vat, [.to: "2020-01-01"]).records.isEmpty)
            try await Audit.expectSound(test)
        }
    }
}
