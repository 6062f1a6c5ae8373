package import Foundation
package import Postgres

/// A PostgreSQL of a test's own, for what a whole server is told to do, or for one without any of our roles.
///
/// Who comes by its socket is trusted; by TCP the server asks for a password.
package struct TestCluster: Sendable {
    /// Where its socket and files are.
    package let directory: URL
    /// The superuser's URL, by the socket.
    package let url: String
    /// The port on 127.0.0.1, over TLS.
    package let port: Int

    /// The superuser's configuration.
    package var superuser: PostgresConfiguration {
        get throws { try PostgresConfiguration(url: url) }
    }

    /// The certificate of `localhost`, which is its own authority.
    package var certificate: String { directory.appending(path: "server.crt").path }

    /// Starts a server, lends it, and removes it.
    package static func with(_ body: (TestCluster) async throws -> Void) async throws {
        // A socket's path has at most 107 bytes, and the server's user must be able to enter it.
        let directory = URL(filePath: "/tmp/ledgerd-cluster-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        if geteuid() == 0 { try await run("chown postgres: .", in: directory) }
        try await run(prepare, in: directory)
        // One that no other process is given by chance.
        let port = Int.random(in: 20_000..<30_000)
        let server = try start(
            """
            exec setpriv --pdeathsig KILL "$bin/postgres" -D data -k "$PWD" -c listen_addresses=127.0.0.1 -c port=\(port) \
                -c fsync=off -c ssl=on
            """, in: directory)
        let url = "postgresql:///postgres?host=\(directory.path)&port=\(port)&user=postgres"
        let cluster = TestCluster(directory: directory, url: url, port: port)
        do {
            try await eventually("the server takes connections") {
                guard let connection = try? await PostgresConnection.connect(cluster.superuser) else { return false }
                await connection.close()
                return true
            }
            try await body(cluster)
        } catch {
            server.signal(SIGQUIT)
            _ = try? await server.exit()
            throw error
        }
        server.signal(SIGQUIT)
        _ = try await server.exit()
    }

    private static let prepare = """
        "$bin/initdb" -D data -U postgres -A trust --no-sync --encoding=UTF8 --locale=C.UTF-8
        printf '%s\\n' 'local all all trust' 'host all all 127.0.0.1/32 scram-sha-256' >data/pg_hba.conf
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout data/server.key -out data/server.crt
        chmod 600 data/server.key
        cp data/server.crt server.crt
        chmod 755 .
        chmod 644 server.crt
        """

    private static func run(_ script: String, in directory: URL) async throws {
        let process = try start(script, in: directory)
        let exit = try await process.exit()
        guard exit == .code(0) else { throw DidNotHappen(description: "\(script): \(process.lastWords)") }
    }

    /// Starts a script as the server's user, for PostgreSQL refuses to be root.
    private static func start(_ script: String, in directory: URL) throws -> ChildProcess {
        let bin = ProcessInfo.processInfo.environment["LEDGERD_TEST_POSTGRES_BIN"] ?? "$(pg_config --bindir)"
        let isForRoot = geteuid() != 0 || script.hasPrefix("chown")
        let user = isForRoot ? "" : "setpriv --reuid=postgres --regid=postgres --init-groups"
        return try ChildProcess(
            "/bin/sh",
            ["-c", "cd '\(directory.path)'; export bin=\(bin); exec \(user) /bin/sh -euc \"$1\"", "sh", script],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp"], in: directory)
    }
}
