import Foundation
package import Ledger
import Logging
package import Postgres
package import TestSupport

/// A ledger in a database of its own, migrated and empty, for one test.
package struct TestLedger: Sendable {
    package let database: TestDatabase

    /// The ledger of a database that the caller made.
    package init(database: TestDatabase) { self.database = database }

    /// As the role that the service logs in as: it owns nothing.
    package var serviceURL: String { url(as: Template.serviceRole) }

    /// As the role that owns the ledger's tables.
    package var ownerURL: String { url(as: Template.ownerRole) }

    /// The server is there, so no machine is too slow to connect.
    private func url(as role: String) -> String {
        database.server.url(database: database.name, ["user": role, "connect_timeout": "600"])
    }

    /// As the service's role, through a proxy.
    package func serviceURL(through proxy: FaultProxy) -> String {
        database.server.url(database: database.name, through: proxy, ["user": Template.serviceRole])
    }

    /// Opens the ledger as the service does, with patience that no machine is so slow as to reach.
    package func open(
        url: String? = nil, writers: Int = 2, batchLimit: Int = 1024, vat: VATSettings = .off,
        coinDays: CoinDays.Setting = .these(.exact), lotLimits: LotLimits = LotLimits(),
        lookupPatience: Duration = .seconds(3600)
    ) async throws -> Ledger {
        var configuration = LedgerConfiguration(
            database: try url.map { try PostgresConfiguration(url: $0) } ?? .unhurried(serviceURL))
        configuration.writers = writers
        configuration.batchLimit = batchLimit
        configuration.vatSettings = vat
        configuration.coinDays = coinDays
        configuration.lotLimits = lotLimits
        configuration.lookupPatience = lookupPatience
        return try await Ledger.open(
            configuration, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Connects as the owner.
    package func connectAsOwner() async throws -> PostgresConnection {
        try await PostgresConnection.connect(.unhurried(ownerURL))
    }

    /// Connects as the service's role.
    package func connectAsService() async throws -> PostgresConnection {
        try await PostgresConnection.connect(.unhurried(serviceURL))
    }

    /// Lends a new ledger's database and drops it afterwards.
    package static func withDatabase<Output>(_ body: (TestLedger) async throws -> Output) async throws -> Output {
        let template = try await Template.shared.name()
        return try await TestDatabase.with(template: template) { try await body(TestLedger(database: $0)) }
    }

    /// Lends a new, empty database, of a server that has the roles, and drops it afterwards.
    package static func withEmptyDatabase<Output>(
        _ body: (TestDatabase) async throws -> Output
    ) async throws -> Output {
        _ = try await Template.shared.name()  // makes the roles
        return try await TestDatabase.with { try await body($0) }
    }

    /// Lends a new, open ledger and closes it afterwards.
    package static func with<Output>(
        writers: Int = 2, batchLimit: Int = 1024, vat: VATSettings = .off,
        _ body: (Ledger, TestLedger) async throws -> Output
    ) async throws -> Output {
        try await withDatabase { test in
            try await with(test, writers: writers, batchLimit: batchLimit, vat: vat) { try await body($0, test) }
        }
    }

    /// Lends a new ledger that is open through a proxy, and closes it afterwards.
    package static func withProxy<Output>(
        writers: Int = 1, batchLimit: Int = 1024, _ body: (Ledger, TestLedger, FaultProxy) async throws -> Output
    ) async throws -> Output {
        try await withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                try await with(test, url: test.serviceURL(through: proxy), writers: writers, batchLimit: batchLimit) {
                    try await body($0, test, proxy)
                }
            }
        }
    }

    /// Lends the ledger of a database, open, and closes it afterwards.
    static func with<Output>(
        _ test: TestLedger, url: String? = nil, writers: Int = 2, batchLimit: Int = 1024, vat: VATSettings = .off,
        coinDays: CoinDays.Setting = .these(.exact), _ body: (Ledger) async throws -> Output
    ) async throws -> Output {
        let ledger = try await test.open(
            url: url, writers: writers, batchLimit: batchLimit, vat: vat, coinDays: coinDays)
        do {
            let output = try await body(ledger)
            await ledger.close()
            return output
        } catch {
            await ledger.close()
            throw error
        }
    }
}

/// A migrated database that the tests' databases are copied from: copying is faster than migrating.
private actor Template {
    static let shared = Template()
    static let ownerRole = "ledgerd_test_owner"
    static let serviceRole = "ledgerd_test_service"

    private var making: Task<String, any Error>?

    func name() async throws -> String {
        if let making { return try await making.value }
        let making = Task { try await Self.make() }
        self.making = making
        return try await making.value
    }

    private static func make() async throws -> String {
        try await TestLedger.make(on: TestServer()).database.name
    }
}

extension TestLedger {
    /// Makes a migrated and empty ledger, and the roles if the server has none.
    package static func make(on server: TestServer) async throws -> TestLedger {
        let (ownerRole, serviceRole) = (Template.ownerRole, Template.serviceRole)
        try await server.execute(
            """
            SELECT pg_advisory_xact_lock(7365);
            DO $$
            BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(ownerRole)') THEN
                    CREATE ROLE \(ownerRole) LOGIN CREATEROLE;
                END IF;
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ledgerd_service') THEN
                    CREATE ROLE ledgerd_service NOLOGIN;
                END IF;
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(serviceRole)') THEN
                    CREATE ROLE \(serviceRole) LOGIN IN ROLE ledgerd_service;
                END IF;
            END
            $$;
            """)
        let database = try await TestDatabase.create(on: server)
        try await server.execute("ALTER DATABASE \"\(database.name)\" OWNER TO \(ownerRole)")
        let ledger = TestLedger(database: database)
        try await Migrator(configuration: .unhurried(ledger.ownerURL)).migrate(stripes: 4)
        try await ledger.applyMutant()
        return ledger
    }

    /// Breaks the schema as `./dev mutants` asks for it, to see which tests notice.
    private func applyMutant() async throws {
        guard let file = ProcessInfo.processInfo.environment["LEDGERD_TEST_MUTANT_SQL"] else { return }
        let owner = try await connectAsOwner()
        try await owner.execute(String(contentsOfFile: file, encoding: .utf8))
        await owner.close()
    }
}

extension VATSettings {
    /// VAT is booked, but not that of breakage and refund fees.
    package static let on = VATSettings(isBooked: true)
}
