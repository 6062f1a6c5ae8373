import Testing

extension CheckTests {
    /// A mistake, the checks that it changes, and what the first of them says.
    private struct Mistake {
        let name: String
        var settings: [String: String?] = [:]
        /// What the tables' owner, or the administrator, did.
        var statement = ""
        let finding: (check: String, result: String, says: String)
        /// Further checks that can't be made then, or find the same.
        var others: Set<String> = []
    }

    @Test func `each of these mistakes is named, and the other checks are made`() async throws {
        try await House.with { house in
            let good = try await Self.goodSettings(house)
            let usual = Self.results(try await Self.check(house, good).body)
            let clock = try await HourAhead(in: house.directory)
            for mistake in Self.mistakes(house, port: clock.port) {
                let connection = try await house.ledger.database.connect()
                // A mistake in the database is undone by its transaction's twin below.
                if !mistake.statement.isEmpty { try await connection.execute(mistake.statement) }
                var settings = good
                for (name, value) in mistake.settings { settings[name] = value }
                let report = try await Self.check(house, settings)
                await connection.close()
                let expected = mistake.finding
                let said = report.body["checks"].elements.filter {
                    $0["check"].text == expected.check && $0["result"].text == expected.result
                }
                let texts = said.map { ($0["detail"].text ?? "") + " " + ($0["advice"].text ?? "") }
                #expect(texts.contains { $0.contains(expected.says) }, "\(mistake.name): \(report.output)")
                #expect(report.exit == .code(expected.result == "failed" ? 1 : 0), "\(mistake.name): \(report.output)")
                let changed = Self.results(report.body).filter { usual[$0.key] != $0.value }.keys
                #expect(
                    Set(changed).subtracting(mistake.others).union([expected.check]) == [expected.check]
                        && changed.contains(expected.check), "\(mistake.name): \(report.output)")
                for secret in ["secret-word", Token.secret, "sandbox-secret", "sandbox-v2-secret"] {
                    #expect(!report.output.contains(secret), "\(mistake.name): \(report.output)")
                }
                #expect(!report.output.lowercased().contains("sqlstate"))
                if !mistake.statement.isEmpty { try await Self.undo(house) }
            }
        }
    }

    static let database: Set<String> = [
        "database", "database TLS", "migrations", "database role", "database rights", "database clock", "durability",
        "database memory", "products", "days of lots", "endpoint keys",
    ]

    private static func mistakes(_ house: House, port clock: Int) -> [Mistake] {
        let (_, port) = house.ledger.database.server.address
        let name = house.ledger.database.name
        let byTCP = "127.0.0.1:\(port)/\(name)"
        return [
            Mistake(
                name: "a wrong password",
                settings: ["LEDGERD_DATABASE_URL": "postgresql://ledgerd_test_service:secret-word@\(byTCP)"],
                finding: ("database", "failed", "refused the log-in"), others: database),
            Mistake(
                name: "TLS that the database has not",
                settings: [
                    "LEDGERD_DATABASE_URL": "postgresql://ledgerd_test_service:secret-word@\(byTCP)?sslmode=require"
                ],
                finding: ("database", "failed", "no TLS connection"), others: database),
            Mistake(
                name: "a database that is not there",
                settings: ["LEDGERD_DATABASE_URL": "postgresql://ledgerd:secret-word@127.0.0.1:9/ledgerd"],
                finding: ("database", "failed", "can't be reached"), others: database),
            Mistake(
                name: "the tables' owner", settings: ["LEDGERD_DATABASE_URL": house.ledger.ownerURL],
                finding: ("database role", "failed", "can rewrite the books")),
            Mistake(
                name: "a right too little", statement: "REVOKE INSERT ON posting FROM ledgerd_service",
                finding: ("database rights", "failed", "missing: INSERT on posting")),
            Mistake(
                name: "a right too much", statement: "GRANT DELETE ON receipt_retry TO ledgerd_service",
                finding: ("database rights", "warning", "DELETE on receipt_retry")),
            Mistake(
                name: "a key of endpoints that was removed",
                statement: """
                    INSERT INTO endpoint (
                        url, description, types, users, secret_key_id, secret_salt, created_by, idempotency_key, fingerprint)
                    VALUES ('https://example.com/', '', '{}', '{}', 'gone', '', 'ann', 'key', 'body')
                    """,
                finding: ("endpoint keys", "failed", "LEDGERD_ENDPOINT_KEY")),
            Mistake(
                name: "a pending migration", statement: "DELETE FROM migration WHERE name = 'baseline'",
                finding: ("migrations", "failed", "ledgerd migrate"),
                others: ["database role", "database rights", "products", "days of lots", "endpoint keys"]),
            Mistake(
                name: "a wrong secret of V1", settings: ["LEDGERD_PORTONE_V1_SECRET": "secret-word"],
                finding: ("PortOne V1 keys", "failed", "LEDGERD_PORTONE_V1_SECRET")),
            Mistake(
                name: "a wrong secret of V2", settings: ["LEDGERD_PORTONE_V2_SECRET": "secret-word"],
                finding: ("PortOne V2 keys", "failed", "LEDGERD_PORTONE_V2_SECRET")),
            Mistake(
                name: "another's store", settings: ["LEDGERD_PORTONE_V2_STORE_ID": "store-of-others"],
                finding: ("PortOne V2 keys", "failed", "LEDGERD_PORTONE_V2_STORE_ID")),
            Mistake(
                name: "a gateway that is not there", settings: ["LEDGERD_PORTONE_V1_URL": "http://127.0.0.1:9"],
                finding: ("PortOne V1 keys", "failed", "unreachable"), others: ["PortOne V1 clock"]),
            Mistake(
                name: "a wrong clock", settings: ["LEDGERD_PORTONE_V1_URL": "http://127.0.0.1:\(clock)"],
                finding: ("PortOne V1 clock", "failed", "ahead of ours")),
            Mistake(
                name: "no secret of webhooks", settings: ["LEDGERD_PORTONE_V2_WEBHOOK_SECRET": nil],
                finding: ("webhooks V2", "warning", "LEDGERD_PORTONE_V2_WEBHOOK_SECRET")),
            Mistake(
                name: "a short secret of webhooks", settings: ["LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "secret-word"],
                finding: ("settings", "failed", "at least 24 bytes"),
                others: ["PortOne V2 keys", "PortOne V2 TLS", "PortOne V2 clock", "webhooks V2"]),
            Mistake(
                name: "webhooks of anybody", settings: ["LEDGERD_WEBHOOK_SOURCES": nil],
                finding: ("webhooks V1", "warning", "from any address")),
            Mistake(
                name: "a proxy that is not set", settings: ["LEDGERD_TRUSTED_PROXIES": nil],
                finding: ("webhooks V1", "warning", "LEDGERD_TRUSTED_PROXIES")),
            Mistake(
                name: "token keys that can't be read",
                settings: ["LEDGERD_JWT_SECRET": nil, "LEDGERD_JWT_JWKS": "/nowhere.json"],
                finding: ("token keys", "failed", "/nowhere.json can't be read")),
            Mistake(
                name: "a misspelt variable", settings: ["LEDGERD_WRITER": "secret-word"],
                finding: ("settings", "failed", "did you mean LEDGERD_WRITERS?")),
            Mistake(
                name: "a value out of its range", settings: ["LEDGERD_WRITERS": "0"],
                finding: ("settings", "failed", "from 1 to 64")),
            Mistake(
                name: "a port in use", settings: ["LEDGERD_LISTEN": "127.0.0.1:\(clock)"],
                finding: ("listen", "failed", "in use")),
            Mistake(
                name: "a port of monitoring in use", settings: ["LEDGERD_ADMIN_LISTEN": "127.0.0.1:\(clock)"],
                finding: ("admin_listen", "failed", "in use")),
            Mistake(
                name: "no seal key", settings: ["LEDGERD_SEAL_KEY": nil],
                finding: ("seal key", "warning", "ledgerd seal keygen")),
            Mistake(
                name: "no reconciliation", settings: ["LEDGERD_RECONCILE_AT": "off"],
                finding: ("reconciliation", "warning", "LEDGERD_RECONCILE_AT")),
            Mistake(
                name: "no sweeps", settings: ["LEDGERD_SWEEP_INTERVAL": "off"],
                finding: ("sweep", "warning", "LEDGERD_SWEEP_INTERVAL")),
            Mistake(
                name: "test payments", settings: ["LEDGERD_ALLOW_TEST_PAYMENTS": "true"],
                finding: ("test payments", "warning", "LEDGERD_ALLOW_TEST_PAYMENTS")),
        ]
    }

    /// The state of the database as it was before any of the mistakes.
    private static func undo(_ house: House) async throws {
        try await house.ledger.database.connect().execute(
            """
            GRANT INSERT ON posting TO ledgerd_service;
            REVOKE DELETE ON receipt_retry FROM ledgerd_service;
            DELETE FROM endpoint;
            """)
        let checksum = try await house.books.texts("SELECT checksum FROM migration WHERE name = 'baseline'")
        guard checksum.isEmpty else { return }
        try await house.ledger.database.connect().execute(
            "INSERT INTO migration (version, name, checksum) SELECT version, name, checksum FROM migration_before"
                + " WHERE name = 'baseline'")
    }
}
