import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

/// Reports come from a standby when there is one; what users read never does.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReplicaTests {
    /// The settings of who does not wait for a standby: one that replays nothing is late at once.
    private static let impatient = ["LEDGERD_REPLICA_PATIENCE": "0ms"]

    @Test func `exports and doctor read the standby and say as of when, and balances the primary`() async throws {
        try await Self.withStandby { house, settings, standby in
            let service = try await house.serve(settings)
            #expect(try await service.grant("key-1", coins: 5).status == 201)
            let before = Date()
            for format in ["csv", "jsonl", "hledger", "beancount"] {
                let export = try await service.get("/v1/exports/journal?format=\(format)", as: Token.finance())
                #expect(export.status == 200 && export.headers["Ledgerd-Export-Server"] == "standby", "\(export)")
                let time = try #require(export.headers["Ledgerd-Export-Time"])
                #expect((before - 1...Date()).contains(try Date(time, strategy: Self.time)))
                let trailer = try #require(export.headers["Ledgerd-Export-Trailer"])
                #expect(trailer.contains("\"standby_time\":\"\(time)\"") && trailer.contains("\"rows\":2,"))
            }
            let command = try await house.run("export", "journal", "--format", "jsonl", with: settings)
            #expect(command.exit == .code(0) && command.output.contains("standby_time"), "\(command)")

            let doctor = try await house.run("doctor", with: settings)
            #expect(doctor.exit == .code(0) && doctor.output.contains(", on the standby"), "\(doctor)")
            let json = JSON(Array(try await house.run("doctor", "--json", with: settings).output.utf8))
            #expect(json["server"] == "standby" && json["sound"] == true)

            try await standby.execute("SELECT pg_wal_replay_pause()")
            #expect(try await service.grant("key-2", coins: 7).status == 201)
            #expect(try await service.coins() == 12)
            let history = try await service.get("/v1/me/statement", as: Token.user("ann"))
            #expect(history.json["entries"].elements.count == 2)
            let impatient = settings.merging(Self.impatient) { $1 }
            let late = try await house.serve(impatient).get("/v1/exports/journal", as: Token.finance())
            #expect(late.status == 503 && late.code == "replica_unavailable" && late.isProblem, "\(late)")
            #expect(late.headers["Retry-After"] == "30" && late.text.contains("bytes of WAL behind the primary"))
            let failed = try await house.run("doctor", with: impatient)
            #expect(failed.exit == .code(2) && failed.errors.contains("Error: the standby is "), "\(failed)")
        }
    }

    @Test func `check reports the standby`() async throws {
        try await Self.withStandby { house, settings, standby in
            func found(_ more: [String: String] = [:]) async throws -> JSON? {
                let result = try await house.run("check", "--json", with: settings.merging(more) { $1 })
                return JSON(Array(result.output.utf8))["checks"].elements.first { $0["check"] == "replica" }
            }
            // Check itself waits for a few seconds only.
            try await eventually("check finds the standby sound") { try await found()?["result"] == "ok" }
            let primary = try await found(["LEDGERD_REPLICA_URL": sure(settings["LEDGERD_DATABASE_URL"])])
            #expect(primary?["result"] == "warning" && primary?["advice"].text != nil)
            #expect(try await found(["LEDGERD_REPLICA_URL": ""]) == nil)
            try await standby.execute("SELECT pg_wal_replay_pause()")
            try await PostgresConnection.with(PostgresConfiguration(url: sure(settings["LEDGERD_DATABASE_URL"]))) {
                try await $0.execute("SELECT pg_logical_emit_message(true, 'test', '')")
            }
            let late = try await found(Self.impatient)
            #expect(late?["result"] == "failed" && late?["detail"].text?.hasPrefix("the standby is ") == true)
            try await standby.stop()
            #expect(try await found()?["detail"].text?.hasPrefix("the standby of replica_url can't be reached") == true)
        }
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Lends a house, the settings of a service whose database has a standby, and the standby.
    private static func withStandby(
        _ body: (House, [String: String], TestCluster.Standby) async throws -> Void
    ) async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                try await PostgresConnection.with(cluster.superuser) { admin in
                    try await admin.execute(
                        "CREATE ROLE ledgerd_service NOLOGIN; CREATE ROLE app LOGIN IN ROLE ledgerd_service")
                }
                let migrated = try await house.run("migrate", with: ["LEDGERD_DATABASE_URL": cluster.url])
                #expect(migrated.exit == .code(0), "\(migrated)")
                let standby = try await cluster.startStandby()
                let settings = house.settings().merging([
                    "LEDGERD_DATABASE_URL": cluster.url(user: "app", database: "postgres"),
                    "LEDGERD_REPLICA_URL": standby.url(user: "app", database: "postgres"),
                    "LEDGERD_REPLICA_PATIENCE": "1h",
                ]) { $1 }
                try await body(house, settings, standby)
            }
        }
    }
}

extension Service {
    fileprivate func grant(_ key: String, coins: Int) async throws -> Answer {
        try await post("/v1/users/ann/grants", #"{"coins": \#(coins), "reason": "welcome"}"#, key: key)
    }
}
