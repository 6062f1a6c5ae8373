import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Consents to automatic top-up, and what becomes of their charges in the books.
@Suite(.timeLimit(.minutes(20))) struct TopUpTests {
    private static let seoul = sure(TimeZone(name: "Asia/Seoul"))
    static let coins100 = ProductDraft(
        code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
        bonusCoins: nil)

    static func draft(
        _ user: String = "ann", key: String = "card-1", below: Int64 = 50, won: Int64 = 5000
    ) -> TopUpDraft {
        TopUpDraft(
            user: .named(user), gateway: "portone-v1", billingKey: key, product: "coins_100",
            threshold: sure(Coins(below)), monthlyLimit: won, setBy: "shop")
    }

    /// A ledger in which ann has 110 coins and agreed to a top-up below 50.
    static func withConsent(
        won: Int64 = 5000, _ body: (Ledger, TestLedger) async throws -> Void
    ) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.products.add(coins100)
            _ = try await ledger.credit(.sample(1))
            try await ledger.topUps.agree(to: draft(won: won))
            try await body(ledger, test)
            try await Audit.expectSound(test)
        }
    }

    static func due(_ ledger: Ledger) async throws -> [PendingTopUp] {
        try await ledger.pendingTopUps.takeDue(limit: 10, lease: PendingTopUp.lease)
    }

    static func ask(
        _ ledger: Ledger, _ pending: PendingTopUp, mostADay: Int = 3
    ) async throws -> PendingTopUp.Asking? {
        try await ledger.pendingTopUps.beginAsking(pending, in: seoul, mostADay: mostADay)
    }

    /// The payment of the order that was asked for.
    static func paid(_ asking: PendingTopUp.Asking, number: Int = 7) -> CreditPurchase {
        .sample(number, merchantUID: asking.merchantUID, bonus: 0)
    }

    static func told(_ ledger: Ledger) async throws -> [String] {
        try await ledger.events.publisher.publish()
        return try await ledger.events.everything(limit: 1000).map(\.type.rawValue).filter { $0.hasPrefix("top_up.") }
    }

    static func statuses(_ ledger: Ledger) async throws -> [String] {
        try await ledger.topUps.charges(of: .named("ann"), limit: 100).reversed()
            .map { "\($0.status) \($0.reason)" }
    }

    @Test func `a spend below the threshold starts one charge, whose payment is credited to its order`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 60))  // 50
            #expect(try await Self.due(ledger).isEmpty, "to reach the threshold starts nothing")
            let spend = Spend.sample("b", coins: 1)
            _ = try await ledger.submit(spend)  // 49
            _ = try await ledger.submit(spend)
            _ = try await ledger.submit(Spend.sample("c", coins: 1))  // 48
            let due = try await Self.due(ledger)
            #expect(due.count == 1 && due[0].askedAt == nil && due[0].gateway == "portone-v1")
            let asking = try #require(try await Self.ask(ledger, due[0]))
            #expect(asking.merchantUID.hasPrefix("topup-") && asking.merchantUID.count == 38)
            #expect(asking.amount == 1000 && asking.title == "100 Coin")
            #expect(asking.billingKey == "card-1")
            #expect(try await Self.ask(ledger, due[0]) == nil, "it is asked for once")
            _ = try await ledger.credit(Self.paid(asking))
            #expect(try await ledger.pendingTopUps.decision(of: due[0]) == .credited)
            #expect(try await Self.told(ledger) == ["top_up.agreed", "top_up.credited"])
            let charge = try #require(try await ledger.topUps.charges(of: .named("ann"), limit: 1).first)
            #expect(charge.amount == 1000 && charge.purchaseID != nil)
        }
    }

    @Test func `only spends and captures start a charge`() async throws {
        try await Self.withConsent { ledger, _ in
            let hold = try await ledger.submit(PlaceHold.sample("a", coins: 70)).placed  // 40
            _ = try await ledger.submit(Grant.sample("b", coins: 1))
            #expect(try await Self.due(ledger).isEmpty, "a hold may be voided")
            _ = try await ledger.submit(CaptureHold.sample("c", of: sure(hold).hold.id, coins: 10, isFinal: false))
            #expect(try await Self.due(ledger).count == 1)
        }
    }

    @Test func `what never reached the gateway is asked for again, for the same order`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            let first = try #require(try await Self.ask(ledger, pending))
            try await ledger.pendingTopUps.wasNotAsked(pending, at: first.at.addingTimeInterval(-1))
            #expect(try await Self.ask(ledger, pending) == nil, "another request's time")
            try await ledger.pendingTopUps.wasNotAsked(pending, at: first.at)
            _ = try await ledger.products.change("coins_100") { product in
                product.price = sure(Price(won: 1200))
                product.vat = .exempt
            }
            let second = try #require(try await Self.ask(ledger, pending))
            #expect(second.merchantUID == first.merchantUID && second.amount == 1000)
            #expect(second.vat == .atUse, "the order's, not the product's")
        }
    }

    @Test func `a charge of an exempt product is exempt`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.products.change("coins_100") { $0.vat = .exempt }
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, pending)?.vat == .exempt)
        }
    }

    @Test func `a revoked consent starts nothing, and a charge under way is credited and told`() async throws {
        try await Self.withConsent { ledger, test in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            let asking = try #require(try await Self.ask(ledger, pending))
            #expect(try await ledger.topUps.revoke(of: .named("ann"), by: "shop"))
            #expect(try await !ledger.topUps.revoke(of: .named("ann"), by: "shop"))
            #expect(try await test.number("SELECT count(*) FROM top_up WHERE billing_key IS NOT NULL") == 0)
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            #expect(try await Self.statuses(ledger) == ["waiting started"])
            _ = try await ledger.credit(Self.paid(asking))
            #expect(try await Self.statuses(ledger) == ["credited paid"])
            #expect(try await Self.told(ledger) == ["top_up.agreed", "top_up.revoked", "top_up.credited"])
            #expect(try await ledger.topUps.find(of: .named("ann"))?.status == .revoked)
        }
    }

    @Test func `a revocation drops a charge that was not asked for, also one that is withdrawn later`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let dropped = try #require(try await Self.due(ledger).first)
            _ = try await ledger.topUps.revoke(of: .named("ann"), by: "shop")
            #expect(try await Self.ask(ledger, dropped) == nil)
            try await ledger.topUps.agree(to: Self.draft(key: "card-2"))
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            let asked = try #require(try await Self.due(ledger).first)
            let asking = try #require(try await Self.ask(ledger, asked))
            #expect(asking.billingKey == "card-2")
            _ = try await ledger.topUps.revoke(of: .named("ann"), by: "shop")
            try await ledger.pendingTopUps.wasNotAsked(asked, at: asking.at)
            #expect(try await Self.statuses(ledger) == ["dropped revoked", "dropped revoked"])
        }
    }

    @Test func `a charge that has not been asked for when the consent is paused is dropped`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            #expect(try await ledger.topUps.pause(of: .named("ann"), because: "away", by: "kim"))
            #expect(try await !ledger.topUps.pause(of: .named("ann"), because: "again", by: "kim"))
            #expect(try await Self.ask(ledger, pending) == nil)
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            #expect(try await Self.statuses(ledger) == ["dropped paused"])
            #expect(try await ledger.topUps.find(of: .named("ann"))?.reason == "away")
            try await ledger.topUps.agree(to: Self.draft())
            #expect(try await ledger.topUps.find(of: .named("ann"))?.reason == "away", "a repeat resumes nothing")
            try await ledger.topUps.agree(to: Self.draft(below: 51))
            #expect(try await ledger.topUps.find(of: .named("ann"))?.status == .active)
        }
    }

    @Test func `a charge that was started beside the failure of another waits out its rest`() async throws {
        try await Self.withConsent { ledger, test in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            // The spend's look came first, and its charge after the failure.
            try await test.execute("UPDATE top_up SET rests_until = now() + interval '1 hour'")
            #expect(try await Self.ask(ledger, pending) == nil)
            #expect(try await Self.statuses(ledger) == ["dropped rests"])
        }
    }

    @Test func `a debt that swallows the coins pauses it, and one that is there is not charged for`() async throws {
        try await Self.withConsent { ledger, _ in
            let purchase = CreditPurchase.sample(1)
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            let asking = try #require(try await Self.ask(ledger, pending))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.credit(Self.paid(asking))
            let paused = try await ledger.topUps.find(of: .named("ann"))
            #expect(paused?.status == .paused && paused?.reason == "debt")
            #expect(try await Self.told(ledger) == ["top_up.agreed", "top_up.credited", "top_up.paused"])
        }
        try await Self.withConsent { ledger, _ in
            let purchase = CreditPurchase.sample(1)
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            let pending = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, pending) == nil)
            #expect(try await Self.statuses(ledger) == ["dropped debt"])
            #expect(try await ledger.topUps.find(of: .named("ann"))?.reason == "debt")
        }
    }

    @Test func `coins that came meanwhile and a product that is not on sale need no charge`() async throws {
        try await Self.withConsent { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            _ = try await ledger.submit(Grant.sample("b", coins: 40))  // 50
            let first = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, first) == nil)
            _ = try await ledger.products.retire("coins_100")
            _ = try await ledger.submit(Spend.sample("c", coins: 1))
            let second = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, second) == nil)
            #expect(try await Self.statuses(ledger) == ["dropped enough_coins", "dropped product_not_on_sale"])
            #expect(try await ledger.topUps.find(of: .named("ann"))?.status == .paused)
        }
    }

    @Test func `of many callers at once one asks, and consents at once leave one in force`() async throws {
        try await Self.withConsent { ledger, test in
            _ = try await together(16) { number in
                try await ledger.submit(Spend.sample("\(number)", coins: 6))
            }
            let pending = try #require(try await Self.due(ledger).first)
            let asked = try await together(16) { _ in
                try await Self.ask(ledger, pending)
            }
            #expect(asked.compactMap(\.self).count == 1)
            #expect(try await test.number("SELECT count(*) FROM \"order\"") == 1)
            _ = try await together(16) { number in
                try await ledger.topUps.agree(to: Self.draft(key: "card-\(number)"))
            }
            #expect(try await test.number("SELECT count(*) FROM top_up WHERE status <> 'revoked'") == 1)
        }
    }

    @Test func `the service can't credit, drop or start a charge itself`() async throws {
        try await Self.withConsent { ledger, test in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            _ = try #require(try await Self.ask(ledger, pending))
            let connection = try await test.connectAsService()
            for statement in [
                "UPDATE top_up_charge SET status = 'credited'", "UPDATE top_up_charge SET asked_at = NULL",
                "INSERT INTO top_up_charge (top_up_id, user_id, journal_entry_id) VALUES (1, 'x', 1)",
                "DELETE FROM top_up_charge",
                "UPDATE top_up SET monthly_limit = 9999999", "DELETE FROM top_up",
            ] {
                await #expect(throws: (any Error).self, "\(statement)") { try await connection.execute(statement) }
            }
            await connection.close()
            await #expect(throws: (any Error).self) {
                try await test.execute("UPDATE top_up_charge SET status = 'credited', decided_at = now()")
            }
            await #expect(throws: (any Error).self) {
                try await test.execute("UPDATE top_up_charge SET merchant_uid = 'order-b'")
            }
        }
    }
}
