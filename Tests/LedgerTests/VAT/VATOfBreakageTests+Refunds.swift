import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

extension VATOfBreakageTests {
    @Test(arguments: VATRule.allCases, [true, false])
    func `expired coins that are refunded take back what was booked, whatever the setting is`(
        rule: VATRule, wasTaxed: Bool
    ) async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { taxing, test, clock in
            let plain = try await test.open(vat: .on)
            let purchase = try await taxing.buy(.sample(rule, expiresAt: Self.end))
            let before = try await test.taxes
            try await clock.set(to: Self.end + 1)
            let expired = try await Self.expire(rule.rawValue, wasTaxed ? taxing : plain, test)
            #expect((expired["revenue:breakage"] == -1000) == (!wasTaxed || rule == .exempt))

            let other = wasTaxed ? plain : taxing
            let refund = sure(
                try await other.submit(Self.refund(of: purchase, coins: 100, percent: 90, method: .bankTransfer)).begun)
            #expect(try await test.last("expiry_reversal") == expired.mapValues(-))
            // The share that is kept is a fee, by the setting of the refund: ₩100 with 9.
            let vat: Int64 = wasTaxed || rule == .exempt ? 0 : 9
            #expect(try await test.last("refund")["revenue:refund-fees"] == -(100 - vat))
            #expect(try await test.taxes == [vat, 0, 0])
            // Reversed, its coins expire again: then by the setting of the process.
            _ = try await taxing.submit(ReverseRefund.sample(of: refund))
            #expect(try await test.last("expiry")["revenue:breakage"] == (rule == .exempt ? -1000 : -910))
            #expect(try await test.taxes == (rule == .exempt ? before : [90, 0, 0]))
            await plain.close()
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases, [Refund.Method.gateway, .bankTransfer])
    func `the fee of a refund has VAT, which the refund keeps`(rule: VATRule, method: Refund.Method) async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { taxing, test, _ in
            let plain = try await test.open()
            let bought = try await taxing.buy(.sample(rule, expiresAt: nil))
            let before = try await test.taxes
            let begun = try await taxing.submit(Self.refund(of: bought, coins: 100, fee: 10, method: method)).begun
            let refund = sure(begun)
            #expect(refund.fee == 100 && refund.amount == 900)
            // Completed by a process without the setting.
            if method == .gateway { _ = try await plain.submit(CompleteRefund.sample(refund)) }
            let vat: Int64 = rule == .exempt ? 0 : 9
            let money = method == .gateway ? "gateway:receivable" : "refunds:payable"
            var expected: Won = ["coins:deferred-revenue": 1000, money: -900, "revenue:refund-fees": vat - 100]
            if rule == .atUse { expected["tax:vat-payable"] = -9 }
            if rule == .atSale { expected.merge(["tax:vat-payable": 81, "tax:vat-deferred": -90]) { $1 } }
            #expect(try await test.last("refund") == expected)
            #expect(try await test.taxes == [vat, 0, 0])
            let fees = try await taxing.export(.vat).records.filter { $0["rule"] == "refund_fees" }
            let row = ["refund", "91", "9"].map(Optional.some)
            #expect(
                fees.map { [$0["act"], $0["taxable_supply"], $0["output_vat"]] } == (rule == .exempt ? [] : [row]))
            if method == .bankTransfer {
                _ = try await plain.submit(ReverseRefund.sample(of: refund))
                #expect(try await test.last("refund_reversal") == expected.mapValues(-))
                #expect(try await test.taxes == before)
                let vatOfFees = try await taxing.export(.vat).records.filter { $0["rule"] == "refund_fees" }
                    .reduce(0) { $0 + (Int64($1["output_vat"] ?? "") ?? 0) }
                #expect(vatOfFees == 0)
            }
            await plain.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund that is refused has no VAT, nor has one begun while the setting was off`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { taxing, test, _ in
            let plain = try await test.open(vat: .on)
            let bought = try await taxing.buy(.sample(.atUse, expiresAt: nil))
            let refused = sure(try await taxing.submit(Self.refund("r1", of: bought, coins: 50, fee: 10)).begun)
            _ = try await taxing.submit(ReleaseRefund.sample(refused))
            #expect(try await test.taxes == [0, 0, 0])
            let begun = sure(try await plain.submit(Self.refund("r2", of: bought, coins: 50, fee: 10)).begun)
            _ = try await taxing.submit(CompleteRefund.sample(begun))
            #expect(try await test.last("refund")["revenue:refund-fees"] == -50)
            #expect(try await test.taxes == [0, 0, 0])
            // Coins that were sold while VAT was off have none in their fee.
            let off = try await test.open()
            let old = try await off.buy(.sample(7, by: "old", bonus: 0))
            let untaxed = sure(try await taxing.submit(Self.refund("r3", of: old, coins: 100, fee: 10)).begun)
            _ = try await taxing.submit(CompleteRefund.sample(untaxed))
            let entry = try await test.number("SELECT reversal_entry_id FROM refund WHERE id = \(untaxed.id)")
            #expect(try await test.won(of: entry)["revenue:refund-fees"] == -100)
            #expect(try await test.taxes == [0, 0, 0])
            for ledger in [plain, off] { await ledger.close() }
            try await Audit.expectSound(test)
        }
    }
}
