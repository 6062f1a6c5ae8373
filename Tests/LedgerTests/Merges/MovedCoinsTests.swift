import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Gifts, campaigns, merges and renames among all else, at random, beside wallets that only add up.
///
/// The naive wallets do not know how given coins come back, so nothing is refunded of which coins were given: Tests/Books does.
@Suite(.timeLimit(.minutes(20))) struct MovedCoinsTests {
    @Test(arguments: Effort.seeds(upTo: 3))
    func `coins that move among users end where a naive model has them`(seed: UInt64) async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            var history = MovedCoins(seed: seed, end: start + Double(MovedCoins.steps))
            for step in 1...MovedCoins.steps {
                history.now = start + Double(step)
                try await clock.set(to: history.now)
                try await history.step(step, ledger)
                if step.isMultiple(of: 50) { try await history.compare(with: ledger, test) }
            }
            try await history.compare(with: ledger, test)
            #expect(history.wanted.subtracting(history.outcomes.keys).isEmpty, "\(history.outcomes)")
            try await Audit.expectSound(test)
        }
    }
}

extension MovedCoins {
    func compare(with ledger: Ledger, _ test: TestLedger) async throws {
        for (user, wallet) in wallets {
            let balance = try await ledger.balances.find(of: .named(user))
            try #require(
                [balance.paid, balance.bonus, balance.held, balance.debt]
                    == [wallet.paid, wallet.bonus, wallet.held, wallet.debt], "\(user) at \(now)")
        }
        let connection = try await test.connectAsOwner()
        let stored = try await connection.run(
            PostgresQuery<[String]>(
                """
                SELECT concat_ws(' ', user_id, kind, remaining, held, deferred, extract(epoch FROM expires_at)::int8)
                FROM lot WHERE is_open
                """
            ) { row in try row[0] })
        await connection.close()
        let ours = wallets.flatMap { user, wallet in
            wallet.lots.filter { $0.remaining + $0.held > 0 }.map { lot in
                ([user, lot.isBonus ? "bonus" : "paid", "\(lot.remaining)", "\(lot.held)", "\(lot.won)"]
                    + [lot.expiresAt.map { "\(Int64($0.timeIntervalSince1970))" }].compactMap(\.self))
                    .joined(separator: " ")
            }
        }
        try #require(stored.sorted() == ours.sorted())
        func sum(_ part: (NaiveWallet) -> Int64) -> Int64 { wallets.values.reduce(0) { $0 + part($1) } }
        #expect(try await test.total("coins:deferred-revenue") == sum(\.deferred))
        #expect(try await test.total("revenue:coins") == sum(\.revenue))
        #expect(try await test.total("revenue:breakage") == sum(\.breakage))
        #expect(try await test.total("clearing:coins") == 0)
    }
}
