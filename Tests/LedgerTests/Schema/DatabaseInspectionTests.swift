import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What `ledgerd check` asks the database.
@Suite(.timeLimit(.minutes(20))) struct DatabaseInspectionTests {
    @Test(
        arguments: [
            (1, 128, false), (1_280, 128, false), (1_290, 128, true), (20_480, 1_023, true), (20_480, 1_024, false),
        ] as [(Int64, Int64, Bool)])
    func `books that outgrow a small memory are reported`(database: Int64, buffers: Int64, isOutgrown: Bool) {
        let memory = DatabaseInspection.Memory(database: database << 20, buffers: buffers << 20)
        #expect(memory.isOutgrown == isOutgrown)
    }

    @Test func `the service's role has the rights that the migrations grant, and no other`() async throws {
        try await TestLedger.withDatabase { test in
            let name = test.database.name
            try await test.database.server.execute("REVOKE TEMPORARY ON DATABASE \"\(name)\" FROM PUBLIC")
            let inspection = try await DatabaseInspection.open(PostgresConfiguration(url: test.serviceURL))
            let rights = try await inspection.rights()
            #expect(rights.missing.isEmpty && rights.surplus.isEmpty, "\(rights)")
            #expect(ServiceRole.granted.rights.count > 80 && ServiceRole.granted.revoked.count > 20)
            #expect(try await !inspection.canRewriteBooks())
            #expect(try await inspection.newestMigration() == Migration.all.last?.title)
            // An answer that comes late tells the offset less exactly.
            try await eventually("the clock is this machine's") { try await abs(inspection.clockOffset()) < 1 }
            let session = try await inspection.session()
            #expect(session.database == name && session.role == "ledgerd_test_service" && session.tls == nil)
            #expect(session.versionNumber >= 150_000 && session.version.contains("."))
            let memory = try await inspection.memory()
            #expect(memory.database > 1 << 20 && memory.buffers >= 1 << 17 && !memory.isOutgrown, "\(memory)")

            let owner = try await test.connectAsOwner()
            try await owner.execute(
                """
                REVOKE UPDATE (row_lock) ON account FROM ledgerd_service;
                REVOKE EXECUTE ON FUNCTION purge_receipt_refusals FROM ledgerd_service;
                GRANT TRUNCATE ON finding TO ledgerd_test_service;
                GRANT EXECUTE ON FUNCTION tally_salt TO PUBLIC;
                """)
            await owner.close()
            let changed = try await inspection.rights()
            #expect(
                changed.missing == ["EXECUTE on purge_receipt_refusals(most bigint)", "UPDATE on account.row_lock"])
            #expect(changed.surplus == ["EXECUTE on tally_salt()", "TRUNCATE on finding"])
            await inspection.close()
        }
    }
}
