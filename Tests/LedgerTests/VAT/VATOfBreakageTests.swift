import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// VAT of expired coins and of refund fees, each by its setting: the entries to the won, by `docs/vat.md`.
@Suite(.timeLimit(.minutes(20))) struct VATOfBreakageTests {
    @Test func `coins that expire are a supply, and breakage is booked without its VAT`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            for rule in VATRule.allCases {
                _ = try await ledger.buy(.sample(rule, expiresAt: Self.end))
                _ = try await ledger.submit(Spend.sample("s-\(rule)", by: rule.rawValue, coins: 30))
            }
            try await clock.set(to: Self.end + 1)
            // ₩300 of ₩1,000 were used: of ₩90, 63 are left for breakage.
            #expect(
                try await Self.expire("at_use", ledger, test) == [
                    "coins:deferred-revenue": 700, "revenue:breakage": -637, "tax:vat-payable": -63,
                ])
            // The VAT of the sale stays due, and is no longer paid ahead.
            #expect(
                try await Self.expire("at_sale", ledger, test) == [
                    "coins:deferred-revenue": 700, "revenue:breakage": -637, "tax:vat-deferred": -63,
                ])
            #expect(
                try await Self.expire("exempt", ledger, test) == [
                    "coins:deferred-revenue": 700, "revenue:breakage": -700,
                ])
            #expect(try await test.taxes == [180, 0, 0])
            let report = try await ledger.export(.vat).records
            #expect(
                report.map { [$0["rule"], $0["act"], $0["taxable_supply"], $0["exempt_supply"], $0["output_vat"]] } == [
                    ["at_sale", "purchase", "910", "0", "90"],
                    ["at_use", "expiry", "637", "0", "63"],
                    ["at_use", "spend", "273", "0", "27"],
                    ["exempt", "expiry", "0", "700", "0"],
                    ["exempt", "spend", "0", "300", "0"],
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `breakage of which a part was taxed gives it back in parts`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { taxing, test, clock in
            let plain = try await test.open(vat: .on)
            let purchase = try await taxing.buy(.sample(.atUse, expiresAt: Self.end))
            let hold = sure(try await taxing.submit(PlaceHold.sample(by: "at_use", coins: 40, timeout: 7200)).placed)
                .hold
            try await clock.set(to: Self.end + 1)
            _ = try await Self.expire("at_use", plain, test)  // ₩600 without VAT
            _ = try await taxing.submit(VoidHold.sample(of: hold.id, by: "at_use"))
            #expect(try await Self.expire("at_use", taxing, test)["tax:vat-payable"] == -36)  // ₩400
            // Of ₩1,000, ₩400 were taxed: of ₩250, ₩100.
            for (coins, left) in [(25, 27), (25, 18), (50, 0)] as [(Int64, Int64)] {
                let refund = Self.refund("refund-\(left)", of: purchase, coins: coins)
                _ = try await plain.submit(CompleteRefund.sample(sure(try await plain.submit(refund).begun)))
                #expect(try await test.taxes == [left, 0, 0])
            }
            #expect(try await test.balance(of: .breakage) == 0)
            await plain.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins used after others expired leave the VAT of the whole, with a won of breakage`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            let off = try await test.open()
            _ = try await ledger.buy(
                .sample(1, by: "at_use", coins: 220, bonus: 0, won: 1100, expiresAt: Self.end, vat: .atUse))
            let hold = sure(try await ledger.submit(PlaceHold.sample(by: "at_use", coins: 111, timeout: 7200)).placed)
                .hold
            try await clock.set(to: Self.end + 1)
            #expect(
                try await Self.expire("at_use", ledger, test) == [
                    "coins:deferred-revenue": 545, "revenue:breakage": -496, "tax:vat-payable": -49,
                ])
            // Also where VAT is off, so that the account of breakage was not asked for.
            _ = try await off.submit(CaptureHold.sample(of: hold.id, by: "at_use"))
            #expect(
                try await test.last("capture") == [
                    "coins:deferred-revenue": 555, "revenue:coins": -505, "revenue:breakage": 1, "tax:vat-payable": -51,
                ])
            #expect(try await test.taxes == [100, 0, 0])
            let capture = try await test.number("SELECT max(id) FROM journal_entry WHERE kind = 'capture'")
            let redemption = try #require(try await off.redemptions.find(capture))
            _ = try await off.submit(ReverseRedemption.sample(of: redemption))
            #expect(
                try await test.last("capture_reversal") == [
                    "coins:deferred-revenue": -555, "revenue:coins": 505, "revenue:breakage": -1, "tax:vat-payable": 51,
                ])
            await off.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a claw-back takes back the VAT of what expired`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            let bought = try await ledger.buy(.sample(.atUse, expiresAt: Self.end))
            _ = try await ledger.submit(Spend.sample(by: "at_use", coins: 30))
            try await clock.set(to: Self.end + 1)
            _ = try await Self.expire("at_use", ledger, test)
            _ = try await ledger.submit(ClawBack.sample(of: bought, 500))
            // ₩200 of breakage stay: ₩500 have 45, those used 27.
            #expect(
                try await test.last("claw_back") == [
                    "gateway:receivable": -500, "revenue:breakage": 455, "tax:vat-payable": 45,
                ])
            _ = try await ledger.submit(ClawBack.sample(of: bought, 1000))
            #expect(try await test.taxes == [0, 0, 0])
            #expect(try await test.balance(of: .breakage) == 0)
            #expect(try await test.balance(of: .revenue) == 0)
            try await Audit.expectSound(test)
        }
    }

    /// Coins that are held while their payment is cancelled come back and expire.
    struct Cancelled: Sendable, CustomTestStringConvertible {
        let rule: VATRule
        let coins: Int64
        let won: Int64
        let cancelled: Int64
        /// What is kept in the end, of this purchase and of the one that pays its debt.
        let kept: Int64

        var testDescription: String { "\(rule), \(cancelled) of \(won)" }
    }

    @Test(arguments: [
        Cancelled(rule: .atUse, coins: 100, won: 2200, cancelled: 2200, kept: 2200),
        Cancelled(rule: .atSale, coins: 100, won: 3300, cancelled: 3300, kept: 3300),
        // Less than the price of a coin is cancelled, so there is no debt.
        Cancelled(rule: .atUse, coins: 3, won: 1001, cancelled: 333, kept: 668),
        Cancelled(rule: .atSale, coins: 3, won: 1001, cancelled: 333, kept: 668),
    ])
    func `won that went back have no VAT again when their coins expire`(_ sale: Cancelled) async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            try await Self.expireCancelled(sale, ledger, clock)
            #expect(try await test.taxes == [sale.kept / 11, 0, 0])
            let revenue = try await test.balance(of: .revenue) + test.balance(of: .breakage)
            #expect(revenue == sale.kept - sale.kept / 11)
            let supplied = try await ledger.export(.vat).records.reduce(into: (won: Int64(0), vat: Int64(0))) {
                $0.won += Int64($1["taxable_supply"] ?? "") ?? 0
                $0.vat += Int64($1["output_vat"] ?? "") ?? 0
            }
            #expect(supplied.vat == sale.kept / 11 && supplied.won + supplied.vat == sale.kept)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that are used after others expired can make the VAT of breakage arise`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            let bought = try await ledger.buy(
                .sample(1, coins: 100, bonus: 0, won: 2200, expiresAt: Self.end, vat: .atUse))
            var holds: [Hold] = []
            for key in ["hold-1", "hold-2"] {
                holds.append(sure(try await ledger.submit(PlaceHold.sample(key, coins: 50, timeout: 7200)).placed).hold)
            }
            // More goes back than was recognised; the debt is paid with other coins.
            _ = try await ledger.submit(ClawBack.sample(of: bought, 1100))
            _ = try await ledger.buy(.sample(2, coins: 100, bonus: 0, won: 2200, vat: .atUse))
            _ = try await ledger.submit(VoidHold.sample(of: holds[0].id))
            try await clock.set(to: Self.end + 1)
            try await ledger.expireLots()
            #expect(
                try await test.last("expiry") == ["coins:deferred-revenue": 1100, "revenue:breakage": -1100])
            _ = try await ledger.submit(CaptureHold.sample(of: holds[1].id))
            #expect(
                try await test.last("capture") == [
                    "coins:deferred-revenue": 1100, "revenue:coins": -1100, "revenue:breakage": 100,
                    "tax:vat-payable": -100,
                ])
            #expect(try await test.taxes == [200, 0, 0])
            try await Audit.expectSound(test)
        }
    }

    /// As entries of before migration 0073 did.
    @Test func `the doctor finds VAT that was booked twice`() async throws {
        try await TestLedger.with(at: Self.start, vat: .everything) { ledger, test, clock in
            try await Self.expireCancelled(
                Cancelled(rule: .atUse, coins: 100, won: 2200, cancelled: 2200, kept: 2200), ledger, clock)
            let expiry = "(SELECT id FROM journal_entry WHERE kind = 'expiry')"
            let stripe = "(SELECT stripe FROM journal_entry WHERE kind = 'expiry')"
            for sql in [
                "UPDATE account SET credits = credits + 200 WHERE code = 'tax:vat-payable/' || \(stripe)",
                "UPDATE account SET credits = credits - 200 WHERE code = 'revenue:breakage/' || \(stripe)",
                """
                UPDATE posting SET amount = amount - 200 FROM account
                WHERE account.id = account_id AND code LIKE 'revenue:breakage/%' AND journal_entry_id = \(expiry)
                """,
                """
                INSERT INTO posting (journal_entry_id, account_id, stripe, currency, side, amount, seq, balance)
                SELECT \(expiry), id, stripe, currency, 'C', 200, seq + 1, balance FROM account
                WHERE code = 'tax:vat-payable/' || \(stripe)
                """,
            ] { try await Corruption("vat_misfits_entry", sql).plant(in: test) }
            let found = try await Doctor(try .unhurried(test.serviceURL)).examine().findings
            func detail(_ code: String) -> [String]? {
                found.first { $0.code == code }?.deviations.map(\.detail)
            }
            #expect(detail("vat_payable_differs") == ["balance 400, computed 200"])
            #expect(detail("breakage_differs") == ["balance 2000, computed 2200"])
            #expect(
                detail("vat_misfits_entry") == ["posts 200 payable and 0 paid ahead; its lots have 0 and 0"])
        }
    }

    /// Buys coins, holds them, has the payment cancelled, pays the debt with the coins of a second purchase, and lets the
    /// first ones come back and expire.
    private static func expireCancelled(_ sale: Cancelled, _ ledger: Ledger, _ clock: TestClock) async throws {
        let bought = try await ledger.buy(
            .sample(1, coins: sale.coins, bonus: 0, won: sale.won, expiresAt: end, vat: sale.rule))
        let hold = sure(try await ledger.submit(PlaceHold.sample(coins: sale.coins, timeout: 7200)).placed).hold
        _ = try await ledger.submit(ClawBack.sample(of: bought, sale.cancelled))
        if sale.cancelled == sale.won {
            _ = try await ledger.buy(.sample(2, coins: sale.coins, bonus: 0, won: sale.won, vat: sale.rule))
        }
        _ = try await ledger.submit(VoidHold.sample(of: hold.id))
        try await clock.set(to: end + 1)
        try await ledger.expireLots()
    }

    static let start = Date(timeIntervalSince1970: 1_767_300_000)
    static let end = start + 3600

    /// Lets the user's lot expire, and returns the won of the entry.
    static func expire(_ user: String, _ ledger: Ledger, _ test: TestLedger) async throws -> Won {
        let lot = try await test.number("SELECT id FROM lot WHERE user_id = '\(user)'")
        _ = try await ledger.submit(ExpireLot(user: .named(user), lotID: lot))
        return try await test.last("expiry")
    }

    static func refund(
        _ key: String = "refund", of purchase: Purchase, coins: Int64, fee: Int64 = 0, percent: Int64 = 100,
        method: Refund.Method = .gateway
    ) -> BeginRefund {
        .sample(
            key, of: purchase.id, by: purchase.user, coins: coins, method: method,
            policy: RefundPolicy(feePercent: fee, expired: ExpiredCoinRule(days: 30, percent: percent)))
    }
}

extension VATSettings {
    /// Everything that can have VAT has it.
    static let everything = VATSettings(isBooked: true, taxesBreakage: true, taxesRefundFees: true)
}

extension CreditPurchase {
    /// 100 coins for ₩1,000, by a user who is named as the rule.
    static func sample(_ rule: VATRule, expiresAt: Date?) -> CreditPurchase {
        .sample(
            rule == .atUse ? 1 : rule == .atSale ? 2 : 3, by: rule.rawValue, bonus: 0, expiresAt: expiresAt, vat: rule)
    }
}
