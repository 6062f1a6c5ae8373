import Foundation
import TestSupport
import Testing

/// `serve` does not start on what it can't serve with, and says why in one line.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StartTests {
    @Test func `a wrong setting is named with its rule and without its value`() async throws {
        try await House.with { house in
            let cases: [(changes: [String: String?], says: [String])] = [
                (["LEDGERD_JWT_SECRET": "too short"], ["LEDGERD_JWT_SECRET", "32 bytes"]),
                (["LEDGERD_JWT_SECRET": nil], ["jwt_secret", "jwt_jwks"]),
                (["LEDGERD_PORTONE_V1_SECRET": nil], ["portone_v1_key", "portone_v1_secret"]),
                (["LEDGERD_PORTONE_V1_KEY": nil], ["portone_v1_key", "portone_v1_secret"]),
                (
                    ["LEDGERD_PORTONE_V1_KEY": nil, "LEDGERD_PORTONE_V1_SECRET": nil],
                    ["portone_v1_secret", "LEDGERD_PORTONE_V1_SECRET"]
                ),
                (["LEDGERD_PORTONE_V1_URL": "http://gateway.example"], ["LEDGERD_PORTONE_V1_URL", "https"]),
                (["LEDGERD_DATABASE_URL": nil], ["database_url", "--database-url", "LEDGERD_DATABASE_URL"]),
                (["LEDGERD_DATABASE_URL": "nonsense://secret-word@x"], ["LEDGERD_DATABASE_URL", "libpq URI"]),
                (["LEDGERD_LISTEN": "8080"], ["LEDGERD_LISTEN", "host:port"]),
                (["LEDGERD_WRITERS": "0"], ["LEDGERD_WRITERS", "from 1 to 64"]),
                (["LEDGERD_SHUTDOWN_DEADLINE": "soon"], ["LEDGERD_SHUTDOWN_DEADLINE", "duration"]),
                (["LEDGERD_LOG_FORMAT": "xml"], ["LEDGERD_LOG_FORMAT", "text, json"]),
                (["LEDGERD_APP_KEYS": "short-app-key"], ["LEDGERD_APP_KEYS", "at least 16"]),
                (["LEDGERD_PORTONE_V2_WEBHOOK_SECRET": ""], ["LEDGERD_PORTONE_V2_WEBHOOK_SECRET", "not empty"]),
                (["LEDGERD_JWT_JWKS": "/nowhere.json"], ["jwt_secret", "jwt_jwks"]),
                (["LEDGERD_JWT_SECRET": nil, "LEDGERD_JWT_JWKS": "/nowhere.json"], ["jwt_jwks", "/nowhere.json"]),
                (["LEDGERD_CONFIG": "/nowhere.json"], ["/nowhere.json", "can't be read"]),
            ]
            for (changes, says) in cases {
                var settings = house.settings()
                for (name, value) in changes { settings[name] = value }
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit != .code(0))
                Self.expectOneLine(errors, says)
                for secret in ["too short", "secret-word", "sandbox-secret", Token.secret] {
                    #expect(!errors.contains(secret), "\(errors)")
                }
            }
        }
    }

    @Test func `an unverified remote database gets a warning`() async throws {
        try await House.with { house in
            // The first of its hosts can't be reached, the second is this machine's socket.
            var settings = house.settings()
            settings["LEDGERD_DATABASE_URL"] = house.ledger.serviceURL.replacing("host=", with: "host=db.invalid,")
            let remote = try await house.serve(at: nil, settings)
            let warnings = remote.log.split(separator: "\n").filter { $0.contains("sslmode=verify-full") }
            #expect(warnings.count == 1 && warnings.first?.contains("hosts=db.invalid") == true, "\(warnings)")
            let local = try await house.serve()
            #expect(!local.log.contains("sslmode"))
        }
    }

    @Test func `a schema of another version is named`() async throws {
        try await House.with { house in
            try await house.books.execute("UPDATE migration SET checksum = 'x' WHERE name = 'baseline'")
            var ended = try await house.run("serve", with: house.settings())
            #expect(ended.exit == .code(1))
            Self.expectOneLine(ended.errors, ["0148_baseline", "altered"])

            try await house.books.execute("DELETE FROM migration")
            ended = try await house.run("serve", with: house.settings())
            #expect(ended.exit == .code(1))
            Self.expectOneLine(ended.errors, ["migrations are pending (0148_baseline", "ledgerd migrate"])

            try await house.books.execute(
                "INSERT INTO migration (version, name, checksum) VALUES (9999, 'from_the_future', 'x')")
            ended = try await house.run("serve", with: house.settings())
            #expect(ended.exit == .code(1))
            Self.expectOneLine(ended.errors, ["9999", "this binary does not know it"])
        }
    }

    @Test func `an unavailable database is waited for`() async throws {
        try await Self.withoutDatabase { house, proxy, url in
            let settings = house.settings().merging(url.merging(["LEDGERD_DATABASE_PATIENCE": "600s"]) { $1 }) { $1 }
            let child = try house.start(["serve"], settings)
            try await eventually("it waits") { child.standardError.contains("waiting for the database") }
            try proxy.accept()
            try await eventually("it serves") { child.standardError.contains("serving address=") }
        }
    }

    @Test(.enabled(if: Effort.includesSlow))
    func `an unavailable database is given up after a while`() async throws {
        try await Self.withoutDatabase { house, _, url in
            let settings = house.settings().merging(url.merging(["LEDGERD_DATABASE_PATIENCE": "2s"]) { $1 }) { $1 }
            let start = ContinuousClock.now
            let (exit, _, errors) = try await house.run("serve", with: settings)
            #expect(exit == .code(1))
            #expect(ContinuousClock.now - start >= .seconds(1))
            #expect(errors.contains("waiting for the database"))
            Self.expectOneLine(errors, ["the database can't be reached", "Connection refused"])
        }
    }

    /// Lends a house whose database refuses connections, and the setting with its URL.
    private static func withoutDatabase(
        _ body: (House, FaultProxy, [String: String]) async throws -> Void
    ) async throws {
        try await House.with { house in
            try await FaultProxy.with(house.ledger.database.server) { proxy in
                proxy.refuse()
                try await body(house, proxy, ["LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy)])
            }
        }
    }

    @Test func `a wrong password is reported at once, without waiting`() async throws {
        try await House.with { house in
            let (host, port) = house.ledger.database.server.address
            try #require(host.hasPrefix("/"), "the test server is reached by its socket")
            // Whoever comes by the socket is trusted; by TCP the server asks for a password.
            let server = house.ledger.database.server
            for url in [
                "postgresql://ledgerd_test_service:secret-word@127.0.0.1:\(port)/\(house.ledger.database.name)",
                server.url(database: "there_is_none", ["user": "ledgerd_test_service"]),
                server.url(database: house.ledger.database.name, ["user": "nobody_of_that_name"]),
            ] {
                var settings = house.settings()
                settings["LEDGERD_DATABASE_URL"] = url
                settings["LEDGERD_DATABASE_PATIENCE"] = "600s"
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit == .code(1))
                #expect(!errors.contains("waiting for the database"), "\(errors)")
                #expect(!errors.contains("secret-word"), "\(errors)")
                Self.expectOneLine(errors, ["refused the log-in"])
            }
        }
    }

    @Test func `the owner of the tables is refused unless allowed`() async throws {
        try await House.with { house in
            var settings = house.settings()
            for url in [house.ledger.ownerURL, house.ledger.database.url] {
                settings["LEDGERD_DATABASE_URL"] = url
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit == .code(1))
                Self.expectOneLine(errors, ["role", "change the books", "ledgerd_service", "LEDGERD_ALLOW_OWNER"])
            }
            settings["LEDGERD_ALLOW_OWNER"] = "true"
            let child = try house.start(["serve"], settings)
            try await eventually("it serves") { child.standardError.contains("serving address=") }
            #expect(child.standardError.contains("can change the books"))
        }
    }

    @Test func `a misspelt variable is named with the one that is meant`() async throws {
        try await House.with { house in
            for (name, says) in [
                ("LEDGERD_WRITER", "did you mean LEDGERD_WRITERS?"),
                ("LEDGERD_PORTONE_V1_SECRT", "did you mean LEDGERD_PORTONE_V1_SECRET?"),
                ("LEDGERD_NOTHING_OF_THE_KIND", "unknown setting"),
            ] {
                let settings = house.settings().merging([name: "secret-word"]) { $1 }
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit == .code(1))
                Self.expectOneLine(errors, [name, says])
                #expect(!errors.contains("secret-word"))
            }
            let file = house.directory.appending(path: "settings.json")
            try Data(#"{"writer": 2}"#.utf8).write(to: file)
            let settings = house.settings().merging(["LEDGERD_CONFIG": file.path]) { $1 }
            let (_, _, errors) = try await house.run("serve", with: settings)
            Self.expectOneLine(errors, ["unknown setting writer", "did you mean writers?"])
        }
    }

    @Test func `a port in use is named`() async throws {
        try await House.with { house in
            let first = try await house.serve()
            let settings = house.settings().merging(["LEDGERD_LISTEN": "127.0.0.1:\(first.port)"]) { $1 }
            let (exit, _, errors) = try await house.run("serve", with: settings)
            #expect(exit == .code(1))
            Self.expectOneLine(errors, ["127.0.0.1:\(first.port)", "in use"])
            let alarms = errors.split(separator: "\n").filter { $0.contains(" warning ") || $0.contains(" error ") }
            #expect(alarms.isEmpty, "\(alarms)")
            #expect(try await first.get("/health/live").status == 200)

            let gateway = try await house.startGateway()
            let sandbox = try house.startSandbox("--listen", "127.0.0.1:\(gateway.port)")
            #expect(try await sandbox.exit() == .code(1))
            Self.expectOneLine(sandbox.standardError, ["127.0.0.1:\(gateway.port)", "in use"])
        }
    }

    @Test func `settings come from flags and files too`() async throws {
        try await House.with { house in
            let settings = house.settings().filter { $0.key != "LEDGERD_LOG_FORMAT" }
            let child = try house.start(
                ["serve", "--log-format", "json", "--log-level", "debug", "--writers", "1"], settings)
            try await eventually("it serves") { child.standardError.contains(#""msg":"serving""#) }
            for line in child.standardError.split(separator: "\n") {
                let event = JSON(Array(line.utf8))
                #expect(event["ts"].text != nil && event["level"].text != nil && event["msg"].text != nil, "\(line)")
            }
            #expect(!child.standardError.contains("sandbox-secret"))
            #expect(!child.standardError.contains(Token.secret))
        }
    }

    @Test func `one line says what was started`() async throws {
        try await House.with { house in
            let service = try await house.serve(["LEDGERD_GRANT_LIMIT": "500"])
            let lines = service.log.split(separator: "\n").filter { $0.contains("127.0.0.1:\(service.port)") }
            #expect(lines.count == 1, "\(service.log)")
            let line = try #require(lines.first)
            for part in ["serving address=", " grant_limit=500", " jwt_secret=set", " version="] {
                #expect(line.contains(part), "\(line)")
            }
            #expect(!line.contains("refund_free_days"))
        }
    }

    /// Expects the last line to be the error, in words and not in Swift, after nothing but log lines.
    static func expectOneLine(
        _ errors: String, _ says: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lines = errors.split(separator: "\n").filter { !$0.hasPrefix("20") }
        #expect(lines.count == 1, "\(errors)", sourceLocation: sourceLocation)
        let line = String(lines.last ?? "")
        #expect(line.hasPrefix("Error: "), "\(line)", sourceLocation: sourceLocation)
        for text in says { #expect(line.contains(text), "\(line)", sourceLocation: sourceLocation) }
        for dump in ["(code:", "Optional(", "Swift.", "errno:", "NIO", "Postgres.", "Ledger."] {
            #expect(!line.contains(dump), "\(line)", sourceLocation: sourceLocation)
        }
    }
}
