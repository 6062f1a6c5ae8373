import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectionTests {
    @Test func `a session has the settings of its configuration from the start`() async throws {
        let connection = try await connect {
            $0.applicationName = "ledgerd's \\ test"
            $0.statementTimeout = .milliseconds(12_345)
            $0.lockTimeout = .seconds(2)
            $0.idleInTransactionTimeout = .seconds(7)
            $0.settings = ["enable_seqscan": "off", "search_path": "pg_catalog, public"]
        }
        let expected = [
            "application_name": "ledgerd's \\ test", "statement_timeout": "12345ms", "lock_timeout": "2s",
            "idle_in_transaction_session_timeout": "7s", "enable_seqscan": "off",
            "search_path": "pg_catalog, public", "client_encoding": "UTF8", "TimeZone": "UTC",
            "DateStyle": "ISO, MDY",
        ]
        for (name, value) in expected {
            #expect(try await connection.run(.setting(name)) == value)
        }
    }

    @Test func `an idle session is not ended by a time limit of the database`() async throws {
        try await TestDatabase.with { database in
            try await database.server.execute("ALTER DATABASE \"\(database.name)\" SET idle_session_timeout = '1min'")
            let connection = try await database.connect()
            #expect(try await connection.run(.setting("idle_session_timeout")) == "0")
            await connection.close()
        }
    }

    @Test(arguments: [
        ("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply"),
    ])
    func `what a session commits is on disk, and no less than the operator asked for`(
        default: String, expected: String
    ) async throws {
        try await TestDatabase.with { database in
            try await database.server.execute(
                "ALTER DATABASE \"\(database.name)\" SET synchronous_commit = \(`default`)")
            let connection = try await database.connect()
            #expect(try await connection.run(.setting("synchronous_commit")) == expected)
            var configuration = try database.configuration
            configuration.settings = ["synchronous_commit": `default`]
            let other = try await PostgresConnection.connect(configuration)
            #expect(try await other.run(.setting("synchronous_commit")) == expected)
            await connection.close()
            await other.close()
        }
    }

    @Test func `a setting that the server does not know makes connecting fail`() async throws {
        let error = await postgresError { _ = try await connect { $0.settings = ["no_such_setting": "1"] } }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("no_such_setting") == true)
    }

    @Test func `the URL's own options are kept`() async throws {
        let url = try TestServer().url(["application_name": "from-url", "connect_timeout": "7"])
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.applicationName == "from-url")
        #expect(configuration.connectTimeout == .seconds(7))
        let connection = try await PostgresConnection.connect(configuration)
        #expect(try await connection.run(.setting("application_name")) == "from-url")
    }

    @Test func `nothing of the environment gets into a session`() async throws {
        // In a process of its own, for the environment is the whole process's.
        await #expect(processExitsWith: .success) {
            let directory = FileManager.default.temporaryDirectory.appending(path: "pgservice-\(getpid())").path
            try "[other]\napplication_name=service\ndbname=nowhere\noptions=-c geqo=off\n"
                .write(toFile: directory, atomically: true, encoding: .utf8)
            defer { unlink(directory) }
            let environment = [
                "PGHOST": "nowhere.invalid", "PGHOSTADDR": "192.0.2.1", "PGPORT": "1", "PGUSER": "nobody",
                "PGDATABASE": "nowhere", "PGPASSWORD": "x", "PGPASSFILE": "/nowhere", "PGAPPNAME": "leaked",
                "PGOPTIONS": "-c enable_sort=off", "PGSSLMODE": "require", "PGREQUIRESSL": "1",
                "PGTARGETSESSIONATTRS": "standby", "PGCLIENTENCODING": "LATIN1", "PGTZ": "Asia/Seoul",
                "PGDATESTYLE": "German", "PGGEQO": "off", "PGCHANNELBINDING": "require", "PGGSSENCMODE": "require",
                "PGREQUIREPEER": "nobody", "PGCONNECT_TIMEOUT": "x", "PGSSLMINPROTOCOLVERSION": "TLSv9",
                "PGSERVICE": "other", "PGSERVICEFILE": directory, "PGSSLCERT": "/nowhere", "PGSSLCRL": "/nowhere",
            ]
            environment.forEach { setenv($0.key, $0.value, 1) }
            let connection = try await connect()
            let expected = [
                "application_name": "ledgerd", "enable_sort": "on", "client_encoding": "UTF8", "TimeZone": "UTC",
                "DateStyle": "ISO, MDY", "geqo": "on",
            ]
            for (name, value) in expected {
                #expect(try await connection.run(.setting(name)) == value, "\(name)")
            }

            // A URL that says next to nothing means the user of the operating system and the database of that name.
            let (host, port) = try TestServer().address
            let bare = try PostgresConfiguration(url: "host='\(host)' port=\(port)")
            let error = await postgresError { _ = try await PostgresConnection.connect(bare) }
            let user = NSUserName()
            #expect(error?.message.contains("\"\(user)\"") ?? true, "\(error.debugDescription)")
            #expect(error?.message.contains("nobody") != true && error?.message.contains("nowhere") != true)
        }
    }

    @Test func `a port on which nobody listens is an error at once`() async throws {
        let url = "postgresql://postgres@127.0.0.1:1/postgres?connect_timeout=3600"
        let configuration = try PostgresConfiguration(url: url)
        let error = await postgresError { _ = try await PostgresConnection.connect(configuration) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.isOutcomeUnknown == false)
        #expect(error?.message.contains("Connection refused") == true)
    }

    @Test func `a server that accepts and says nothing is given up after the connect timeout`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            proxy.stall()
            var configuration = try PostgresConfiguration(url: TestServer().url(through: proxy))
            configuration.connectTimeout = .seconds(2)
            let error = await postgresError { [configuration] in
                _ = try await PostgresConnection.connect(configuration)
            }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.contains("timeout expired") == true)
        }
    }

    @Test func `a second connection that has no reply while a first one is open is given up, with the cause`()
        async throws
    {
        try await FaultProxy.with(TestServer()) { proxy in
            proxy.arm(.silence, when: .clientSends("BEGIN READ ONLY"))
            let configuration = try PostgresConfiguration.unhurried(TestServer().url(through: proxy))
            let error = await postgresError {
                try await PostgresConnection.requireOwnSessions(configuration, patience: .milliseconds(2))
            }
            #expect(proxy.firedFaults == 1 && error?.code == .connectionFailed)
            #expect(error?.message.contains("too few server connections") == true)
        }
    }

    @Test func `the next host is tried when the first is down`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let url = try TestServer().url(["host": "127.0.0.1,127.0.0.1", "port": "1,\(proxy.port)"])
            let connection = try await PostgresConnection.connect(PostgresConfiguration(url: url))
            #expect(try await connection.run(.fortyTwo) == 42)
            #expect(proxy.acceptedConnections == 1)
        }
    }

    @Test func `a server that takes no writes is refused, unless the URL wants it`() async throws {
        try await TestDatabase.with { database in
            try await database.server.execute(
                "ALTER DATABASE \"\(database.name)\" SET default_transaction_read_only = on")
            let error = await postgresError { _ = try await database.connect() }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.contains("read-only") == true)
            let url = database.server.url(database: database.name, ["target_session_attrs": "any"])
            let connection = try await PostgresConnection.connect(PostgresConfiguration(url: url))
            #expect(try await connection.run(.fortyTwo) == 42)
        }
    }

    @Test func `a server without TLS is refused when the URL requires it`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let url = try TestServer().url(through: proxy, ["sslmode": "require"])
            let error = await postgresError {
                _ = try await PostgresConnection.connect(PostgresConfiguration(url: url))
            }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.contains("server does not support SSL, but SSL was required") == true)
        }
    }

    @Test func `a database that is not there is a connection that failed`() async throws {
        let configuration = try PostgresConfiguration(url: TestServer().url(database: "no_such_database"))
        let error = await postgresError { _ = try await PostgresConnection.connect(configuration) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("no_such_database") == true)
    }

    @Test func `a closed connection says so`() async throws {
        let connection = try await connect()
        #expect(connection.isUsable)
        await connection.close()
        await connection.close()
        connection.cancel()
        #expect(!connection.isUsable)
        #expect(await postgresError { try await connection.execute("SELECT 1") }?.code == .closed)
        #expect(await postgresError { _ = try await connection.run(.fortyTwo) }?.code == .closed)
        #expect(await postgresError { try await connection.copyOut("COPY t TO STDOUT") { _ in } }?.code == .closed)
    }

    @Test func `two hundred connections, closed or forgotten, leave no thread and no file behind`() async throws {
        // In a process of its own, where no other test opens any.
        await #expect(processExitsWith: .success) {
            func count(_ what: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count
            }
            // Until the pool of threads has grown as far as it does, more threads are left.
            try await eventually("two hundred more leave no thread and no file") {
                let before = (threads: try count("task"), files: try count("fd"))
                for round in 0..<200 {
                    let connection = try await connect()
                    if round % 20 == 0 { connection.cancel() }
                    if round % 2 == 0 { await connection.close() }
                    if round % 50 == 0 {
                        let farewell = "SELECT pg_terminate_backend(pg_backend_pid())"
                        _ = await postgresError { try await connection.execute(farewell) }
                    }
                }
                _ = await postgresError {
                    _ = try await PostgresConnection.connect(PostgresConfiguration(url: "postgresql://127.0.0.1:1/x"))
                }
                return try count("task") <= before.threads && count("fd") <= before.files
            }
        }
    }

    @Test func `statements run off the cooperative pool`() async throws {
        // More waiting statements than there are cores leave room for other tasks.
        let holder = try await connect()
        try await holder.execute("SELECT pg_advisory_lock(606060)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    let waiter = try await connect { ($0.statementTimeout, $0.lockTimeout) = (.zero, .zero) }
                    try await waiter.execute("SELECT pg_advisory_lock_shared(606060)")
                }
            }
            let waiting = PostgresQuery.affected("SELECT 1 FROM pg_locks WHERE objid = 606060 AND NOT granted")
            try await eventually("all wait at the same time") { try await holder.run(waiting) == 60 }
            try await holder.execute("SELECT pg_advisory_unlock(606060)")
            try await group.waitForAll()
        }
    }

    @Test func `notices go nowhere and harm nothing`() async throws {
        let connection = try await connect { $0.settings["client_min_messages"] = "debug1" }
        try await connection.execute("DO $$ BEGIN RAISE NOTICE 'hello'; RAISE WARNING 'hello'; END $$")
        #expect(try await connection.run(.fortyTwo) == 42)
    }
}
