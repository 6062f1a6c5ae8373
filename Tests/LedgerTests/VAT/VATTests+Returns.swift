import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

extension VATTests {
    @Test(arguments: [VATRule.atUse, .atSale])
    func `a reversal takes the VAT back to the won, part by part`(rule: VATRule) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            _ = try await ledger.buy(.sample(bonus: 0, vat: rule))
            let account = rule == .atUse ? "tax:vat-payable" : "tax:vat-deferred"
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            _ = try await ledger.submit(ReverseRedemption.sample("r1", of: spent, coins: 10))
            // ₩200 have 18: 9 of the 27 come back.
            #expect(
                try await test.last("spend_reversal") == [
                    "coins:deferred-revenue": -100, "revenue:coins": 91, account: 9,
                ])
            _ = try await ledger.submit(ReverseRedemption.sample("r2", of: spent))
            #expect(
                try await test.last("spend_reversal") == [
                    "coins:deferred-revenue": -200, "revenue:coins": 182, account: 18,
                ])
            let left: [Int64] = rule == .atUse ? [0, 0, 0] : [90, 90, 0]
            #expect(try await test.taxes == left)
            #expect(try await test.balance(of: .revenue) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [VATRule.atUse, .atSale])
    func `a claw-back takes back the VAT of what was used, in parts too`(rule: VATRule) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let bought = try await ledger.buy(.sample(bonus: 0, vat: rule))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: bought, 300))
            // ₩700 have 63: 27 fall away.
            #expect(
                try await test.last("claw_back") == [
                    "gateway:receivable": -300, "revenue:coins": 273, "tax:vat-payable": 27,
                ])
            _ = try await ledger.submit(ClawBack.sample(of: bought, 1000))
            #expect(
                try await test.last("claw_back") == [
                    "gateway:receivable": -700, "revenue:coins": 637, "tax:vat-payable": 63,
                ])
            #expect(try await test.taxes == [0, 0, 0])
            // The debt of 100 coins is written off: no won, no VAT.
            _ = try await ledger.submit(WriteOffDebt.sample(coins: 40))
            #expect(try await test.last("debt_write_off") == [:])
            // Or paid in won, with VAT; or with coins of another payment, with theirs.
            _ = try await ledger.submit(PayDebtByBank.sample(coins: 20, won: 200))
            #expect(
                try await test.last("debt_bank_payment") == [
                    "bank": 200, "revenue:coins": -182, "tax:vat-payable": -18,
                ])
            _ = try await ledger.buy(.sample(2, bonus: 0))
            #expect(
                try await test.last("debt_payment") == [
                    "coins:deferred-revenue": 400, "revenue:coins": -364, "tax:vat-payable": -36,
                ])
            #expect(try await test.taxes == [54, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [VATRule.atUse, .atSale])
    func `held coins of a payment that went back are recognised later, and nothing is owed then`(
        rule: VATRule
    ) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let bought = try await ledger.buy(.sample(bonus: 0, vat: rule))
            let hold = sure(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            _ = try await ledger.submit(ClawBack.sample(of: bought, 1000))
            var expected: Won = ["gateway:receivable": -1000, "revenue:coins": 1000]
            if rule == .atSale { expected.merge(["tax:vat-payable": 90, "tax:vat-deferred": -90]) { $1 } }
            #expect(try await test.last("claw_back") == expected)
            #expect(try await test.taxes == [0, 0, 0])
            _ = try await ledger.submit(CaptureHold.sample(of: hold.id))
            #expect(try await test.taxes == [0, 0, 0])
            #expect(try await test.balance(of: .revenue) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases)
    func `a dispute that is lost takes the VAT of coins back that are all used`(rule: VATRule) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let bought = try await ledger.buy(.sample(bonus: 0, vat: rule))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            let dispute = try await ledger.submit(RecordDispute.sample(of: bought)).disputed?.dispute
            _ = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))
            #expect(try await test.taxes == [0, 0, 0])
            #expect(try await test.balance(of: .revenue) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [VATRule.atUse, .atSale], ["captured before", "held"])
    func `an agent's capture and a payment that went back leave no VAT, whatever the order`(
        rule: VATRule, _ order: String
    ) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            _ = try await ledger.setTerms("pia", 8000)
            let bought = try await ledger.buy(.sample(bonus: 0, vat: rule))
            let back = ClawBack.sample(of: bought, 1000)
            let hold = sure(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            if order == "held" { _ = try await ledger.submit(back) }
            let captured = try await ledger.submit(CaptureHold.sample(of: hold.id, provider: "pia")).redeemed
            if order != "held" { _ = try await ledger.submit(back) }
            #expect(try await test.taxes == [0, 0, 0])
            _ = try await ledger.submit(ReverseRedemption.sample(of: captured))
            #expect(try await test.taxes == [0, 0, 0])
            #expect(try await test.balance(of: .revenue) + test.balance(of: .commission) == 0)
            #expect(try await ledger.owed("pia") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [VATRule.atUse, .atSale])
    func `a refund by bank transfer, and its reversal, leave the VAT of what was used`(rule: VATRule) async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            let bought = try await ledger.buy(.sample(bonus: 10, vat: rule))
            _ = try await ledger.submit(Spend.sample(coins: 10))  // the bonus coins
            let before = try await test.taxes
            let refund = sure(
                try await ledger.submit(
                    BeginRefund.sample(of: bought.id, feePercent: 10, method: .bankTransfer)
                ).begun)
            // 10 of the 100 paid coins are charged for used bonus coins: ₩100 are a supply, with ₩9.
            let expected: Won =
                rule == .atUse
                ? ["tax:vat-payable": -9] : ["tax:vat-payable": 81, "tax:vat-deferred": -90]
            let same: Won = [
                "coins:deferred-revenue": 1000, "refunds:payable": -810, "revenue:refund-fees": -90,
                "revenue:coins": -91,
            ]
            #expect(try await test.last("refund") == expected.merging(same) { $1 })
            #expect(try await test.taxes == [9, 0, 0])
            _ = try await ledger.submit(ReverseRefund.sample(of: refund))
            #expect(try await test.taxes == before)
            #expect(try await test.balance(of: .revenue) == 0)
            try await Audit.expectSound(test)
        }
    }
}
