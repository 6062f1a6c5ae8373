import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

/// `ledgerd init` makes what `ledgerd check` finds good and `ledgerd serve` serves with.
@Suite(.serialized, .timeLimit(.minutes(20))) struct InitTests {
    /// The gateway's settings, which a person fills in.
    private static func filledIn(_ gateway: Gateway) -> [String: String] {
        [
            "LEDGERD_PORTONE_V1_URL": gateway.url, "LEDGERD_PORTONE_V1_KEY": "sandbox-key",
            "LEDGERD_PORTONE_V1_SECRET": "sandbox-secret", "LEDGERD_LISTEN": "127.0.0.1:0",
            "LEDGERD_REQUIRE_ORDERS": "false", "LEDGERD_CLAIM_GRACE": "0s",
            "LEDGERD_WEBHOOK_SOURCES": "52.78.100.19", "LEDGERD_TRUSTED_PROXIES": "127.0.0.1",
        ]
    }

    @Test func `what is made on an empty server passes the check, and sells coins`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let file = house.directory.appending(path: "ledgerd.json").path
                let admin = cluster.url + "&sslmode=verify-full&sslrootcert=\(cluster.certificate)"
                let made = try await house.run(
                    "init", "--admin-url", admin, "--host", "localhost:\(cluster.port)", "--output", file)
                #expect(made.exit == .code(0), "\(made)")
                for says in [
                    "made the roles ledgerd_owner and ledgerd", "migrations, as ledgerd_owner", "wrote \(file)",
                ] {
                    #expect(made.output.contains(says), "\(made)")
                }
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let written = JSON(Array(text.utf8))
                let secret = try #require(written["jwt_secret"].text)
                #expect(secret.count == 64 && !made.output.contains(secret))
                let owner = house.directory.appending(path: "ledgerd-migrate.json").path
                for path in [file, owner] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(path)")
                }
                #expect(!text.contains("ledgerd_owner"), "the service does not get the owner's password")

                let gateway = try await house.startGateway()
                let settings = Self.filledIn(gateway)
                let child = try house.start(["check", "--json", "--config", file], settings)
                #expect(try await child.exit() == .code(0), "\(child.standardOutput)")
                for check in JSON(Array(child.standardOutput.utf8))["checks"].elements {
                    // Nothing is on sale yet, and the tests' server does not wait for its disk.
                    let isExpected =
                        check["result"].text == "ok"
                        || ["products", "durability"].contains(check["check"].text)
                    #expect(isExpected, "\(check)")
                    if check["check"].text == "database TLS" { #expect(check["detail"].text == "TLSv1.3") }
                }

                let added = try await house.run(
                    "products", "add", "coins_100", "--title", "100 Coin", "--price", "1000", "--coins", "100",
                    "--config",
                    file)
                #expect(added.exit == .code(0), "\(added)")
                // What is empty is not set, so the file says it.
                let service = try await house.serve(
                    at: gateway,
                    settings.merging(
                        ["LEDGERD_CONFIG": file, "LEDGERD_DATABASE_URL": "", "LEDGERD_JWT_SECRET": ""]
                    ) { $1 })
                let token = try await house.run("token", "--sub", "ann", with: ["LEDGERD_JWT_SECRET": secret])
                let paid = try await gateway.pay()
                let answer = try await service.post(
                    "/v1/receipts", paid.receipt, as: String(token.output.dropLast()))
                #expect(answer.status == 201, "\(answer)")
                let migrated = try await house.run("migrate", "--config", owner)
                #expect(migrated.exit == .code(0) && migrated.output == "no pending migrations\n", "\(migrated)")
                try await service.end()
            }
        }
    }

    @Test func `what exists is named, and nothing is changed`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let connection = try await PostgresConnection.connect(cluster.superuser)
                let before = try await Self.names(connection)
                func refused(_ arguments: String..., says: [String]) async throws {
                    let file = house.directory.appending(path: "refused.json").path
                    let child = try house.start(["init", "--admin-url", cluster.url, "--output", file] + arguments)
                    #expect(try await child.exit() == .code(1), "\(child.standardOutput)")
                    StartTests.expectOneLine(child.standardError, says)
                    #expect(!FileManager.default.fileExists(atPath: file), "\(arguments)")
                }
                try await refused(
                    "--database", "postgres", says: ["already there: the database postgres", "Nothing was changed"])
                try await refused("--owner", "postgres", says: ["already there: the role postgres"])
                try await refused("--service", "Ledgerd", says: ["lower-case letters"])
                try await refused("--service", "ledgerd_owner", says: ["three roles"])
                // What fails in the middle leaves nothing either.
                try await connection.execute("ALTER DATABASE template0 ALLOW_CONNECTIONS true")
                let url = cluster.url.replacing("/postgres?", with: "/template0?")
                let template = try await PostgresConnection.connect(PostgresConfiguration(url: url))
                try await template.execute(
                    """
                    CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'not today'; END $$;
                    CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refuse();
                    """)
                await template.close()
                try await refused(says: ["not today"])
                #expect(try await Self.names(connection).subtracting(before) == ["ledgerd_service"])
                await connection.close()

                let file = house.directory.appending(path: "mine.json")
                try Data("{}".utf8).write(to: file)
                let kept = try await house.run("init", "--admin-url", cluster.url, "--output", file.path)
                #expect(kept.exit == .code(1))
                StartTests.expectOneLine(kept.errors, [file.path, "is not replaced"])
                #expect(try String(contentsOf: file, encoding: .utf8) == "{}")
            }
        }
    }

    @Test func `an administrator who is no superuser makes them too, as files for systemd`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let connection = try await PostgresConnection.connect(cluster.superuser)
                try await connection.execute("CREATE ROLE chief LOGIN CREATEROLE CREATEDB PASSWORD 'secret-word'")
                let url = house.directory.appending(path: "admin-url")
                try Data("postgresql://chief:secret-word@localhost:\(cluster.port)/postgres\n".utf8).write(to: url)
                for name in ["credentials", "migrate"] {
                    try FileManager.default.createDirectory(
                        at: house.directory.appending(path: "etc/\(name)"), withIntermediateDirectories: true)
                }
                let etc = house.directory.appending(path: "etc").path
                let made = try await house.run(
                    "init", "--admin-url-file", url.path, "--directory", etc, "--database", "shop", "--owner",
                    "shop_owner",
                    "--service", "shop_service")
                #expect(made.exit == .code(0), "\(made)")
                let names = try FileManager.default.contentsOfDirectory(atPath: etc + "/credentials")
                #expect(Set(names) == ["database_url", "jwt_secret", "seal_key", "endpoint_key", "forgetting_key"])
                func read(_ name: String) throws -> String {
                    String(try String(contentsOfFile: "\(etc)/\(name)", encoding: .utf8).dropLast())
                }
                #expect(try !read("credentials/database_url").contains("secret-word"))
                let migrated = try await house.run(
                    "migrate", with: ["LEDGERD_DATABASE_URL_FILE": etc + "/migrate/database_url"])
                #expect(migrated.output == "no pending migrations\n", "\(migrated)")
                // The administrator is no member of the owner afterwards.
                let members = try await connection.run(
                    PostgresQuery<Int64>.one(
                        """
                        SELECT count(*) FROM pg_auth_members
                        WHERE roleid = 'shop_owner'::regrole AND member = 'chief'::regrole AND NOT admin_option
                        """
                    ) { row in try row.decode(0, as: Int64.self) })
                #expect(members == 0)
                await connection.close()
                let gateway = try await house.startGateway()
                let service = try await house.serve(
                    at: gateway,
                    Self.filledIn(gateway).merging([
                        "LEDGERD_DATABASE_URL": "", "LEDGERD_JWT_SECRET": "",
                        "LEDGERD_DATABASE_URL_FILE": etc + "/credentials/database_url",
                        "LEDGERD_JWT_SECRET_FILE": etc + "/credentials/jwt_secret",
                    ]) { $1 })
                #expect(try await service.get("/health/ready").status == 200)
            }
        }
    }

    @Test func `the SQL that is printed makes the same`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let printed = try await house.run("init", "--print-sql")
                #expect(
                    printed.exit == .code(0) && printed.output.contains("CREATE DATABASE ledgerd OWNER ledgerd_owner"))
                let passwords = "\\set owner_password o\n\\set service_password s\n"
                _ = try await Tool.run(
                    "psql", ["-X", "-v", "ON_ERROR_STOP=1", cluster.url],
                    input: Array((passwords + printed.output).utf8))
                let place = "localhost:\(cluster.port)/ledgerd"
                let migrated = try await house.run(
                    "migrate", with: ["LEDGERD_DATABASE_URL": "postgresql://ledgerd_owner:o@\(place)"])
                #expect(migrated.exit == .code(0), "\(migrated)")
                let checked = try await house.run(
                    "check", with: ["LEDGERD_DATABASE_URL": "postgresql://ledgerd:s@\(place)"])
                #expect(checked.output.contains("what it needs and nothing more"), "\(checked)")
            }
        }
    }

    @Test func `a wrong option is named`() async throws {
        try await House.with { house in
            for (arguments, says) in [
                ([], "Give either --admin-url or --admin-url-file."),
                (["--admin-url", "postgresql:///postgres", "--stripes", "0"], "--stripes must be from 1 to 64."),
            ] {
                let child = try house.start(["init"] + arguments)
                #expect(try await child.exit() == .code(64))
                #expect(child.standardError.contains(says), "\(child.standardError)")
            }
        }
    }

    /// The roles and databases of the server.
    private static func names(_ connection: PostgresConnection) async throws -> Set<String> {
        Set(
            try await connection.run(
                PostgresQuery("SELECT rolname::text FROM pg_roles UNION ALL SELECT datname::text FROM pg_database") {
                    row in
                    try row.decode(0, as: String.self)
                }))
    }
}
