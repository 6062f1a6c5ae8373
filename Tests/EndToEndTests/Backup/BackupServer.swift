import Foundation
import LedgerTestSupport
import OutboundHTTP
import Postgres
import TestSupport
import Testing

/// A server with a ledger, whose backups and WAL go to a repository of pgBackRest's, by the files of `ops/backup`.
struct BackupServer: Sendable {
    let house: House
    let server: TestCluster

    /// Whether backups are tested: not in the fast tier, and with Debian's PostgreSQL only, because the tests' pgBackRest is
    /// Debian's too.
    static let isSupported =
        Effort.includesSlow && ProcessInfo.processInfo.environment["LEDGERD_TEST_POSTGRES_BIN"] == nil

    /// Where the files of `ops/backup` say `/etc` and `/var`, the test has directories of its own.
    private static let environment = [
        "PGBACKREST_CONFIG": "$DIRECTORY/pgbackrest.conf",
        "PGBACKREST_CONFIG_INCLUDE_PATH": "$DIRECTORY/conf.d",
        "PGBACKREST_REPO1_PATH": "$DIRECTORY/repository",
        "PGBACKREST_LOG_PATH": "$DIRECTORY",
        "PGBACKREST_LOCK_PATH": "$DIRECTORY/lock",
        "PGBACKREST_SPOOL_PATH": "$DIRECTORY/spool",
        "PGBACKREST_PG1_PATH": "$DIRECTORY/data",
        "PGBACKREST_PG1_SOCKET_PATH": "$DIRECTORY",
        "PGBACKREST_PG1_PORT": "$PORT",
        "PGBACKREST_PG1_USER": "postgres",
    ]

    static func with(_ body: (BackupServer) async throws -> Void) async throws {
        let settings = try shipped("postgresql.conf")
        try await House.with { house in
            try await TestCluster.with(environment: environment, settings: settings) { server in
                let backup = BackupServer(house: house, server: server)
                try await backup.prepare()
                try await body(backup)
            }
        }
    }

    private static func shipped(_ name: String) throws -> String {
        try String(contentsOf: House.sources.appending(path: "ops/backup/\(name)"), encoding: .utf8)
    }

    private func prepare() async throws {
        try FileManager.default.createDirectory(
            at: server.directory.appending(path: "conf.d"), withIntermediateDirectories: true)
        let passphrase = UUID().uuidString
        for (name, text) in [
            "pgbackrest.conf": try Self.shipped("pgbackrest.conf"),
            "conf.d/cipher.conf": "[global]\nrepo1-cipher-pass=\(passphrase)\n",
        ] { try Data(text.utf8).write(to: server.directory.appending(path: name)) }
        try await server.run("pgbackrest --stanza=ledgerd stanza-create")
        try await execute(
            """
            CREATE ROLE ledgerd_owner LOGIN;
            CREATE ROLE ledgerd_service NOLOGIN;
            CREATE ROLE ledgerd LOGIN IN ROLE ledgerd_service;
            """, in: "postgres")
        try await execute("CREATE DATABASE ledgerd OWNER ledgerd_owner", in: "postgres")
        try await execute("ALTER SCHEMA public OWNER TO ledgerd_owner")
        let migrated = try await house.run(
            "migrate", with: ["LEDGERD_DATABASE_URL": server.url(user: "ledgerd_owner", database: "ledgerd")])
        #expect(migrated.exit == .code(0), "\(migrated)")
        try await execute(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins)
            VALUES ('coins_100', '100 Coin', 1000, 'KRW', 100, 0)
            """)
    }

    /// Has the service's own address of the database.
    var settings: [String: String] { ["LEDGERD_DATABASE_URL": server.url(user: "ledgerd", database: "ledgerd")] }

    func backUp(_ type: String) async throws {
        try await server.run("pgbackrest --stanza=ledgerd --type=\(type) backup")
    }

    /// Has what was written by now archived.
    func archive() async throws {
        let segment = try await texts("SELECT pg_walfile_name(pg_switch_wal())")[0]
        try await eventually("the segment is archived") {
            try await texts("SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver")[0] >= segment
        }
    }

    /// Restores the last backup with its WAL in the place of the data that is gone, and starts the server.
    func restore() async throws {
        try await server.run("install -d -m 700 data; pgbackrest --stanza=ledgerd restore")
        try await server.start()
    }

    /// Executes statements as the superuser.
    func execute(_ sql: String, in database: String = "ledgerd") async throws {
        try await PostgresConnection.with(PostgresConfiguration(url: server.url(user: "postgres", database: database)))
        { connection in
            try await connection.execute(sql)
        }
    }

    /// The first column of each row.
    func texts(_ sql: String) async throws -> [String] {
        try await PostgresConnection.with(PostgresConfiguration(url: server.url(user: "postgres", database: "ledgerd")))
        { connection in
            try await connection.run(PostgresQuery(sql) { row in try row.decode(0, as: String.self) })
        }
    }
}

extension House {
    /// The project's directory.
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
