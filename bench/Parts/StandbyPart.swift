import LedgerTestSupport
import Postgres
import TestSupport

/// Purchases per second without a standby, and with one on the same machine that confirms each commit.
struct StandbyPart: MeasuredPart {
    static let name = "standby"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await TestCluster.with(isDurable: true) { cluster in
            let books = try await TestLedger.make(on: TestServer(url: cluster.url))
            for batch in Self.batches { try await measure(.alone, batch, books, scale, report) }
            _ = try await cluster.startStandby()
            try await Self.requireStandby(of: cluster)
            for batch in Self.batches { try await measure(.synchronous, batch, books, scale, report) }
        }
    }

    /// Commits of few and of many purchases.
    private static let batches = [64, 1024]

    private func measure(
        _ standby: Figures.Standby, _ batch: Int, _ books: TestLedger, _ scale: Scale, _ report: BenchReport
    ) async throws {
        let (rate, problems) = try await Conservation.observing(books) {
            try await Engine.measure(
                .purchases, in: books, .init(batch: batch), users: scale.users, tag: "\(standby.rawValue) \(batch)",
                scale)
        }
        report.record(Figures.standby(standby, batch), rate, .perSecond, problems: problems)
    }

    /// From now on, a commit waits until the standby has it on its disk.
    private static func requireStandby(of cluster: TestCluster) async throws {
        try await PostgresConnection.with(cluster.superuser) { admin in
            try await admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try await admin.execute("SELECT pg_reload_conf()")
            let isSynchronous = PostgresQuery<Bool>.one(
                "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            ) { try $0[0] }
            try await eventually("the standby is synchronous") { try await admin.run(isSynchronous) }
        }
    }
}
