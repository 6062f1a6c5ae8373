import CivilTime
import Ledger
import Postgres

/// Whether the service finds its database as it needs it.
struct DatabaseChecks: Sendable {
    let values: SettingValues
    /// How long each may take.
    let limit: Duration

    private enum Name {
        static let database = "database"
        static let tls = "database TLS"
        static let migrations = "migrations"
        static let role = "database role"
        static let rights = "database rights"
        static let clock = "database clock"
        static let durability = "durability"
        static let memory = "database memory"
        static let products = "products"
        static let days = "days of lots"
        static let endpoints = "endpoint keys"
    }

    func run() async -> [CheckResult] {
        let configuration: PostgresConfiguration
        do {
            configuration = try PostgresConfiguration(url: values[Settings.database.databaseURL])
        } catch {
            return skipped("database_url is not valid", from: Name.database)
        }
        switch await open(configuration) {
        case .failure(let refusal):
            return [refusal] + skipped("there is no session with the database", from: Name.tls)
        case .success(let inspection):
            let results = await run(inspection, configuration)
            await inspection.close()
            return results
        }
    }

    /// The other checks, from one on.
    private func skipped(_ reason: String, from first: String) -> [CheckResult] {
        let names = [
            Name.database, Name.tls, Name.migrations, Name.role, Name.rights, Name.clock, Name.durability,
            Name.memory, Name.products, Name.days, Name.endpoints,
        ]
        return names.drop { $0 != first }.map { .skipped($0, reason) }
    }

    private enum Opened: Sendable {
        case success(DatabaseInspection)
        case failure(CheckResult)
    }

    private func open(_ configuration: PostgresConfiguration) async -> Opened {
        var patient = configuration
        patient.statementTimeout = limit
        patient.connectTimeout = min(limit, configuration.connectTimeout)
        let opened = await within(limit) { [patient] () async -> Opened in
            do throws(LedgerError) {
                return .success(try await DatabaseInspection.open(patient))
            } catch {
                return .failure(.failed(Name.database, error, do: Self.advice(about: error)))
            }
        }
        return opened ?? .failure(.late(Name.database, limit))
    }

    private static func advice(about error: LedgerError) -> String {
        guard let cause = error.underlying else { return "see that database_url is right" }
        if cause.isLogInRefused {
            return "correct user, password and database of database_url; `ledgerd init` makes them"
        }
        if cause.isTLSRefused { return "see sslmode and sslrootcert of database_url, and the server's certificate" }
        if cause.code == .sharedSession {
            return "in pgbouncer, set pool_mode = session and server_reset_query = DISCARD ALL; elsewhere, take the "
                + "server's own port (docs/postgresql-elsewhere.md)"
        }
        return "see that the server runs at the address of database_url, and that the firewall lets this machine in"
    }

    private func run(_ inspection: DatabaseInspection, _ configuration: PostgresConfiguration) async -> [CheckResult] {
        let session = await ask(Name.database) { try await Self.session(inspection, configuration) }
        let migrations = await ask(Name.migrations) {
            let newest = try await inspection.newestMigration()
            return [.ok(Name.migrations, "all are applied, up to \(newest)")]
        }
        let clock = await ask(Name.clock) {
            [ClockOffset(seconds: try await inspection.clockOffset()).result(Name.clock, of: "the database's")]
        }
        let durability = await ask(Name.durability) { try await Self.durability(inspection) }
        let memory = await ask(Name.memory) { [Self.memory(try await inspection.memory())] }
        let hasLedger = migrations.allSatisfy { $0.outcome == .ok }
        let books =
            hasLedger
            ? await ask(Name.role) { [allowOwner] in try await Self.role(inspection, allowOwner) }
                + ask(Name.products) { try await Self.products(inspection) }
                + ask(Name.days) { [self] in [try await days(inspection)] }
                + ask(Name.endpoints) { [self] in try await endpoints(inspection) }
            : [Name.role, Name.rights, Name.products, Name.days, Name.endpoints].map {
                .skipped($0, "the migrations are not current")
            }
        return session + migrations + books + clock + durability + memory
    }

    private var allowOwner: Bool { (try? values[Settings.database.allowOwner]) == true }

    /// Asks the database, and turns an error or a delay into a result.
    private func ask(
        _ name: String, _ question: @escaping @Sendable () async throws -> [CheckResult]
    ) async -> [CheckResult] {
        let results = await within(limit) { () async -> [CheckResult] in
            do {
                return try await question()
            } catch {
                return [.failed(name, error, do: name == Name.migrations ? Self.migrationAdvice(error) : nil)]
            }
        }
        return results ?? [.late(name, limit)]
    }

    private static func migrationAdvice(_ error: any Error) -> String? {
        guard let error = error as? LedgerError, error.code == .schema else { return nil }
        return "run this version's `ledgerd migrate` as the tables' owner, before this version serves"
    }

    private static func session(
        _ inspection: DatabaseInspection, _ configuration: PostgresConfiguration
    ) async throws -> [CheckResult] {
        let session = try await inspection.session()
        let place = "PostgreSQL \(session.version), database \(session.database), role \(session.role)"
        let server =
            session.versionNumber >= 150_000
            ? CheckResult.ok(Name.database, place)
            : .failed(Name.database, place, do: "use PostgreSQL 15 or newer")
        return [server, tls(session, unverified: configuration.unverifiedHosts)]
    }

