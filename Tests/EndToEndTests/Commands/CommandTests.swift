import TestSupport
import Testing

/// What an operator types.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CommandTests {
    @Test func `help and version are printed, and an unknown command is not`() async throws {
        try await House.with { house in
            // All other commands' help is tested without processes.
            for command in [[], ["products", "add"]] {
                let child = try house.start(command + ["--help"])
                #expect(try await child.exit() == .code(0), "\(command)")
                let help = child.standardOutput
                #expect(help.contains("OVERVIEW: ") && help.contains("USAGE: ledgerd"), "\(command): \(help)")
                #expect(child.standardError.isEmpty)
            }
            let version = try await house.run("--version")
            #expect(version.exit == .code(0) && version.output.contains(/^\d+\.\d+\.\d+ \(.+\)\n$/))
            let unknown = try await house.run("serv")
            #expect(unknown.exit == .code(64) && unknown.errors.contains("'serv'; did you mean 'ledgerd serve'?"))
        }
    }

    @Test func `migrate shows and applies what is pending`() async throws {
        try await House.with { house in
            let database = house.ledger.database
            try await database.server.execute("ALTER DATABASE \"\(database.name)\" OWNER TO ledgerd_test_owner")
            let owner = ["LEDGERD_DATABASE_URL": house.ledger.ownerURL]
            for _ in 0..<2 {
                let ended = try await house.run("migrate", with: owner)
                #expect(ended.exit == .code(0) && ended.output == "no pending migrations\n", "\(ended)")
            }
            try await house.books.execute("UPDATE judge_file SET checksum = 'x' WHERE name = 'console'")
            for _ in 0..<2 {
                let dry = try await house.run("migrate", "--dry-run", with: owner)
                #expect(dry.exit == .code(0) && dry.output.contains("pending: judges/console"), "\(dry)")
                #expect(dry.output.contains("CREATE OR REPLACE FUNCTION judge_approval"))
            }
            let debug = ["--log-level", "debug"]
            for (options, log) in [([String](), ""), (debug, "ledgerd: applied judges/console\n")] {
                try await house.books.execute("UPDATE judge_file SET checksum = 'x' WHERE name = 'console'")
                let child = try house.start(["migrate"] + options, owner)
                #expect(try await child.exit() == .code(0), "\(child.standardError)")
                #expect(child.standardOutput.wholeMatch(of: /applied 1 file of functions in \d+\.\d s\n/) != nil)
                #expect(child.standardError.hasSuffix(log) && child.standardError.isEmpty == log.isEmpty)
            }

            let service = try await house.run("migrate", with: ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
            #expect(service.exit == .code(1))
            StartTests.expectOneLine(service.errors, ["role", "permission denied"])
            let stripes = try await house.run("migrate", "--stripes", "65", with: owner)
            #expect(stripes.exit != .code(0) && stripes.errors.contains("1 to 64"), "\(stripes)")
            let nowhere = try await house.run(
                "migrate", with: ["LEDGERD_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/x"])
            #expect(nowhere.exit == .code(1))
            StartTests.expectOneLine(nowhere.errors, ["database"])
            let unset = try await house.run("migrate")
            #expect(unset.exit == .code(1))
            StartTests.expectOneLine(unset.errors, ["database_url", "LEDGERD_DATABASE_URL"])
            try await house.books.execute("UPDATE migration SET checksum = 'x' WHERE name = 'baseline'")
            let altered = try await house.run("migrate", with: owner)
            #expect(altered.exit == .code(1))
            StartTests.expectOneLine(altered.errors, ["0148_baseline", "altered"])
        }
    }

    @Test func `a wrong option is reported with the usage of its command`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "LEDGERD_JWT_SECRET": Token.secret]
            let cases: [(command: String, arguments: [String], says: String)] = [
                ("token", ["--sub", "ann", "--ttl", "soon"], "--ttl must be"),
                ("close", ["--until", "soon"], "--until must be"),
                ("custody add", ["--custodian", "x", "--method", "trust", "--balance=-1"], "--balance must be"),
                ("adjustments book", ["--month", "soon", "--by", "x"], "--month"),
                (
                    "policies set", ["bonus", "--from", "2026-01", "--method", "at_expiry", "--by", "x"],
                    "--method must be none"
                ),
                ("reconcile", ["--from", "soon", "--to", "2026-01-01"], "--from must be"),
                // Without these options and arguments, a payout is of all providers and until now.
                ("payouts propose", ["--cut-of", "2026-01-01", "--by", "x"], "--cut-of"),
                ("payouts propose", ["--cut-off", "", "--by", "x"], "--cut-off must be"),
                ("payouts propose", ["--cut-off", "NaN", "--by", "x"], "--cut-off must be"),
                ("payouts propose", ["", "--by", "x"], "must be"),
                ("payouts propose", ["--provider", "ann", "--by", "x"], "--provider"),
                ("settlement import", ["/nowhere.csv"], "Give --map or --map-file."),
                ("settlement outstanding", ["--as-of", "soon"], "--as-of must be"),
                ("dev", [], "LEDGERD_URL is not set"),
            ]
            for (command, arguments, says) in cases {
                let child = try house.start(command.split(separator: " ").map(String.init) + arguments, settings)
                #expect(try await child.exit() == .code(64), "\(command): \(child.standardError)")
                let errors = child.standardError
                #expect(errors.hasPrefix("Error: ") && errors.contains(says), "\(command): \(errors)")
                #expect(errors.contains("Usage: ledgerd \(command) "), "\(command): \(errors)")
                #expect(errors.contains("See 'ledgerd \(command) --help'"), "\(command): \(errors)")
            }
        }
    }

    @Test func `the sandbox gateway is a program of its own`() async throws {
        try await House.with { house in
            let help = try house.startSandbox("--help")
            #expect(try await help.exit() == .code(0))
            #expect(help.standardOutput.contains("USAGE: portone-sandbox"), "\(help.standardOutput)")
            for address in ["8080", "127.0.0.1:65536", "::1:8081", "[::1]", ":8081"] {
                let refused = try house.startSandbox("--listen", address)
                #expect(try await refused.exit() == .code(64), "\(address): \(refused.standardError)")
                #expect(refused.standardError.hasPrefix("Error: --listen must be"), "\(refused.standardError)")
                #expect(refused.standardError.contains("Usage: portone-sandbox "), "\(refused.standardError)")
            }
            let nowhere = try house.startSandbox("--listen", "127.0.0.1:0", "--stores-listen", "8082")
            #expect(try await nowhere.exit() == .code(64))
            #expect(nowhere.standardError.hasPrefix("Error: --stores-listen must be"), "\(nowhere.standardError)")
            let unsigned = try house.startSandbox("--listen", "127.0.0.1:0", "--v2-webhook-secret", "short")
            #expect(try await unsigned.exit() == .code(1))
            StartTests.expectOneLine(unsigned.standardError, ["secret"])
            let other = house.directory.appending(path: "notes").path
            try "not payments\n".write(toFile: other, atomically: true, encoding: .utf8)
            let refused = try house.startSandbox("--listen", "127.0.0.1:0", "--data", other)
            #expect(try await refused.exit() == .code(1))
            StartTests.expectOneLine(refused.standardError, [other, "is not a data file", "move this file away"])
            let production = try await house.run("sandbox")
            #expect(production.exit == .code(64), "ledgerd serves no stand-in: \(production)")
        }
    }

    @Test func `no error code of the database reaches the terminal`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let added = try await house.run(
                "products", "add", "coins_100", "--title", "T", "--price", "1000", "--coins", "1", "--by", "kim",
                with: settings)
            #expect(added.errors == "Error: another product on sale has this code, or will have it then\n", "\(added)")
            // An unexpected error is reported in the server's words.
            try await house.books.execute("ALTER TABLE product ADD CONSTRAINT no_more CHECK (price < 100000) NOT VALID")
            let refused = try await house.run(
                "products", "add", "coins_9", "--title", "T", "--price", "100000", "--coins", "1", "--by", "kim",
                with: settings)
            StartTests.expectOneLine(refused.errors, ["the database refused", "no_more"])
            #expect(!refused.errors.lowercased().contains("sqlstate"), "\(refused.errors)")
            try await house.books.execute("DROP TABLE product CASCADE; DROP TABLE lot CASCADE")
            for command in [["products"], ["doctor"]] {
                let child = try house.start(command, settings)
                _ = try await child.exit()
                #expect(!child.standardError.lowercased().contains("sqlstate"), "\(child.standardError)")
                #expect(child.standardError.hasPrefix("Error: "), "\(child.standardError)")
            }
        }
    }

    @Test func `a terminal gets colors unless NO_COLOR is set, and a file none`() async throws {
        try await House.with { house in
            let ledgerd = House.products.appending(path: "ledgerd").path
            /// Runs it at a terminal of its own (util-linux, script(1)).
            func shown(_ environment: [String: String]) async throws -> String {
                let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "TERM": "xterm"]
                let child = try ChildProcess(
                    "/usr/bin/script", ["-qec", "\(ledgerd) products", "/dev/null"],
                    environment: settings.merging(environment) { $1 }, in: house.directory)
                #expect(try await child.exit() == .code(0), "\(child.standardError)")
                return child.standardOutput
            }
            let terminal = try await shown([:])
            #expect(terminal.contains("\u{1B}[1mCODE") && terminal.contains("coins_100"), "\(terminal)")
            for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                let plain = try await shown(environment)
                #expect(plain.contains("CODE") && !plain.contains("\u{1B}"), "\(environment): \(plain)")
            }
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "TERM": "xterm"]
            #expect(!(try await house.run("products", with: settings)).output.contains("\u{1B}"))
        }
    }

    @Test func `a token of the token command is accepted`() async throws {
        try await House.open { house, _, service in
            let settings = ["LEDGERD_JWT_SECRET": Token.secret]
            let user = try await house.run("token", "--sub", "ann", with: settings)
            #expect(user.exit == .code(0) && user.output.hasSuffix("\n"))
            let token = String(user.output.dropLast())
            #expect(try await service.get("/v1/me/balance", as: token).json["user"] == "ann")
            #expect(try await service.get("/v1/users/ann/balance", as: token).status == 403)

            for arguments in [
                ["--sub", "ann", "--scope", "root"], ["--sub", "ann", "--ttl", "soon"], ["--sub", ""], [],
            ] {
                let child = try house.start(["token"] + arguments, settings)
                #expect(try await child.exit() == .code(64))
                #expect(child.standardOutput.isEmpty && child.standardError.hasPrefix("Error: "))
            }
            let short = try await house.run("token", "--sub", "ann", with: ["LEDGERD_JWT_SECRET": "too short"])
            #expect(short.exit == .code(1))
            StartTests.expectOneLine(short.errors, ["LEDGERD_JWT_SECRET", "32 bytes"])
        }
    }
}
