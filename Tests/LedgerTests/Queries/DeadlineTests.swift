import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Nothing waits for PostgreSQL without an end.
@Suite(.timeLimit(.minutes(20))) struct DeadlineTests {
    @Test func `every use of the database limits statements, locks, idle transactions, replies and silence`() throws {
        let given = try PostgresConfiguration(url: "postgresql://db/ledger")
        for (use, longest, silent) in [
            (given.forLookups(within: .milliseconds(1_500)), 2, 2),
            (given.forLookups(within: .milliseconds(3_500)), 4, 2), (given.forWriting, 3, 3),
            (given.forCallersWrites, 5, 3),
            (given.forListening, 5, 3), (given.forReading, 15, 3),
        ] {
            #expect(use.statementTimeout > .zero && use.statementTimeout <= .seconds(10))
            #expect(use.lockTimeout > .zero && use.lockTimeout <= .seconds(5))
            #expect(use.idleInTransactionTimeout > .zero && use.idleInTransactionTimeout <= .seconds(15))
            #expect(use.replyTimeout == .seconds(longest))
            #expect(use.tcpUserTimeout == .seconds(silent))
            #expect(use.connectTimeout == .seconds(3))
        }
        var strict = given
        strict.replyTimeout = .seconds(1)
        strict.tcpUserTimeout = .seconds(1)
        #expect(
            strict.forLookups(within: .seconds(60)).replyTimeout == .seconds(1)
                && strict.forReading.tcpUserTimeout == .seconds(1))
    }

    @Test func `a balance is not waited for longer than the server is silent for two seconds`() async throws {
        try await TestLedger.withDatabase { test in
            let proxy = try FaultProxy(test.database.server)
            let ledger = try await test.open(
                url: test.serviceURL(through: proxy), lookupPatience: .milliseconds(1_500))
            // The limit holds for this one too.
            try await eventually("the ledger is connected") {
                (try? await ledger.balances.find(of: .named("ann"))) != nil
            }
            proxy.arm(.silence, when: .clientSends(""))
            let error = await #expect(throws: LedgerError.self) { try await ledger.balances.find(of: .named("ann")) }
            #expect(error?.code == .unavailable)
            proxy.stop()
            await ledger.close()
        }
    }
}
