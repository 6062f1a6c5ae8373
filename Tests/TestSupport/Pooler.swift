import Foundation
import Glibc

/// pgbouncer in front of a server, which trusts whom it knows.
package struct Pooler: Sendable {
    /// The port on 127.0.0.1.
    package let port: Int

    /// How long a client keeps a server connection: pgbouncer's `pool_mode`.
    package enum Mode: String, Sendable {
        case session, transaction, statement
    }

    /// A URL through it.
    package func url(database: String, user: String) -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(database)"
    }

    /// Starts one, lends it, and ends it.
    ///
    /// - Parameters:
    ///   - users: the roles that may connect.
    ///   - connections: the most connections to the server, for each role and database.
    package static func with(
        _ mode: Mode, to server: TestServer, users: [String], connections: Int = 60,
        _ body: (Pooler) async throws -> Void
    ) async throws {
        // The program refuses to be root, and the user that it becomes can't enter every directory.
        let directory = URL(filePath: "/tmp/ledgerd-pooler-\(Fresh.word)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let port = TestPort.next()
        let settings = """
            [databases]
            * = host=\(server.address.host) port=\(server.address.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = users.txt
            pool_mode = \(mode.rawValue)
            default_pool_size = \(connections)
            """
        try Data(settings.utf8).write(to: directory.appending(path: "pgbouncer.ini"))
        try Data(users.map { "\"\($0)\" \"\"\n" }.joined().utf8).write(to: directory.appending(path: "users.txt"))
        let child = try start(in: directory)
        do {
            try await eventually("the pooler listens") {
                guard !child.hasEnded else { throw DidNotHappen(description: child.standardError) }
                guard let socket = Sockets.connect(host: "127.0.0.1", port: port) else { return false }
                close(socket)
                return true
            }
            try await body(Pooler(port: port))
        } catch {
            try? await end(child)
            throw error
        }
        try await end(child)
    }

    private static func start(in directory: URL) throws -> ChildProcess {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "pgbouncer.sh").path
        let user = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups" : ""
        let command = """
            cd '\(directory.path)'
            cp -R "$('\(script)')/." .
            chmod -R a+rX .
            export LD_LIBRARY_PATH="$PWD"
            exec \(user) ./pgbouncer pgbouncer.ini
            """
        return try ChildProcess(
            "/bin/sh", ["-euc", command], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], in: directory)
    }

    private static func end(_ child: ChildProcess) async throws {
        child.signal(SIGKILL)
        _ = try await child.exit()
    }
}
