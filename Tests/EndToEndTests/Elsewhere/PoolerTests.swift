import Foundation
import Postgres
import TestSupport
import Testing

/// Behind pgbouncer, ledgerd serves or says at once why it can't.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct PoolerTests {
    @Test(arguments: [Pooler.Mode.transaction, .statement])
    func `a pooler that shares sessions is refused, in plain words and without a trace`(mode: Pooler.Mode) async throws
    {
        try await Self.withPooler(mode) { house, url, ownerURL in
            // It would wait so long for a database that is only away.
            let served = try await house.run(
                "serve", with: house.settings().merging(Self.database(url, patience: "600s")) { $1 })
            #expect(served.exit == .code(1), "\(served)")
            StartTests.expectOneLine(served.errors, ["sessions of its own", "in session mode"])

            let checked = try await CheckTests.check(house, house.settings().merging(Self.database(url)) { $1 })
            #expect(checked.exit == .code(1))
            #expect(CheckTests.results(checked.body)["database"] == "failed", "\(checked.output)")
            #expect(checked.output.contains("pool_mode = session"), "\(checked.output)")

            let migrated = try await house.run("migrate", with: ["LEDGERD_DATABASE_URL": ownerURL])
            #expect(migrated.exit == .code(1))
            StartTests.expectOneLine(migrated.errors, ["sessions of its own"])

            let questions = ["SHOW statement_timeout", "SELECT count(*) FROM pg_prepared_statements"]
            let answers = try await Tool.run("psql", ["-XAt", url] + questions.flatMap { ["-c", $0] }, input: [])
            #expect(String(decoding: answers, as: UTF8.self) == "0\n0\n")
        }
    }

    @Test func `a connection sees by itself that another has prepared in its session`() async throws {
        try await Self.withPooler(.transaction) { _, url, _ in
            let configuration = try PostgresConfiguration(url: url)
            let first = try await PostgresConnection.connect(configuration)
            let error = await #expect(throws: PostgresError.self) {
                _ = try await PostgresConnection.connect(configuration)
            }
            #expect(error?.code == .sharedSession, "\(String(reflecting: error))")
            await first.close()
        }
    }

    @Test func `a pool in session mode serves`() async throws {
        try await Self.withPooler(.session) { house, url, ownerURL in
            let migrated = try await house.run("migrate", with: ["LEDGERD_DATABASE_URL": ownerURL])
            #expect(migrated.exit == .code(0), "\(migrated)")
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway, Self.database(url))
            #expect(try await service.present(try await gateway.pay()).status == 201)
            #expect(try await service.coins() == 100)
            let spent = try await service.post(
                "/v1/users/ann/spends", #"{"coins": 30}"#, key: "spend-1")
            #expect(spent.status == 201, "\(spent)")
            #expect(try await service.get("/health/ready").status == 200)
            try await house.expectSound()
        }
    }

    @Test func `a pool with too few connections is named as a cause`() async throws {
        try await Self.withPooler(.session, connections: 1) { _, url, _ in
            let configuration = try PostgresConfiguration.unhurried(url)
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.requireOwnSessions(configuration, patience: .milliseconds(2))
            }
            #expect(error?.message.contains("too few server connections") == true, "\(String(reflecting: error))")
        }
    }

    private static func database(_ url: String, patience: String = "60s") -> [String: String] {
        ["LEDGERD_DATABASE_URL": url, "LEDGERD_DATABASE_PATIENCE": patience]
    }

    private static func withPooler(
        _ mode: Pooler.Mode, connections: Int = 60,
        _ body: (_ house: House, _ url: String, _ ownerURL: String) async throws -> Void
    ) async throws {
        try await House.with { house in
            let (database, ledger) = (house.ledger.database, house.ledger)
            let roles = (service: try Self.role(of: ledger.serviceURL), owner: try Self.role(of: ledger.ownerURL))
            try await database.server.execute("ALTER DATABASE \"\(database.name)\" OWNER TO \(roles.owner)")
            try await Pooler.with(
                mode, to: database.server, users: [roles.service, roles.owner], connections: connections
            ) { pooler in
                try await body(
                    house, pooler.url(database: database.name, user: roles.service),
                    pooler.url(database: database.name, user: roles.owner))
            }
        }
    }

    private static func role(of url: String) throws -> String {
        try #require(URLComponents(string: url)?.queryItems?.first { $0.name == "user" }?.value)
    }
}
