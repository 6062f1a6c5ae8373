import Foundation
import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A real standby carries the reports, and never less than the primary had when the report was requested.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReplicaTests {
    /// In one pair, for making one costs more than all that it shows.
    @Test func `reports, the doctor and comparisons with a restored copy read the standby, and say so`() async throws {
        try await Pair.with { pair in
            try await pair.ledger.liveThroughEverything()
            for (report, format) in Self.reports { try await pair.expectPrimarysReport(report, format) }
            try await pair.expectComparison()
            try await pair.expectDiagnosis()
        }
    }

    private static let reports: [(Report, String)] = [
        (.journal, "csv"), (.journal, "jsonl"), (.journal, "hledger"), (.journal, "beancount"), (.purchases, "csv"),
        (.lots, "csv"), (.trialBalance, "csv"), (.liability, "jsonl"),
    ]

    @Test func `a late standby is waited for, an absent one fails reports, and balances need neither`() async throws {
        try await Pair.with { pair in
            _ = try await pair.ledger.submit(Grant.sample(coins: 5))
            #expect(try await pair.ledger.export(.journal).trailer.rows == 2)
            try await pair.standby.execute("SELECT pg_wal_replay_pause()")
            _ = try await pair.ledger.submit(Grant.sample("key-2", coins: 7))
            #expect(try await pair.ledger.balances.find(of: .named("ann")).total == 12)
            #expect(try await pair.ledger.statements.list(of: .named("ann"), limit: 9).elements.count == 2)
            let impatient = pair.reading(patience: .zero)
            let error = await #expect(throws: LedgerError.self) { try await impatient.origin() }
            #expect(error?.code == .replicaUnavailable)
            #expect(error?.message.contains(/^the standby is \d+ bytes of WAL behind the primary, and did not/) == true)

            let resumed = Task {
                try await pair.waitForReader()
                try await pair.standby.execute("SELECT pg_wal_replay_resume()")
            }
            #expect(try await Doctor(pair.reading()).examine().isSound)
            try await resumed.value
            #expect(try await pair.ledger.export(.journal).trailer.rows == 4)
            try await pair.expectFailureWithoutStandby()
        }
    }

    @Test func `a promoted standby is not read, because the primary is another one`() async throws {
        try await Pair.with { pair in
            try await pair.standby.execute("SELECT pg_promote()")
            _ = try await pair.ledger.submit(Grant.sample(coins: 5))
            let export = try await pair.ledger.exports.begin(ExportRequest(.journal, [:], in: .gmt)).get()
            #expect(export.origin.server == .primary)
            #expect(try await export.read().trailer.rows == 2)
        }
    }

    @Test func `a standby of another primary is not read`() async throws {
        try await TestCluster.with { other in
            let foreign = try await other.startStandby()
            try await TestLedger.withDatabase { test in
                let replica = BooksSource.Replica(
                    try PostgresConfiguration(url: foreign.url(user: "postgres", database: "postgres")),
                    patience: .zero)
                let source = BooksSource(try test.database.configuration, replica: replica)
                let error = await #expect(throws: LedgerError.self) { try await source.origin() }
                #expect(
                    error?.message == "the server of replica_url is not a standby of the database of database_url")
            }
        }
    }

    /// Replay that removes rows cancels the query that may still read them.
    @Test func `an export that replay cancels has no trailer, and says why`() async throws {
        try await Pair.with(settings: ["max_standby_streaming_delay=0", "hot_standby_feedback=off"]) { pair in
            _ = try await pair.ledger.submit(Grant.sample(coins: 5))
            let export = try await pair.ledger.exports.begin(ExportRequest(.journal, [:], in: .gmt)).get()
            try await PostgresConnection.with(pair.cluster.superuser) { admin in
                for statement in [
                    "CREATE TABLE junk AS SELECT generate_series(1, 1000) AS n", "DELETE FROM junk", "VACUUM junk",
                ] { try await admin.execute(statement) }
            }
            try await pair.waitForConflict()
            let error = await #expect(throws: LedgerError.self) { try await export.read() }
            #expect(error?.code == .replicaUnavailable, "\(String(describing: error))")
            // The export that is begun again is whole.
            #expect(try await pair.ledger.export(.journal).trailer.rows == 2)
        }
    }
}

/// A ledger of a primary with a standby.
private struct Pair {
    let cluster: TestCluster
    let standby: TestCluster.Standby
    /// Reads reports from the standby, with the service's role.
    let ledger: Ledger
    /// Reads reports from the primary.
    let ofPrimary: Ledger

