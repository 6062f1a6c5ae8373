import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ExpiryTests {
    @Test func `a lot expires at its own time, as breakage, and what is held of it stays`() async throws {
        try await Calendar.with { calendar in
            let (ledger, test) = (calendar.ledger, calendar.test)
            let end = Calendar.noon("2026-01-02")
            _ = try await ledger.credit(.sample(bonus: 0, expiresAt: end))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed)
            let lotID = try #require(hold.lots.first).lotID
            let expire = ExpireLot(user: .named("ann"), lotID: lotID)
            #expect(try await ledger.submit(expire).isRepeat)
            try await calendar.clock.set(to: end + 1)
            #expect(
                try await ledger.submit(Spend.sample(coins: 1)).refusal
                    == .insufficientCoins(required: 1, available: 0))
            let expired = try #require(try await ledger.submit(expire).expired)
            #expect(expired.coins == 60 && expired.amount == 600 && expired.balance.held == 40)
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM journal_entry AS entry JOIN lot ON effective_at = lot.expires_at
                    WHERE entry.kind = 'expiry'
                    """)
                    == 1)
            _ = try await ledger.submit(VoidHold.sample(of: hold.hold.id))
            let rest = try await ledger.submit(expire)
            #expect(!rest.isRepeat && rest.expired?.amount == 400 && rest.expired?.balance.total == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that expire earlier are used first, also before given ones that never expire`() async throws {
        try await TestLedger.with { ledger, test in
            let soon = Date().addingTimeInterval(3600)
            _ = try await ledger.submit(Grant.sample("never", coins: 10))
            _ = try await ledger.submit(Grant.sample("later", coins: 10, expiresAt: soon.addingTimeInterval(60)))
            _ = try await ledger.submit(Grant.sample("soon", coins: 10, expiresAt: soon))
            let spent = try #require(try await ledger.submit(Spend.sample(coins: 25)).spent)
            #expect(spent.lots.map(\.coins) == [10, 10, 5])
            #expect(
                try await test.number("SELECT count(*) FROM lot WHERE remaining > 0 AND expires_at IS NULL") == 1)
            try await Audit.expectSound(test)
        }
    }
}
