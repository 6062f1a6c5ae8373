package import Postgres

/// A throwaway database of the test server.
package struct TestDatabase: Sendable {
    package let server: TestServer
    package let name: String

    /// The superuser's URL of the database.
    package var url: String {
        server.url(database: name)
    }

    /// The superuser's configuration of the database.
    package var configuration: PostgresConfiguration {
        get throws { try PostgresConfiguration(url: url) }
    }

    /// The superuser's configuration of the database, through a proxy.
    package func configuration(through proxy: FaultProxy) throws -> PostgresConfiguration {
        try PostgresConfiguration(url: server.url(database: name, through: proxy))
    }

    /// Connects as the superuser.
    package func connect() async throws -> PostgresConnection {
        try await PostgresConnection.connect(.unhurried(url))
    }

    /// Makes a database, lends it, and drops it with whatever sessions it still has.
    ///
    /// - Parameter template: A database to copy, to which nobody may be connected.
    package static func with<Output>(
        template: String? = nil, _ body: (TestDatabase) async throws -> Output
    ) async throws -> Output {
        let database = try await create(template: template)
        do {
            let output = try await body(database)
            try await database.drop()
            return output
        } catch {
            // The test's own error says more than one of cleaning up.
            try? await database.drop()
            throw error
        }
    }

    /// Makes a database, to be dropped by ``drop()``.
    ///
    /// The server copies the template's files, which takes a third of the work of its usual way, by the WAL.
    ///
    /// - Parameter server: nil: the server of the environment.
    package static func create(
        on server: TestServer? = nil, name: String? = nil, template: String? = nil
    ) async throws -> TestDatabase {
        let server = try server ?? TestServer()
        let name = name ?? "ledgerd_test_\(Fresh.word)"
        let clause = template.map { " TEMPLATE \"\($0)\"" } ?? ""
        try await server.execute("CREATE DATABASE \"\(name)\"\(clause) STRATEGY file_copy")
        return TestDatabase(server: server, name: name)
    }

    /// Drops the database and ends its sessions.
    package func drop() async throws {
        try await server.execute("DROP DATABASE IF EXISTS \"\(name)\" WITH (FORCE)")
    }
}

extension TestServer {
    /// Runs statements as the superuser, in the superuser's own database.
    ///
    /// The environment's server keeps some sessions for it, for a test would else begin two more.
    package func execute(_ sql: String) async throws {
        guard url == (try? TestServer())?.url else {
            return try await PostgresConnection.with(configuration) { try await $0.execute(sql) }
        }
        try await Self.pool.get().withConnection(within: Patience.hang) { try await $0.execute(sql) }
    }

    private static let pool = Result { try PostgresPool(TestServer().configuration, size: 16) }

    private var configuration: PostgresConfiguration {
        get throws { try .unhurried(url()) }
    }
}

extension PostgresConfiguration {
    /// A session with time limits that no machine is too slow for, unless a test sets its own.
    package static func unhurried(_ url: String) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url: url)
        configuration.limitFactor = 100
        return configuration
    }
}

extension PostgresConnection {
    /// Makes the database refuse what the WAL is asked, as Aurora does, whose instances share their storage.
    ///
    /// For a superuser in a database that is dropped afterwards.
    package func withholdWALFunctions() throws {
        let refusals = ["pg_current_wal_lsn", "pg_current_wal_flush_lsn"].map { name in
            """
            ALTER FUNCTION pg_catalog.\(name)() RENAME TO withheld_\(name);
            CREATE FUNCTION pg_catalog.\(name)() RETURNS pg_lsn LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'wal_level must be set to ''logical''' USING ERRCODE = '55000'; END $$;
            """
        }
        try execute("SET allow_system_table_mods = on; " + refusals.joined(separator: "\n"))
    }
}
