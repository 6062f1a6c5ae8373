import Foundation
import Postgres
import TestSupport
import Testing

/// What providers do with a PostgreSQL that they manage: they keep the superuser, force TLS, restart it, and move its name.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct ManagedServerTests {
    @Test func `without a superuser, without functions of the WAL and only over TLS, coins are sold`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                try await Self.hand(cluster, to: "chief")
                let place = "chief:secret-word@localhost:\(cluster.port)/postgres"
                let file = house.directory.appending(path: "ledgerd.json").path
                let plain = try await house.run(
                    "init", "--admin-url", "postgresql://\(place)?sslmode=disable", "--output", file)
                #expect(plain.exit == .code(1) && plain.errors.contains("no encryption"), "\(plain)")

                let verified = "sslmode=verify-full&sslrootcert=\(cluster.certificate)"
                let made = try await house.run(
                    "init", "--admin-url", "postgresql://\(place)?\(verified)", "--output", file)
                #expect(made.exit == .code(0), "\(made)")
                try await PostgresConnection.with(
                    PostgresConfiguration(url: cluster.url(user: "postgres", database: "ledgerd"))
                ) { try await $0.withholdWALFunctions() }

                let gateway = try await house.startGateway()
                let settings = Self.settings(gateway, file)
                let child = try house.start(["check", "--json"], settings)
                #expect(try await child.exit() == .code(0), "\(child.standardOutput)")
                let results = CheckTests.results(JSON(Array(child.standardOutput.utf8)))
                for check in ["database", "database TLS", "database role", "database rights"] {
                    #expect(results[check] == "ok", "\(check): \(child.standardOutput)")
                }
                try await Self.sell(house, gateway, settings)

                let replica = ["LEDGERD_REPLICA_URL": cluster.url(user: "ledgerd", database: "ledgerd")]
                let withReplica = try house.start(["check"], settings.merging(replica) { $1 })
                #expect(try await withReplica.exit() == .code(1))
                #expect(withReplica.standardOutput.contains("remove replica_url"), "\(withReplica.standardOutput)")
            }
        }
    }

    @Test func `a restart for maintenance, and a failover behind the same name, lose nothing`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let file = house.directory.appending(path: "ledgerd.json").path
                let made = try await house.run("init", "--admin-url", cluster.url, "--output", file)
                #expect(made.exit == .code(0), "\(made)")
                let standby = try await cluster.startStandby()
                try await FaultProxy.with(TestServer(url: cluster.url)) { name in
                    let gateway = try await house.startGateway()
                    let url = "postgresql://ledgerd@127.0.0.1:\(name.port)/ledgerd"
                    let settings = Self.settings(gateway, file)
                        .merging(["LEDGERD_DATABASE_URL": url, "LEDGERD_LOOKUP_PATIENCE": "1500ms"]) { $1 }
                    try await Self.addProduct(house, settings)
                    let service = try await house.serve(at: gateway, settings)
                    let token = try await Self.token(house, file)
                    func present(_ payment: Payment) async throws -> Answer {
                        try await service.post("/v1/receipts", payment.receipt, as: token)
                    }
                    func becomesReady() async throws {
                        try await eventually("it is ready again") {
                            try await service.get("/health/ready").status == 200
                        }
                    }
                    #expect(try await present(try await gateway.pay()).status == 201)

                    let duringMaintenance = try await gateway.pay()
                    try await cluster.stop()
                    let refused = try await present(duringMaintenance)
                    #expect(refused.status == 503 && refused.code == "database_unavailable", "\(refused)")
                    try await cluster.start()
                    try await becomesReady()
                    #expect([200, 201].contains(try await present(duringMaintenance).status))

                    let duringFailover = try await gateway.pay()
                    name.refuse()
                    name.cutAll()
                    try await Self.waitUntilEqual(standby, cluster)
                    try await standby.execute("SELECT pg_promote()")
                    #expect(try await present(duringFailover).status == 503)
                    name.lead(to: try TestServer(url: standby.url(user: "postgres", database: "postgres")))
                    try name.accept()
                    try await becomesReady()
                    #expect([200, 201].contains(try await present(duringFailover).status))
                    let balance = try await service.get("/v1/me/balance", as: token)
                    #expect(balance.json["total"].integer == 300, "\(balance)")
                    try await service.end()
                }
            }
        }
    }
}

