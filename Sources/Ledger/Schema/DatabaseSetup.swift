package import Postgres

/// The database of a new ledger and its two roles: the owner of the tables, who migrates, and the service's, which owns
/// nothing.
///
/// The one place that says how they are made: `ledgerd init` makes them so, and prints the same for administrators.
package struct DatabaseSetup: Sendable {
    package let database: String
    package let owner: String
    package let service: String

    /// The names, each a lower-case SQL identifier.
    ///
    /// - Throws: ``LedgerError/Code/invalid``.
    package init(
        database: String = "ledgerd", owner: String = "ledgerd_owner", service: String = "ledgerd"
    ) throws(LedgerError) {
        for name in [database, owner, service] where name.wholeMatch(of: #/[a-z_][a-z0-9_]{0,62}/#) == nil {
            throw LedgerError(.invalid, "\(name) is not a name of lower-case letters, digits and underscores")
        }
        guard Set([owner, service, ServiceRole.group]).count == 3 else {
            throw LedgerError(.invalid, "owner, service and \(ServiceRole.group) must be three roles")
        }
        self.database = database
        self.owner = owner
        self.service = service
    }

    /// The statements that make the roles; the passwords are SQL literals, or variables of psql.
    package func roles(ownerPassword: String, servicePassword: String) -> [String] {
        [
            "CREATE ROLE \(owner) LOGIN PASSWORD \(ownerPassword)",
            """
            DO $$ BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(ServiceRole.group)') THEN
                    CREATE ROLE \(ServiceRole.group) NOLOGIN;
                END IF;
            END $$
            """,
            "CREATE ROLE \(service) LOGIN PASSWORD \(servicePassword) IN ROLE \(ServiceRole.group)",
        ]
    }

    /// The statement that makes the database, which can't be part of a transaction.
    package var createDatabase: String {
        "CREATE DATABASE \(database) OWNER \(owner) TEMPLATE template0 ENCODING 'UTF8'"
    }

    /// All of it for psql, which asks for the passwords' variables.
    package var script: String {
        (roles(ownerPassword: ":'owner_password'", servicePassword: ":'service_password'") + [createDatabase])
            .map { "\($0);\n" }.joined()
    }
}

extension DatabaseSetup {
    /// The passwords of the roles.
    package struct Passwords: Sendable {
        let owner: String
        let service: String

        package init(owner: String, service: String) {
            self.owner = owner
            self.service = service
        }
    }

    /// Makes roles, database and ledger; after a failure none of what it made is left.
    ///
    /// - Parameters:
    ///   - admin: a role that may create roles and databases.
    ///   - stripes: how many stripes the ledger gets, 1 to 64.
    ///   - report: told of each step after it was done.
    /// - Throws: ``LedgerError/Code/invalid`` when something of it exists, or the server is too old.
    package func create(
        as admin: PostgresConfiguration, passwords: Passwords, stripes: Int64,
        report: @Sendable @escaping (String) -> Void
    ) async throws(LedgerError) {
        try await reading {
            try await PostgresConnection.requireOwnSessions(admin)
            try await PostgresConnection.with(admin.forSetup) { connection in
                try await requireNew(on: connection)
                try await createRoles(passwords, on: connection)
                report("made the roles \(owner) and \(service)")
                do {
                    try await connection.execute(createDatabase)
                    report("made the database \(database)")
                    try await Migrator(configuration: ownerSession(of: admin)).migrate(stripes: stripes)
                    report("applied the schema and its migrations, as \(owner)")
                    try await endMembership(on: connection)
                } catch {
                    await undo(on: connection)
                    throw error
                }
            }
        }
    }

    private func requireNew(on connection: PostgresConnection) async throws {
        let version = try await connection.run(Self.version)
        guard version >= 150_000 else { throw LedgerError(.invalid, "PostgreSQL 15 or newer is needed") }
        let existing = try await connection.run(
            PostgresQuery<[String]>(
                """
                SELECT 'the role ' || rolname FROM pg_roles WHERE rolname IN ($1, $2)
                UNION ALL SELECT 'the database ' || datname FROM pg_database WHERE datname = $3
                ORDER BY 1
                """, [owner, service, database]))
        guard existing.isEmpty else {
            let names = existing.joined(separator: ", ")
            throw LedgerError(
                .invalid, "already there: \(names). Nothing was changed; choose other names, or remove what is there")
        }
    }

    private static let version = PostgresQuery<Int64>.one(
        "SELECT current_setting('server_version_num')::int8")

    /// In one transaction, all or none.
    ///
    /// Who is no superuser must belong to the owner to create its database, and to act as it.
    private func createRoles(_ passwords: Passwords, on connection: PostgresConnection) async throws {
        try await connection.transaction { connection in
            let statements = roles(
                ownerPassword: "'\(try connection.verifier(ofPassword: passwords.owner, for: owner))'",
                servicePassword: "'\(try connection.verifier(ofPassword: passwords.service, for: service))'")
            for statement in statements { try connection.execute(statement) }
            if try !connection.run(Self.isSuperuser) { try connection.execute("GRANT \(owner) TO CURRENT_USER") }
        }
    }

    private func endMembership(on connection: PostgresConnection) async throws {
        guard try await !connection.run(Self.isSuperuser) else { return }
        try await connection.execute("REVOKE \(owner) FROM CURRENT_USER")
    }

    private static let isSuperuser = PostgresQuery<Bool>.one(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")

    /// The administrator's session in the new database, acting as the owner: whether the owner itself may log in from
    /// here is for pg_hba.conf to say.
    private func ownerSession(of admin: PostgresConfiguration) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url: admin.url(database: database))
        configuration.settings["role"] = owner
        return configuration
    }

    /// The group stays: other ledgers of the server may use it.
    private func undo(on connection: PostgresConnection) async {
        try? await connection.execute("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
        try? await connection.execute("DROP ROLE IF EXISTS \(service)")
        try? await connection.execute("DROP ROLE IF EXISTS \(owner)")
    }
}

extension PostgresConfiguration {
    /// Making a database copies a template, and waits for a checkpoint.
    fileprivate var forSetup: PostgresConfiguration {
        var configuration = self
        configuration.statementTimeout = .seconds(300)
        return configuration
    }
}
