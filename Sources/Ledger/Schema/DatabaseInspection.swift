package import Foundation
package import Postgres

/// What the service finds when it logs in to its database, question by question.
///
/// For `ledgerd check`: each question can be asked whatever the others found.
package final class DatabaseInspection: Sendable {
    private let connection: PostgresConnection
    private let configuration: PostgresConfiguration

    private init(_ connection: PostgresConnection, _ configuration: PostgresConfiguration) {
        self.connection = connection
        self.configuration = configuration
    }

    /// Logs in, and sees that a session of the database is its client's own.
    ///
    /// - Throws: ``LedgerError/Code/unavailable``.
    package static func open(_ configuration: PostgresConfiguration) async throws(LedgerError) -> DatabaseInspection {
        try await reading {
            try await PostgresConnection.requireOwnSessions(configuration)
            return DatabaseInspection(try await PostgresConnection.connect(configuration), configuration)
        }
    }

    package func close() async { await connection.close() }

    /// Where the session is.
    package struct Session: Sendable {
        /// The server's version, such as `15.8`.
        package let version: String
        /// The same as a number: 150008.
        package let versionNumber: Int
        package let database: String
        package let role: String
        /// TLS's version, such as `TLSv1.3`; nil without TLS.
        package let tls: String?
    }

    package func session() async throws(LedgerError) -> Session {
        try await ask(
            .one(
                """
                SELECT split_part(current_setting('server_version'), ' ', 1),
                    current_setting('server_version_num')::int8, current_database()::text, current_user::text,
                    (SELECT version FROM pg_catalog.pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl)
                """
            ) { row in try row.make(Session.init) })
    }

    /// The title of the newest migration of this binary, such as `0149_rates`; all are applied.
    ///
    /// - Throws: ``LedgerError/Code/schema`` when one is pending, altered or unknown, ``LedgerError/Code/fault`` when the
    ///   server's transaction ids are behind the chain's.
    package func newestMigration() async throws(LedgerError) -> String {
        try await reading {
            try await Migrator(configuration: configuration).requireCurrent(on: connection)
            try await Chain.requireOrder(on: connection)
            return Migration.all.last?.title ?? ""
        }
    }

    /// Whether the role can rewrite the books, as ``Ledger/canRewriteBooks`` tells it.
    package func canRewriteBooks() async throws(LedgerError) -> Bool { try await ask(ServiceRole.canRewriteBooks) }

    /// The role's rights compared with those that the migrations grant the service.
    package struct Rights: Sendable {
        /// What the service needs and has not, such as `INSERT on posting`.
        package let missing: [String]
        /// What it has and does not need.
        package let surplus: [String]
    }

    package func rights() async throws(LedgerError) -> Rights {
        let held = Set(try await ask(ServiceRole.rights))
        let powers = try await ask(ServiceRole.otherPowers)
        let granted = ServiceRole.granted
        // Functions that PUBLIC may execute, as it may by default, are no right of the role.
        let surplus = held.subtracting(granted.rights).filter {
            !$0.hasPrefix("EXECUTE") || granted.revoked.contains($0)
        }
        let missing = granted.rights.filter { !held.contains($0) && !held.contains(Self.rightToTable($0)) }
        return Rights(missing: missing.sorted(), surplus: powers + surplus.sorted())
    }

    /// The right to the whole table that a right to one of its columns is part of.
    private static func rightToTable(_ right: String) -> String { String(right.prefix { $0 != "." }) }

    /// The settings of the server under which a crash may lose or damage what was committed.
    package func unsafeSettings() async throws(LedgerError) -> [Diagnosis.Warning] {
        try await ask(Diagnosis.Warning.ofServer)
    }

    /// How much of the database the server can keep in its own memory.
    package struct Memory: Sendable {
        /// The size of the database, in bytes.
        package let database: Int64
        /// `shared_buffers`, in bytes.
        package let buffers: Int64

        package init(database: Int64, buffers: Int64) {
            self.database = database
            self.buffers = buffers
        }

        /// Whether PostgreSQL's default was left in place, or little more, while the books outgrew it: then each act reads
        /// blocks that were just dropped (docs/sizing.md).
        package var isOutgrown: Bool { buffers < 1 << 30 && database / 10 > buffers }
    }

    package func memory() async throws(LedgerError) -> Memory {
        try await ask(
            .one(
                """
                SELECT pg_catalog.pg_database_size(current_database()),
                    pg_catalog.pg_size_bytes(current_setting('shared_buffers'))
                """
            ) { row in try row.make(Memory.init) })
    }

    /// How far the database's clock is ahead of ours, in seconds.
    ///
    /// The error is half the round trip, which a first question keeps free of what a first question costs.
    package func clockOffset() async throws(LedgerError) -> TimeInterval {
        _ = try await ask(Self.clock)
        let sent = Date.now
        let theirs = try await ask(Self.clock)
        let received = Date.now
        return theirs.timeIntervalSince(sent) - received.timeIntervalSince(sent) / 2
    }

    private static let clock = PostgresQuery<Date>.one("SELECT pg_catalog.clock_timestamp()")

    /// How many products are on sale.
    package func productsOnSale() async throws(LedgerError) -> Int64 {
        try await ask(.one("SELECT count(*) FROM product WHERE \(Product.isOnSale)"))
    }

    /// Whether lots count whole days unless a setting says otherwise.
    package func countsWholeDays() async throws(LedgerError) -> Bool {
        try await ask(.one("SELECT counts_whole_days FROM ledger"))
    }

    /// The endpoints that are not deleted, by the id of the key that their secret is made of.
    package func endpointsByKey() async throws(LedgerError) -> [String: [Int64]] {
        let endpoints = try await ask(
            PostgresQuery("SELECT secret_key_id, id FROM endpoint WHERE status <> 'deleted' ORDER BY id") {
                row -> (key: String, id: Int64) in (key: try row[0], id: try row[1])
            })
        return Dictionary(grouping: endpoints, by: \.key).mapValues { $0.map(\.id) }
    }

    private func ask<Answer>(_ query: PostgresQuery<Answer>) async throws(LedgerError) -> Answer {
        try await reading { try await connection.run(query) }
    }
}