extension ManagedServerTests {
    /// Makes an administrator without the rights of a superuser, as providers do, and lets only TLS in.
    private static func hand(_ cluster: TestCluster, to chief: String) async throws {
        try await PostgresConnection.with(cluster.superuser) { superuser in
            try await superuser.execute(
                """
                CREATE ROLE provider_superuser NOLOGIN;
                GRANT pg_monitor, pg_signal_backend TO provider_superuser;
                CREATE ROLE \(chief) LOGIN CREATEROLE CREATEDB PASSWORD 'secret-word' IN ROLE provider_superuser;
                """)
        }
        try await cluster.run(
            """
            printf '%s\\n' 'local all all trust' 'hostssl all all 127.0.0.1/32 scram-sha-256' >data/pg_hba.conf
            "$bin/pg_ctl" -D data reload
            """)
        let plain = try PostgresConfiguration(
            url: "postgresql://\(chief):secret-word@127.0.0.1:\(cluster.port)/postgres?sslmode=disable")
        try await eventually("nobody is admitted without TLS") {
            guard let connection = try? await PostgresConnection.connect(plain) else { return true }
            await connection.close()
            return false
        }
    }

    /// The settings of a service that has the file which `init` wrote.
    private static func settings(_ gateway: Gateway, _ file: String) -> [String: String] {
        [
            "LEDGERD_CONFIG": file, "LEDGERD_DATABASE_URL": "", "LEDGERD_JWT_SECRET": "",
            "LEDGERD_PORTONE_V1_URL": gateway.url, "LEDGERD_PORTONE_V1_KEY": "sandbox-key",
            "LEDGERD_PORTONE_V1_SECRET": "sandbox-secret", "LEDGERD_LISTEN": "127.0.0.1:0",
            "LEDGERD_REQUIRE_ORDERS": "false", "LEDGERD_CLAIM_GRACE": "0s",
            "LEDGERD_WEBHOOK_SOURCES": "52.78.100.19",
            "LEDGERD_TRUSTED_PROXIES": "127.0.0.1",
        ]
    }

    private static func addProduct(_ house: House, _ settings: [String: String]) async throws {
        let child = try house.start(
            ["products", "add", "coins_100", "--title", "100 Coin", "--price", "1000", "--coins", "100"], settings)
        #expect(try await child.exit() == .code(0), "\(child.standardError)")
    }

    private static func token(_ house: House, _ file: String) async throws -> String {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let secret = try #require(JSON(Array(text.utf8))["jwt_secret"].text)
        let token = try await house.run("token", "--sub", "ann", with: ["LEDGERD_JWT_SECRET": secret])
        return String(token.output.dropLast())
    }

    private static func sell(_ house: House, _ gateway: Gateway, _ settings: [String: String]) async throws {
        try await addProduct(house, settings)
        let service = try await house.serve(at: gateway, settings)
        let token = try await token(house, sure(settings["LEDGERD_CONFIG"]))
        let answer = try await service.post("/v1/receipts", try await gateway.pay().receipt, as: token)
        #expect(answer.status == 201, "\(answer)")
        try await service.end()
    }

    /// Waits until the standby has everything, while nobody writes.
    private static func waitUntilEqual(_ standby: TestCluster.Standby, _ cluster: TestCluster) async throws {
        let end = try await PostgresConnection.with(cluster.superuser) {
            try await $0.run(PostgresQuery<String>.one("SELECT pg_current_wal_flush_lsn()::text") { try $0[0] })
        }
        let hasIt = PostgresQuery<Bool>.one("SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn", [end]) { try $0[0] }
        try await PostgresConnection.with(standby.superuser) { connection in
            try await eventually("the standby has everything") { try await connection.run(hasIt) }
        }
    }
}
