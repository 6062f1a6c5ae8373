import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Grants that are taken back.
@Suite(.timeLimit(.minutes(20))) struct VoidGrantTests {
    /// The lot of a grant of 50 coins to ann.
    private static func granted(_ ledger: Ledger, _ key: String = "grant", coins: Int64 = 50) async throws -> Lot? {
        let granted = try #require(try await ledger.submit(Grant.sample(key, coins: coins)).granted)
        return try await ledger.lots.ofGrant(granted.journalEntryID)
    }

    @Test func `a void takes what the wallet has, and no figure of use changes`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            _ = try await ledger.submit(Spend.sample(coins: 10))
            _ = try await ledger.submit(PlaceHold.sample(coins: 15))
            let part = try #require(try await ledger.submit(VoidGrant.sample(of: lot, coins: 5)).success)
            #expect(part.coins == 5 && part.left == 20 && part.held == 15 && part.balance.available == 20)
            let rest = try #require(try await ledger.submit(VoidGrant.sample("rest", of: lot)).success)
            #expect(rest.coins == 20 && rest.left == 0 && rest.held == 15 && rest.balance.available == 0)
            #expect(try await test.total("coins:promotions") == 25)
            #expect(try await test.total("coins:redeemed") == 10)
            #expect(try await test.total("coins:expired") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `more than the wallet has is refused whole, with what is held, and can be voided later`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 30)).placed)
            let much = VoidGrant.sample(of: lot, coins: 21)
            #expect(
                try await ledger.submit(much).refusal == .exceedsGrant(required: 21, available: 20, held: 30))
            _ = try await ledger.submit(VoidHold.sample(of: held.hold.id))
            #expect(try await ledger.submit(much).success?.left == 29)
            _ = try await ledger.submit(VoidGrant.sample("rest", of: lot))
            #expect(
                try await ledger.submit(VoidGrant.sample("none", of: lot)).refusal
                    == .exceedsGrant(required: 1, available: 0, held: 0))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a void is of what the person saw, of a grant, and of no purchase`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            #expect(
                try await ledger.submit(VoidGrant.sample(of: lot, terms: VoidTerms(available: 49))).refusal
                    == .changedMeanwhile)
            _ = try await ledger.credit(.sample())
            let bought = try #require(
                try await ledger.lots.list(of: .named("ann"), .bonus, limit: 10).elements.first { $0.purchaseID != nil }
            )
            #expect(try await ledger.submit(VoidGrant.sample("bought", of: bought)).refusal == .noSuchGrant)
            #expect(try await ledger.lots.ofGrant(bought.journalEntryID) == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what comes back after a void of all is voided in the same act, and pays no debt`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(VoidGrant.sample(of: lot))
            _ = try await ledger.submit(Spend.sample("all", coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            let back = try #require(
                try await ledger.submit(ReverseRedemption.sample(of: spent, coins: 15)).reversed)
            #expect(back.coins == 15 && back.balance.total == 0 && back.balance.debt == 100)
            #expect(try await test.total("coins:promotions") == 5)
            let voids = "SELECT count(*) FROM grant_void WHERE reversal_id = \(back.journalEntryID) AND coins = 15"
            #expect(try await test.number(voids) == 1)
            #expect(try await ledger.lots.ofGrant(sure(lot).journalEntryID)?.remaining == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what comes back after a void of a part stays`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            _ = try await ledger.submit(VoidGrant.sample(of: lot, coins: 30))
            #expect(try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed?.balance.available == 20)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins whose time is up expire, and are not voided`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let granted = try await ledger.submit(Grant.sample(coins: 50, expiresAt: start + 3600)).granted
            let entry = sure(granted).journalEntryID
            let lot = try await ledger.lots.ofGrant(entry)
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            #expect(try await ledger.submit(VoidGrant.sample("part", of: lot, coins: 10)).success?.left == 20)
            var found = try #require(try await ledger.lots.voidable(entry))
            #expect(found.available == 20 && found.voided == 10)
            // Nobody has expired the lot yet.
            try await clock.set(to: start + 3600)
            found = try #require(try await ledger.lots.voidable(entry))
            #expect(found.available == 0 && found.lot.remaining == 20)
            #expect(
                try await ledger.submit(VoidGrant.sample(of: lot)).refusal
                    == .exceedsGrant(required: 1, available: 0, held: 0))
            try await ledger.expireLots()
            #expect(try await test.total("coins:expired") == 20)
            #expect(try await test.total("coins:promotions") == 40)
            // What comes back can be used for a time, and voided.
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent, coins: 8, grace: 600))
            #expect(try await ledger.submit(VoidGrant.sample("rest", of: lot)).success?.coins == 8)
            // After that it is voided at once, and the lot's time is not longer for it.
            _ = try await ledger.submit(ReverseRedemption.sample("later", of: spent, coins: 12, grace: 600))
            found = try #require(try await ledger.lots.voidable(entry))
            #expect(found.available == 0 && found.voided == 18 && found.lot.remaining == 0)
            #expect(try await test.total("coins:promotions") == 20)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a key voids one grant, in one way, once`() async throws {
        try await TestLedger.with { ledger, test in
            let (lot, other) = (try await Self.granted(ledger), try await Self.granted(ledger, "other"))
            let first = try await ledger.submit(VoidGrant.sample(of: lot, coins: 5))
            let again = try await ledger.submit(VoidGrant.sample(of: lot, coins: 5))
            #expect(again.isRepeat && again.success == first.success)
            for void in [
                VoidGrant.sample(of: lot), .sample(of: lot, coins: 6), .sample(of: other, coins: 5),
                VoidGrant(idempotencyKey: .named("grant-void-1"), of: sure(lot), coins: Coins(5), reason: "another"),
            ] {
                #expect(try await ledger.submit(void).refusal == .idempotencyKeyReused)
            }
            #expect(try await ledger.balances.find(of: .named("ann")).total == 95)
            try await Audit.expectSound(test)
        }
    }

    @Test func `many at once void no more than was given, and each key once`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let answers = try await together(60) { number in
                // Each key twice.
                try await ledger.submit(VoidGrant.sample("key-\(number / 2)", of: lot, coins: 7))
            }
            #expect(answers.count { $0.success != nil && !$0.isRepeat } == 7)
            #expect(answers.count { $0.success != nil } == 14)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `voids race with spends and reversals, and the books stay sound`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            _ = try await together(30) { number in
                switch number % 3 {
                case 0: _ = try await ledger.submit(Spend.sample("spend-\(number)", coins: 2))
                case 1: _ = try await ledger.submit(ReverseRedemption.sample("back-\(number)", of: spent, coins: 2))
                default:
                    let coins: Int64? = number == 14 ? nil : 3
                    _ = try await ledger.submit(VoidGrant.sample("void-\(number)", of: lot, coins: coins))
                }
            }
            try await Audit.expectSound(test)
        }
    }

    /// What a service that was taken over writes.
    struct Forged: Sendable {
        let name: String
        var lots = "purchase_id IS NULL"
        /// The coins that leave the lot, and those that the void tells.
        var coins = (taken: 5, told: 5)
        var isWhole = false
        /// The entry that it names as the grant's, and the one by which the coins came back.
        var entries = (reverses: "journal_entry_id", reversal: "NULL")

        static let all = [
            Forged(name: "of a purchase's coins", lots: "purchase_id IS NOT NULL"),
            Forged(name: "of coins that were given", lots: "origin_id IS NOT NULL"),
            Forged(name: "of more than leaves the lot", coins: (5, 6)),
            Forged(name: "of all, while some stay", isWhole: true),
            Forged(name: "of another entry", entries: ("(SELECT journal_entry_id FROM purchase)", "NULL")),
            Forged(name: "of what did not come back", entries: ("journal_entry_id", "journal_entry_id")),
        ]
    }

    @Test func `the database refuses a forged void`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.granted(ledger)
            _ = try await ledger.credit(.sample())
            _ = try await ledger.submit(Grant.sample("meet", to: "bob", coins: 10))
            _ = try await ledger.submit(Gift.sample(from: "bob", to: "ann", coins: 10))
            for forged in Forged.all {
                let (lots, (taken, told)) = (forged.lots, forged.coins)
                let lot = "(SELECT min(id) FROM lot WHERE user_id = 'ann' AND kind = 'bonus' AND \(lots))"
                let service = try await test.connectAsService()
                let refused = try await service.refusal(
                    ofTransaction: """
                        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
                        SELECT 900001, stripe, 'grant_void', 'lot:' || id, now(), now(), \(forged.entries.reverses)
                        FROM lot WHERE id = \(lot);
                        \(Forgery.post("wallet:ann:bonus", "coins:promotions/*", taken))
                        INSERT INTO lot_movement (lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired,
                            breakage, returned_at, recorded_at)
                        SELECT id, seq + 1, stripe, 900001, remaining - \(taken), held, deferred, expired, breakage,
                            returned_at, now()
                        FROM lot WHERE id = \(lot);
                        INSERT INTO grant_void (journal_entry_id, lot_id, coins, is_whole, reversal_id)
                        SELECT 900001, id, \(told), \(forged.isWhole), \(forged.entries.reversal) FROM lot WHERE id = \(lot);
                        """)
                await service.close()
                #expect(
                    refused?.constraint == "grant_void_fits_lot",
                    "\(forged.name): \(refused?.description ?? "was done")")
            }
        }
    }

    @Test func `the database refuses coins that come back into a voided lot and stay`() async throws {
        try await TestLedger.with { ledger, test in
            let lot = try await Self.granted(ledger)
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            _ = try await ledger.credit(.sample())
            _ = try await ledger.submit(VoidGrant.sample(of: lot))
            let (lotID, spend) = (sure(lot).id, sure(spent).id)
            let service = try await test.connectAsService()
            let refused = try await service.refusal(
                ofTransaction: """
                    INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
                    SELECT 900001, stripe, 'spend_reversal', 'spend:\(spend)', now(), now(), \(spend)
                    FROM lot WHERE id = \(lotID);
                    \(Forgery.post("coins:redeemed/*", "wallet:ann:bonus"))
                    INSERT INTO lot_movement (lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired,
                        breakage, returned_at, recorded_at)
                    SELECT id, seq + 1, stripe, 900001, remaining + 5, held, deferred, expired, breakage, now(), now()
                    FROM lot WHERE id = \(lotID);
                    INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount)
                    VALUES (900001, \(lotID), \(spend), 5, 0);
                    """)
            await service.close()
            #expect(refused?.constraint == "coin_return_fits_redemption", "\(refused?.description ?? "was done")")
        }
    }
}
