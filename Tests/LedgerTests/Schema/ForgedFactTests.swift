import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// Facts that fit each other and all that was written before, but for one condition of one judge.
///
/// All of it is SQL, so that PostgreSQL alone can refuse it, and each forgery is rolled back.
@Suite(.timeLimit(.minutes(20))) struct ForgedFactTests {
    @Test func `a judge refuses facts of which only one does not fit`() async throws {
        try await TestLedger.withDatabase { test in
            let service = try await test.connectAsService()
            for transaction in BooksByHand.transactions { try await service.execute("BEGIN; \(transaction) COMMIT") }
            for forged in BooksByHand.forged {
                let error = await service.refusal(of: "BEGIN; \(forged.sql) SET CONSTRAINTS ALL IMMEDIATE")
                #expect(error?.constraint == forged.constraint, "\(forged.name): \(error?.description ?? "was done")")
                try await service.execute("ROLLBACK")
            }
            await service.close()
        }
    }

    /// The service's role may not say what an account begins with; a migration could.
    @Test func `an account begins with nothing, whoever makes it`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            for columns in ["credits", "credits, debits", "seq", "credits, seq"] {
                let values = columns.split(separator: ",").map { _ in "5" }.joined(separator: ", ")
                let error = await owner.refusal(
                    of: """
                        INSERT INTO account (id, stripe, code, owner, currency, normal_side, \(columns))
                        VALUES (900001, 0, 'wallet:ann:paid', 'ann', 'COIN', 'C', \(values))
                        """)
                #expect(error?.constraint == "account_begins_empty", "\(columns): \(error?.description ?? "was done")")
            }
            await owner.close()
        }
    }
}
