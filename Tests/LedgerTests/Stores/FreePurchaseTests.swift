import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Purchases in stores that cost nothing: one grant for each transaction, and what the store takes back and gives again of it.
@Suite(.timeLimit(.minutes(20))) struct FreePurchaseTests {
    private static let payment = PaymentIdentity.sampleInStore(1)

    /// Gives 300 coins for the payment.
    private static func give(
        to user: String = "ann", until expiresAt: Date? = nil, of payment: PaymentIdentity = payment, _ ledger: Ledger
    ) async throws -> FreePurchases.Given {
        let coins = try #require(Coins(300))
        let grant = try #require(FreePurchase.grant(of: payment, to: .named(user), coins, expiresAt: expiresAt))
        return try await ledger.freePurchases.give(grant, of: payment)
    }

    private static func found(_ ledger: Ledger) async throws -> FreePurchase {
        try #require(try await ledger.freePurchases.find(of: payment))
    }

    /// What the store says once: the change that follows, and what became of it; nil: nothing is to be done.
    private static func follow(
        _ part: Int64, mayFall: Bool = true, _ ledger: Ledger
    ) async throws -> FreePurchases.Changed? {
        let change = try await found(ledger).change(toPart: part, mayFall: mayFall, at: Date())
        guard let change else { return nil }
        return try await ledger.freePurchases.make(change)
    }

    private static func available(_ ledger: Ledger, _ user: String = "ann") async throws -> Int64 {
        try await ledger.balances.find(of: .named(user)).available
    }

    @Test func `a transaction gives coins once, whoever presents it and whatever else differs`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            #expect(try await first.freePurchases.find(of: Self.payment) == nil)
            let owners = try await withThrowingTaskGroup(of: UserID?.self) { group in
                for number in 0..<20 {
                    let (user, ledger) = (number.isMultiple(of: 3) ? "ann" : "bob", number < 10 ? first : second)
                    group.addTask {
                        let end = Date() + 86_400 + Double(number)
                        guard case .given(let free, _) = try await Self.give(to: user, until: end, ledger) else {
                            return nil
                        }
                        return free.user
                    }
                }
                return try await group.reduce(into: [UserID?]()) { $0.append($1) }
            }
            #expect(Set(owners).count == 1 && !owners.contains(nil), "\(owners)")
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'grant'") == 1)
            #expect(try await test.total("coins:promotions") == 300)
            let other = try await Self.give(to: "cid", of: .sampleAtPlay(1), first)
            guard case .given(let play, isRepeat: false) = other else {
                Issue.record("another store's transaction is another purchase: \(other)")
                return
            }
            #expect(play.user == .named("cid") && play.coins == 300)
            #expect(try await test.number("SELECT count(*) FROM purchase") == 0)
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was given stays known when the key is gone with its user`() async throws {
        try await TestLedger.with { ledger, test in
            // The note of a grant whose user was forgotten.
            try await ledger.freePurchases.note(Self.payment, on: "2026-01-31")
            try await ledger.freePurchases.note(Self.payment, on: "2026-02-01")
            guard case .toNobody = try await Self.give(ledger) else {
                Issue.record("it is given again")
                return
            }
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a forgotten user takes the key along, and nobody gets the coins again`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            try await ledger.freePurchases.note(Self.payment, on: "2026-01-31")
            _ = try await ledger.submit(Spend.sample(coins: 300))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            _ = try await ForgettingTests.forget(ledger, test, "ann")
            #expect(try await ledger.freePurchases.find(of: Self.payment) == nil)
            guard case .forgotten = try await ledger.freePurchases.lookUp(Self.payment),
                case .toNobody = try await Self.give(to: "bob", ledger)
            else {
                Issue.record("it is given again")
                return
            }
            #expect(try await Self.available(ledger, "bob") == 0)
        }
    }

    @Test func `after a merge it is of the user who stays, from whom the store takes it back`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            _ = try await ledger.submit(Grant.sample(to: "cid"))
            _ = try await ledger.submit(MergeUsers.sample())
            guard case .given(let again, isRepeat: true) = try await Self.give(to: "cid", ledger) else {
                Issue.record("it is given again, or not known")
                return
            }
            #expect(again.user == .named("cid"))
            #expect(try await Self.follow(100_000, ledger) == .done)
            #expect(try await Self.available(ledger, "cid") == 5)
            #expect(try await Self.follow(0, ledger) == .done)
            #expect(try await Self.available(ledger, "cid") == 305)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the store takes back is voided as far as it is left, in parts and then all`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            #expect(try await Self.follow(0, ledger) == nil)
            #expect(try await Self.follow(33_333, ledger) == .done)
            #expect(try await Self.available(ledger) == 200)
            #expect(try await Self.follow(33_333, ledger) == nil, "the same part again changes nothing")
            #expect(try await Self.follow(10_000, mayFall: false, ledger) == nil, "an older answer of Google")
            _ = try await ledger.submit(Spend.sample(coins: 150))
            #expect(try await Self.follow(100_000, ledger) == .done)
            #expect(try await Self.follow(100_000, ledger) == nil, "nothing is left, and nothing is owed")
            #expect(try await Self.available(ledger) == 0)
            #expect(try await Self.found(ledger).takenBack == 150)
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the store gives again comes back, and can be taken back again`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            _ = try await ledger.submit(Spend.sample(coins: 30))
            for _ in 0..<3 {
                #expect(try await Self.follow(100_000, ledger) == .done)
                #expect(try await Self.available(ledger) == 0)
                #expect(try await Self.follow(0, mayFall: false, ledger) == nil)
                #expect(try await Self.follow(0, ledger) == .done)
                #expect(try await Self.available(ledger) == 270)
            }
            // A person's void is not the store's.
            let lot = try #require(try await Self.found(ledger).grants.last?.lot)
            _ = try await ledger.submit(VoidGrant.sample(of: lot, coins: 20))
            #expect(try await Self.follow(0, ledger) == nil)
            #expect(try await Self.available(ledger) == 250)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of two attempts that have seen the same, one changes the books`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            let seen = try await Self.found(ledger)
            let part = try #require(seen.change(toPart: 50_000, mayFall: true, at: Date()))
            let whole = try #require(seen.change(toPart: 100_000, mayFall: true, at: Date()))
            #expect(try await ledger.freePurchases.make(part) == .done)
            #expect(try await ledger.freePurchases.make(part) == .done, "a repeat")
            #expect(try await ledger.freePurchases.make(whole) == .outdated)
            #expect(try await Self.available(ledger) == 150)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins on hold are voided when they are back in the wallet`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.give(ledger)
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed)
            #expect(try await Self.follow(100_000, ledger) == .done)
            let left = try await Self.found(ledger)
            #expect(left.isOnHold(ofPart: 100_000) && left.change(toPart: 100_000, mayFall: true, at: Date()) == nil)
            _ = try await ledger.submit(VoidHold.sample(of: held.hold.id))
            #expect(try await Self.follow(100_000, ledger) == .done)
            #expect(try await Self.available(ledger) == 0)
            #expect(try await !Self.found(ledger).isOnHold(ofPart: 100_000))
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was used of it is told to a store that asks, without what was voided`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await Self.give(ledger)
            _ = try await ledger.submit(Spend.sample(coins: 30))
            #expect(try await Self.found(ledger).use == PurchasedCoins(coins: 300, unused: 270, expired: 0))
            _ = try await Self.follow(33_333, ledger)
            #expect(try await Self.found(ledger).use == PurchasedCoins(coins: 200, unused: 170, expired: 0))
        }
    }
}