    private static func tls(_ session: DatabaseInspection.Session, unverified: [String]) -> CheckResult {
        guard unverified.isEmpty else {
            let hosts = unverified.joined(separator: ", ")
            let found =
                session.tls.map { "\($0), but the certificate of \(hosts) is not verified" }
                ?? "\(hosts) is reached over a network without TLS"
            return .warning(
                Name.tls, found + ": whoever is in between can read and change the books",
                do: "set sslmode=verify-full and sslrootcert in database_url")
        }
        return .ok(Name.tls, session.tls ?? "none, on this machine")
    }

    private static func role(_ inspection: DatabaseInspection, _ allowOwner: Bool) async throws -> [CheckResult] {
        let canRewrite = try await inspection.canRewriteBooks()
        let rights = try await inspection.rights()
        let role: CheckResult
        if !canRewrite {
            role = .ok(Name.role, "can't rewrite the books")
        } else if allowOwner {
            role = .warning(
                Name.role, "can rewrite the books, and allow_owner allows it",
                do: "serve as a role IN ROLE ledgerd_service, and remove LEDGERD_ALLOW_OWNER")
        } else {
            role = .failed(
                Name.role, "can rewrite the books: it owns the tables, or was granted too much",
                do: "serve as a role IN ROLE ledgerd_service; `ledgerd init` makes one")
        }
        return [role, self.rights(rights, isOwner: canRewrite)]
    }

    /// What an owner has too much is said once: it is the owner.
    private static func rights(_ rights: DatabaseInspection.Rights, isOwner: Bool) -> CheckResult {
        guard rights.missing.isEmpty else {
            return .failed(
                Name.rights, "missing: \(listed(rights.missing))",
                do: "as the tables' owner: GRANT ledgerd_service TO the role, and grant what migrations granted")
        }
        guard rights.surplus.isEmpty || isOwner else {
            return .warning(Name.rights, "more than needed: \(listed(rights.surplus))", do: "REVOKE them")
        }
        return .ok(Name.rights, isOwner ? "all that it needs" : "what it needs and nothing more")
    }

    private static func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", and \(names.count - 5) more" : "")
    }

    private static func durability(_ inspection: DatabaseInspection) async throws -> [CheckResult] {
        let warnings = try await inspection.unsafeSettings()
        guard !warnings.isEmpty else { return [.ok(Name.durability, "commits survive a crash of the server")] }
        return warnings.map { .warning(Name.durability, $0.detail, do: "set it in postgresql.conf, and reload") }
    }

    private static func memory(_ memory: DatabaseInspection.Memory) -> CheckResult {
        let found = "shared_buffers has \(memory.buffers >> 20) MiB, the database \(memory.database >> 20) MiB"
        guard memory.isOutgrown else { return .ok(Name.memory, found) }
        return .warning(
            Name.memory, found + ": acts of users who come seldom read the disk",
            do: "set shared_buffers to a quarter of the server's memory, and restart PostgreSQL (docs/sizing.md)")
    }

    private static func products(_ inspection: DatabaseInspection) async throws -> [CheckResult] {
        let count = try await inspection.productsOnSale()
        guard count > 0 else {
            return [
                .warning(Name.products, "nothing is on sale", do: "add what you sell: `ledgerd products add --help`")
            ]
        }
        return [.ok(Name.products, "\(count) on sale")]
    }

    /// The rule in force, which the settings can leave to the ledger.
    private func days(_ inspection: DatabaseInspection) async throws -> CheckResult {
        guard (try? values.coinDays) != nil else { return .skipped(Name.days, "its settings are not valid") }
        let whole = "end with the day, in \(try values[Settings.books.timeZone].identifier)"
        let exact = "exact: 24 hours each"
        switch try values[Settings.coins.wholeDaysFrom] {
        case nil where try await inspection.countsWholeDays(): return .ok(Name.days, whole)
        case nil: return .ok(Name.days, "\(exact), because the ledger began before version 0.3.0")
        case .never: return .ok(Name.days, exact)
        case .day(let day): return .ok(Name.days, "\(whole), from \(CivilDate(daysSince1970: day)) on")
        }
    }

    private func endpoints(_ inspection: DatabaseInspection) async throws -> [CheckResult] {
        let endpoints = try await inspection.endpointsByKey()
        let known = Set((try? values[Settings.endpoints.key])?.map(\.id) ?? [])
        let orphans = endpoints.filter { !known.contains($0.key) }.values.joined().sorted()
        guard orphans.isEmpty else {
            return [
                .failed(
                    Name.endpoints,
                    "the secrets of endpoints \(Self.listed(orphans.map(String.init))) are made of a key that is not set",
                    do: "add the key to LEDGERD_ENDPOINT_KEY, or run `ledgerd endpoints rotate-secret` for each")
            ]
        }
        let count = endpoints.values.joined().count
        return [.ok(Name.endpoints, known.isEmpty ? "no webhooks are sent" : "there are \(count) endpoints")]
    }
}
