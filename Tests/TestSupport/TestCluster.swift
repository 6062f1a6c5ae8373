package import Foundation
import Glibc
package import Postgres
import Synchronization

/// A PostgreSQL of a test's own, for settings of a whole server, or for one without any of our roles.
///
/// Who comes by its socket is trusted; by TCP the server asks for a password.
package final class TestCluster: Sendable {
    /// Where its socket and files are.
    package let directory: URL
    /// The port on 127.0.0.1, over TLS if the server has it.
    package let port: Int
    /// The environment of the server and of scripts.
    package let environment: [String: String]
    /// The option that tells whether commits survive a power cut.
    private let durability: String
    private let server = Mutex<ChildProcess?>(nil)
    private let standbys = Mutex<[ChildProcess]>([])

    /// The superuser's URL, by the socket.
    package var url: String { url(user: "postgres", database: "postgres") }

    /// A URL by the socket.
    package func url(user: String, database: String) -> String {
        "postgresql:///\(database)?host=\(directory.path)&port=\(port)&user=\(user)"
    }

    /// The superuser's configuration.
    package var superuser: PostgresConfiguration {
        get throws { try PostgresConfiguration(url: url) }
    }

    /// The certificate of `localhost`, which is its own authority.
    package var certificate: String { directory.appending(path: "server.crt").path }

    private init(environment: [String: String], isDurable: Bool) throws {
        durability = "-c fsync=\(isDurable ? "on" : "off")"
        // A socket's path has at most 107 bytes, and the server's user must be able to enter it.
        let directory = URL(filePath: "/tmp/ledgerd-cluster-\(Fresh.word)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.directory = directory
        let port = TestPort.next()
        self.port = port
        self.environment = environment.mapValues {
            $0.replacing("$DIRECTORY", with: directory.path).replacing("$PORT", with: "\(port)")
        }
        .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp"]) { $1 }
    }

    /// Starts a server, lends it, and removes it.
    ///
    /// - Parameters:
    ///   - environment: of the server and of scripts; `$DIRECTORY` and `$PORT` in it stand for the cluster's.
    ///   - settings: lines of its `postgresql.conf`.
    ///   - isDurable: whether it writes commits to the disk before it answers, for measurements.
    package static func with(
        environment: [String: String] = [:], settings: String = "", isDurable: Bool = false,
        _ body: (TestCluster) async throws -> Void
    ) async throws {
        let cluster = try TestCluster(environment: environment, isDurable: isDurable)
        defer { try? FileManager.default.removeItem(at: cluster.directory) }
        if geteuid() == 0 { try await cluster.run("chown postgres: .") }
        try Data(settings.utf8).write(to: cluster.directory.appending(path: "settings.conf"))
        try await cluster.run(prepare)
        do {
            try await cluster.start()
            try await body(cluster)
        } catch {
            await cluster.endStandbys()
            try? await cluster.end(SIGQUIT)
            throw error
        }
        await cluster.endStandbys()
        try await cluster.end(SIGQUIT)
    }

    /// Starts the server, and returns when it takes connections.
    ///
    /// It keeps its WAL: a standby is ready before it streams, and the next standby's checkpoint would remove what it lacks.
    package func start() async throws {
        let child = try start(
            """
            # Another PostgreSQL than Debian's may have no TLS.
            ssl=$("$bin/postgres" -D data -C ssl -c ssl=on 2>/dev/null || echo off)
            exec setpriv --pdeathsig KILL "$bin/postgres" -D data -k "$PWD" -c listen_addresses=127.0.0.1 -c port=\(port) \
                \(durability) -c ssl="$ssl" -c wal_keep_size=1GB
            """)
        server.withLock { $0 = child }
        try await Self.waitUntilReady(child, try superuser)
    }

    private static func waitUntilReady(_ child: ChildProcess, _ superuser: PostgresConfiguration) async throws {
        try await eventually("the server takes connections") {
            guard !child.hasEnded else { throw DidNotHappen(description: child.lastWords) }
            guard let connection = try? await PostgresConnection.connect(superuser) else { return false }
            await connection.close()
            return true
        }
    }

    /// A hot standby that replays what its primary streams.
    package struct Standby: Sendable {
        fileprivate let cluster: TestCluster
        fileprivate let process: ChildProcess
        /// The port of its socket.
        package let port: Int

        fileprivate init(_ cluster: TestCluster, _ process: ChildProcess, port: Int) {
            self.cluster = cluster
            self.process = process
            self.port = port
        }

        /// A URL by the socket.
        package func url(user: String, database: String) -> String {
            "postgresql:///\(database)?host=\(cluster.directory.path)&port=\(port)&user=\(user)"
        }

        /// The superuser's configuration.
        package var superuser: PostgresConfiguration {
            get throws { try PostgresConfiguration(url: url(user: "postgres", database: "postgres")).preferringStandby }
        }

        /// Executes statements as the superuser, also after it was promoted.
        package func execute(_ sql: String) async throws {
            try await PostgresConnection.with(superuser) { try await $0.execute(sql) }
        }

        /// Ends it at once.
        package func stop() async throws {
            process.signal(SIGQUIT)
            _ = try await process.exit()
        }
    }

    /// Copies the server to a hot standby, starts it, and returns when it takes connections.
    ///
    /// - Parameter settings: options of its command line.
    package func startStandby(_ settings: [String] = []) async throws -> Standby {
        let port = TestPort.next()
        try await run(
            """
            grep -q '^local replication' data/pg_hba.conf || echo 'local replication all trust' >>data/pg_hba.conf
            "$bin/pg_ctl" -D data reload
            "$bin/pg_basebackup" -h "$PWD" -p \(self.port) -U postgres -D standby-\(port) -R --checkpoint=fast --no-sync
            """)
        let options = settings.map { "-c \($0)" }.joined(separator: " ")
        let child = try start(
            """
            exec setpriv --pdeathsig KILL "$bin/postgres" -D standby-\(port) -k "$PWD" -c listen_addresses= -c port=\(port) \
                \(durability) \(options)
            """)
        standbys.withLock { $0.append(child) }
        let standby = Standby(self, child, port: port)
        try await Self.waitUntilReady(child, try standby.superuser)
        return standby
    }

    private func endStandbys() async {
        for standby in standbys.withLock({ $0 }) {
            standby.signal(SIGQUIT)
            _ = try? await standby.exit()
        }
    }

    /// Stops the server as its maintenance does: its sessions end with 57P01.
    package func stop() async throws {
        try await run("\"$bin/pg_ctl\" -D data -m fast -w stop")
        let child = server.withLock { server in
            defer { server = nil }
            return server
        }
        _ = try await child?.exit()
    }

    /// Kills the server as a power cut does, and takes its data away.
    package func destroy() async throws {
        let lock = (try? String(contentsOf: directory.appending(path: "data/postmaster.pid"), encoding: .utf8)) ?? ""
        try await end(SIGKILL)
        // The server's processes end by themselves when the first has.
        try await eventually("the data is gone") {
            try? FileManager.default.removeItem(at: directory.appending(path: "data"))
            return !FileManager.default.fileExists(atPath: directory.appending(path: "data").path)
        }
        // The kernel keeps the server's shared memory; the seventh line has its key and id.
        let lines = lock.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 6, let memory = lines[6].split(separator: " ").last.flatMap({ Int32($0) }) {
            shmctl(memory, IPC_RMID, nil)
        }
    }

    /// Runs a script as the server's user in the cluster's directory, to its end; `$bin` has PostgreSQL's programs.
    package func run(_ script: String) async throws {
        let process = try start(script)
        let exit = try await process.exit()
        guard exit == .code(0) else {
            throw DidNotHappen(description: "\(script): \(process.standardOutput)\(process.lastWords)")
        }
    }

    private func end(_ signal: Int32) async throws {
        let child = server.withLock { server in
            defer { server = nil }
            return server
        }
        child?.signal(signal)
        _ = try await child?.exit()
    }

    private static let prepare = """
        "$bin/initdb" -D data -U postgres -A trust --no-sync --encoding=UTF8 --locale=C.UTF-8
        cat settings.conf >>data/postgresql.conf
        printf '%s\\n' 'local all all trust' 'host all all 127.0.0.1/32 scram-sha-256' >data/pg_hba.conf
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout data/server.key -out data/server.crt
        chmod 600 data/server.key
        cp data/server.crt server.crt
        chmod 755 .
        chmod 644 server.crt
        """

    /// Starts a script as the server's user, for PostgreSQL refuses to be root.
    private func start(_ script: String) throws -> ChildProcess {
        let bin = ProcessInfo.processInfo.environment["LEDGERD_TEST_POSTGRES_BIN"] ?? "$(pg_config --bindir)"
        let isForRoot = geteuid() != 0 || script.hasPrefix("chown")
        let user = isForRoot ? "" : "setpriv --reuid=postgres --regid=postgres --init-groups"
        return try ChildProcess(
            "/bin/sh",
            ["-c", "cd '\(directory.path)'; export bin=\(bin); exec \(user) /bin/sh -euc \"$1\"", "sh", script],
            environment: environment, in: directory)
    }
}
