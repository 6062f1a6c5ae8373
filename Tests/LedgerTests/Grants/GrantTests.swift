import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct GrantTests {
    @Test func `a grant is written as the accounts say`() async throws {
        try await TestLedger.with { ledger, test in
            let answer = try await ledger.submit(Grant.sample())
            let granted = try #require(answer.granted)
            #expect(granted.coins == 5 && !answer.isRepeat)
            let record = try #require(try await ledger.journal.find(granted.journalEntryID))
            let stripe = Stripe(of: .named("ann"), among: 4).number
            #expect(record.kind == "grant" && record.reference == "lot:\(granted.lotID)")
            #expect(
                record.lines.map { "\($0.side) \($0.account) \($0.amount)" } == [
                    "debit coins:promotions/\(stripe) 5", "credit wallet:ann:bonus 5",
                ])
            #expect(try await ledger.balances.find(of: .named("ann")).bonus == 5)
            #expect(try await test.number("SELECT count(*) FROM lot WHERE kind = 'bonus' AND amount = 0") == 1)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE reason = 'welcome'") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same key is answered with the first outcome, and refused for anything else`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try #require(try await ledger.submit(Grant.sample()).granted)
            let again = try await ledger.submit(Grant.sample())
            #expect(again.isRepeat && again.granted == first)
            #expect(try await ledger.submit(Grant.sample(coins: 6)).refusal == .idempotencyKeyReused)
            #expect(try await ledger.submit(Grant.sample(to: "eve")).refusal == .idempotencyKeyReused)
            let sample = Grant.sample()
            let other = Grant(
                idempotencyKey: sample.idempotencyKey, user: sample.user, coins: sample.coins, reason: sample.reason,
                expiresAt: Date(timeIntervalSince1970: 2_000_000_000))
            #expect(try await ledger.submit(other).refusal == .idempotencyKeyReused)
            #expect(try await test.number("SELECT count(*) FROM lot") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `one key used for many users at once over two instances grants once`() async throws {
        try await TestLedger.with(writers: 4) { one, test in
            let two = try await test.open(writers: 4)
            let outcomes = try await together(40) {
                try await ($0.isMultiple(of: 2) ? one : two).submit(Grant.sample(to: "user-\($0 % 20)"))
            }
            await two.close()
            #expect(outcomes.filter { $0.granted != nil && !$0.isRepeat }.count == 1)
            #expect(outcomes.compactMap(\.refusal).allSatisfy { $0 == .idempotencyKeyReused })
            #expect(try await test.number("SELECT sum(coins)::int8 FROM lot") == 5)
            try await Audit.expectSound(test)
        }
    }
}
