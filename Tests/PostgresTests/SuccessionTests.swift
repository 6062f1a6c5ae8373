import Postgres
import TestSupport
import Testing

/// A former primary that still answers is not believed.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SuccessionTests {
    @Test func `what a former primary answers is refused once the next one has been seen`() async throws {
        try await TestCluster.with { cluster in
            let standby = try await cluster.startStandby()
            // While it is a standby, the first host is passed over.
            var configuration = try PostgresConfiguration(
                url: "host=\(cluster.directory.path),\(cluster.directory.path) port=\(standby.port),\(cluster.port) "
                    + "user=postgres dbname=postgres")
            configuration.succession = Succession()
            let pool = PostgresPool(configuration, size: 2)
            let first = try await pool.run(Self.port)
            #expect(first == cluster.port)

            let error = await postgresError {
                try await pool.withConnection { former in
                    try await standby.execute("SELECT pg_promote()")
                    let stale = try await former.run(Self.port)
                    let fresh = try await pool.run(Self.port)
                    #expect(stale == cluster.port && fresh == standby.port, "a new connection is to the next primary")
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.message.contains("former primary") == true)
            let next = try await pool.run(Self.port)
            #expect(next == standby.port)
            await pool.close()

            var stale = try cluster.superuser
            stale.succession = configuration.succession
            let refused = await postgresError { _ = try await PostgresConnection.connect(stale) }
            #expect(refused?.code == .connectionFailed)
            #expect(refused?.message.contains("former primary") == true)
        }
    }

    @Test func `timelines of another cluster are its own`() async throws {
        try await TestCluster.with { cluster in
            let standby = try await cluster.startStandby()
            try await standby.execute("SELECT pg_promote()")
            var promoted = try standby.superuser
            promoted.succession = Succession()
            let seen = try await PostgresConnection.with(promoted) { try await $0.run(Self.port) }
            #expect(seen == standby.port)
            var other = try serverConfiguration()
            other.succession = promoted.succession
            let answer = try await PostgresConnection.with(other) { try await $0.run(.fortyTwo) }
            #expect(answer == 42)
        }
    }

    @Test func `a role that may not ask for the timeline is served`() async throws {
        try await TestCluster.with { cluster in
            try await PostgresConnection.with(cluster.superuser) { superuser in
                try await superuser.execute("CREATE ROLE plain LOGIN")
                try await superuser.execute("REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC")
            }
            var configuration = try PostgresConfiguration(url: cluster.url(user: "plain", database: "postgres"))
            configuration.succession = Succession()
            let answer = try await PostgresConnection.with(configuration) { try await $0.run(.fortyTwo) }
            #expect(answer == 42)
        }
    }

    @Test func `a server that keeps functions of the WAL for itself is served`() async throws {
        try await TestDatabase.with { database in
            let superuser = try await database.connect()
            try await superuser.withholdWALFunctions()
            await superuser.close()
            var configuration = try database.configuration
            configuration.succession = Succession()
            let answer = try await PostgresConnection.with(configuration) { try await $0.run(.fortyTwo) }
            #expect(answer == 42)
        }
    }

    private static let port = PostgresQuery<Int>.one("SELECT current_setting('port')::int8") { row in
        Int(try row.decode(0, as: Int64.self))
    }
}