    static func with(
        settings: [String] = [], _ body: (Pair) async throws -> Void
    ) async throws {
        try await TestCluster.with { cluster in
            try await PostgresConnection.with(cluster.superuser) { admin in
                try await admin.execute(
                    "CREATE ROLE ledgerd_service NOLOGIN; CREATE ROLE app LOGIN IN ROLE ledgerd_service")
            }
            _ = try await Migrator(configuration: cluster.superuser).migrate()
            let standby = try await cluster.startStandby(settings)
            let database = try PostgresConfiguration(url: cluster.url(user: "app", database: "postgres"))
            let replica = BooksSource.Replica(
                try PostgresConfiguration(url: standby.url(user: "app", database: "postgres")), patience: Patience.hang)
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let ledger = try await Ledger.open(
                LedgerConfiguration(database: database, replica: replica), logger: logger)
            let ofPrimary = try await Ledger.open(LedgerConfiguration(database: database), logger: logger)
            try await body(Pair(cluster: cluster, standby: standby, ledger: ledger, ofPrimary: ofPrimary))
            await ledger.close()
            await ofPrimary.close()
        }
    }

    /// What doctor and drill read.
    func reading(patience: Duration = Patience.hang) -> BooksSource {
        BooksSource(
            sure(try? PostgresConfiguration(url: cluster.url(user: "app", database: "postgres"))),
            replica: BooksSource.Replica(
                sure(try? PostgresConfiguration(url: standby.url(user: "app", database: "postgres"))),
                patience: patience))
    }

    /// Waits until somebody is connected to the standby.
    func waitForReader() async throws {
        try await PostgresConnection.with(standby.superuser) { connection in
            try await eventually("somebody reads from the standby") {
                try await connection.run(
                    PostgresQuery<Int64>.one(
                        """
                        SELECT count(*) FROM pg_stat_activity
                        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND usename = 'app'
                        """
                    ) { try $0[0] }) > 0
            }
        }
    }

    /// Waits until the standby has cancelled somebody for its replay.
    func waitForConflict() async throws {
        try await PostgresConnection.with(standby.superuser) { connection in
            try await eventually("replay met a conflict") {
                try await connection.run(
                    PostgresQuery<Int64>.one(
                        "SELECT confl_snapshot FROM pg_stat_database_conflicts WHERE datname = current_database()"
                    ) { try $0[0] }) > 0
            }
        }
    }
}

extension Pair {
    /// The standby's report is the primary's to the byte.
    fileprivate func expectPrimarysReport(_ report: Report, _ format: String) async throws {
        let options: [ExportOption: String] = [.format: format]
        let request = try ExportRequest(report, options, in: .gmt)
        let before = Date()
        let export = try await ledger.exports.begin(request).get()
        #expect(export.origin.server == .standby && export.origin.time > before.addingTimeInterval(-1))
        let exported = try await export.read()
        let expected = try await ofPrimary.export(report, options)
        #expect(Array(exported.body) == Array(expected.body), "\(report) \(format)")
        #expect(exported.trailer.rows > 0, "\(report) \(format)")
        #expect(exported.trailer.json.contains(#","standby_time":""#))
        #expect(!expected.trailer.json.contains("standby_time"))
        if exported.format.holdsTrailer { #expect(exported.lastLine.contains(exported.trailer.json)) }
    }

    /// A copy that was restored before the last entry is compared with the standby's books.
    fileprivate func expectComparison() async throws {
        let copy = try await cluster.startStandby()
        try await copy.execute("SELECT pg_promote()")
        _ = try await ledger.submit(Grant.sample("later", coins: 7))
        let comparison = try await BooksComparison(
            of: PostgresConfiguration(url: copy.url(user: "postgres", database: "postgres")), with: reading())
        #expect(comparison.isSame && comparison.restored.entries > 0 && comparison.missing.entries == 1)
        #expect(comparison.liveOrigin.server == .standby)
        try await copy.stop()
    }

    /// The doctor examines the standby, with the primary's settings, and finds what was changed.
    fileprivate func expectDiagnosis() async throws {
        let key = SealKey()
        let kept = try #require(try await ledger.seals.make(with: key))
        let diagnosis = try await Doctor(reading()).examine(against: kept.seal, trusting: key.publicKey)
        #expect(diagnosis.isSound && diagnosis.origin.server == .standby, "\(diagnosis.findings)")
        #expect(diagnosis.lastSealedAt == kept.seal.content.sealedAt)
        #expect(diagnosis.warnings.map(\.code) == ["fsync_off"])
        let admin = try await PostgresConnection.connect(cluster.superuser)
        try await admin.execute("UPDATE account SET debits = debits + 1 WHERE code LIKE 'bank/%'")
        await admin.close()
        #expect(try await Doctor(reading()).examine().findings.map(\.code).contains("account_totals_differ"))
    }

    /// Without the standby, reports fail and nothing else does.
    fileprivate func expectFailureWithoutStandby() async throws {
        try await standby.stop()
        let error = await #expect(throws: LedgerError.self) { try await ledger.export(.journal) }
        #expect(error?.code == .replicaUnavailable)
        #expect(error?.message == "the standby of replica_url can't be reached")
        await #expect(throws: LedgerError.self) { try await Doctor(reading()).examine() }
        _ = try await ledger.submit(Grant.sample("key-3", coins: 5))
        #expect(try await ledger.balances.find(of: .named("ann")).total == 17)
    }
}
