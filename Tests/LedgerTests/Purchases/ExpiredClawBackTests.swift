import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// Coins that nobody used are nobody's debt, also when they expired before their payment was cancelled.
@Suite(.timeLimit(.minutes(20))) struct ExpiredClawBackTests {
    @Test func `a gift that expired unused is taken back from what expired, and is no debt`() async throws {
        try await Shop.with(bonus: 10, paidExpires: false) { shop in
            try await shop.expire()
            #expect(try await shop.total("coins:expired") == 10)
            let clawedBack = try #require(try await shop.ledger.clawBack(shop.purchase, 1000).clawedBack)
            #expect(clawedBack.coins == 100 && clawedBack.bonusCoins == 10)
            #expect(clawedBack.balance.debt == 0 && clawedBack.balance.total == 0)
            try await shop.expectNothingLeft()
        }
    }

    @Test(arguments: [[1000], [500, 1000], [1, 333, 334, 999, 1000]] as [[Int64]])
    func `what expired whole comes off breakage won by won, and nothing off revenue`(cancelled: [Int64]) async throws {
        try await Shop.with(coins: 3) { shop in
            try await shop.expire()
            for amount in cancelled {
                let balance = try #require(try await shop.ledger.clawBack(shop.purchase, amount).clawedBack).balance
                #expect(balance.debt == 0 && balance.total == 0)
                #expect(try await shop.total("revenue:breakage") == 1000 - amount)
                #expect(try await shop.total("revenue:coins") == 0)
            }
            try await shop.expectNothingLeft()
        }
    }

    @Test func `half spent and half expired, the spent half becomes debt, after the expired one`() async throws {
        try await Shop.with { shop in
            _ = try await shop.ledger.submit(Spend.sample(coins: 50))
            try await shop.expire()
            let first = try #require(try await shop.ledger.clawBack(shop.purchase, 250).clawedBack)
            #expect(first.coins == 25 && first.balance.debt == 0)
            #expect(try await shop.total("revenue:breakage") == 250)
            #expect(try await shop.total("revenue:coins") == 500)
            let last = try #require(try await shop.ledger.clawBack(shop.purchase, 1000).clawedBack)
            #expect(last.coins == 75 && last.balance.debt == 50)
            try await shop.expectNothingLeft()
        }
    }

    @Test func `the wallet's coins go before what expired`() async throws {
        try await Shop.with { shop in
            let hold = try #require(try await shop.ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            try await shop.expire()
            _ = try await shop.ledger.submit(VoidHold.sample(of: hold.id))  // 60 expired, 40 are about to
            let first = try #require(try await shop.ledger.clawBack(shop.purchase, 300).clawedBack)
            #expect(first.balance.paid == 10 && first.balance.debt == 0)
            #expect(try await shop.total("coins:expired") == 60)
            try await shop.expire()
            #expect(try await shop.total("coins:expired") == 70)
            #expect(try #require(try await shop.ledger.clawBack(shop.purchase, 1000).clawedBack).balance.debt == 0)
            try await shop.expectNothingLeft()
        }
    }
}

/// One purchase for ₩1,000, and a clock that can be set to when its coins expire.
private struct Shop {
    let ledger: Ledger
    let purchase: Purchase
    private let test: TestLedger
    private let clock: TestClock
    private static let end = Date(timeIntervalSince1970: 1_767_312_000)

    static func with(
        coins: Int64 = 100, bonus: Int64 = 0, paidExpires: Bool = true, _ body: (Shop) async throws -> Void
    ) async throws {
        try await TestLedger.with(at: end - 3600) { ledger, test, clock in
            let purchase = try await ledger.buy(
                .sample(coins: coins, bonus: bonus, expiresAt: paidExpires ? end : nil, bonusExpiresAt: end))
            try await body(Shop(ledger: ledger, purchase: purchase, test: test, clock: clock))
            try await Audit.expectSound(test)
        }
    }

    /// The coins' time is up.
    func expire() async throws {
        try await clock.set(to: Self.end + 60)
        let due = try await ledger.lots.listDue(limit: 10)
        try #require(!due.isEmpty)
        for lot in due { _ = try await ledger.submit(ExpireLot(user: lot.user, lotID: lot.id)) }
    }

    /// All stripes' balance of a system account.
    func total(_ account: String) async throws -> Int64 {
        try await test.total(account)
    }

    /// All of the payment is cancelled: no coins are issued or expired, no money is owed to us or earned.
    func expectNothingLeft() async throws {
        for account in [
            "coins:expired", "coins:promotions", "coins:deferred-revenue", "revenue:breakage", "revenue:coins",
            "gateway:receivable", "coins:issued",
        ] {
            #expect(try await total(account) == 0, "\(account)")
        }
    }
}
