import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A ledger filled past the judges, as benchmarks and tests of large ledgers need it, is as one that was bought into.
@Suite(.timeLimit(.minutes(20))) struct FilledLedgerTests {
    @Test func `the doctor finds nothing, and the ledger goes on from there`() async throws {
        try await TestLedger.withDatabase { test in
            let indexes = "SELECT count(*) FROM pg_indexes WHERE schemaname = 'public'"
            let before = try await test.number(indexes)
            let users = Effort.count(100, upTo: 400)
            try await test.fill(entries: 25 * users, users: users)
            #expect(try await Audit.problems(of: test) == [])
            #expect(try await test.number("SELECT count(*) FROM purchase") == 25 * users)
            #expect(try await test.number("SELECT count(*) FROM posting") == 100 * users)
            #expect(try await test.number(indexes) == before)
            let disabled = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'"
            #expect(try await test.number(disabled) == 0)

            let ledger = try await test.open()
            let credited = try await ledger.submit(CreditPurchase.sample(by: "user-7", bonus: 0)).credited
            #expect(credited?.balance.paid == 2600)
            let spent = try await ledger.submit(Spend.sample(by: "user-7", coins: 130)).spent
            #expect(spent?.balance.paid == 2470)
            await ledger.close()
            #expect(try await Audit.problems(of: test) == [])
        }
    }
}
