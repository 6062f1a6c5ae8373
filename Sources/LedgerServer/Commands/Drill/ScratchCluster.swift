import CivilTime
import Foundation
import Glibc
import Postgres

/// A PostgreSQL cluster that a backup is restored into, in a directory of its own that is removed afterwards.
///
/// It listens on a socket in that directory only, which nobody but its user can enter.
struct ScratchCluster: Sendable {
    /// How a cluster is restored, started, and by whom.
    struct Options: Sendable {
        /// What restores the backup: run by `sh`, with `PGDATA` and, for a moment, `RECOVERY_TARGET_TIME`.
        var restoreCommand = Self.pgBackRest
        /// Where the directory is made.
        var parent = "/var/tmp"
        /// Whom the programs run as when this process is root's.
        var user = "postgres"
        /// Where PostgreSQL's programs are; nil: where Debian has those of the backup's version.
        var programs: String?

        /// pgBackRest's restore of the stanza `ledgerd`, with its tablespaces beside the data and not where they were.
        static let pgBackRest = """
            pgbackrest --stanza=ledgerd --pg1-path="$PGDATA" --tablespace-map-all="$PGDATA.tablespaces" \
            ${RECOVERY_TARGET_TIME:+--type=time --target="$RECOVERY_TARGET_TIME"} restore
            """
    }

    private let options: Options
    private let directory: String
    private let user: OSUser?
    private static let port = 5432

    private var data: String { directory + "/data" }
    private var log: String { directory + "/log" }

    /// Lends a directory for a cluster, and removes it.
    static func with<Output>(
        _ options: Options, _ work: (ScratchCluster) async throws -> Output
    ) async throws -> Output {
        let cluster = try ScratchCluster(options)
        defer { try? FileManager.default.removeItem(atPath: cluster.directory) }
        try cluster.prepare()
        return try await work(cluster)
    }

    private init(_ options: Options) throws {
        self.options = options
        user = geteuid() == 0 ? OSUser(named: options.user) : nil
        if geteuid() == 0, user == nil { throw DrillImpossible("there is no user \(options.user): give --user") }
        // A socket's path has at most 107 bytes.
        guard options.parent.utf8.count < 70 else { throw DrillImpossible("--directory has more than 69 characters") }
        var path = Array("\(options.parent)/ledgerd-drill-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw DrillImpossible("\(options.parent) can't be written: \(Self.reason)") }
        directory = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func prepare() throws {
        for path in [data, data + ".tablespaces"] {
            guard mkdir(path, 0o700) == 0 else { throw DrillImpossible("\(path) can't be made: \(Self.reason)") }
        }
        // Debian keeps these outside the data directory, so a backup does not have them.
        for (name, text) in ["postgresql.conf": "", "pg_hba.conf": "local all all trust\n", "pg_ident.conf": ""] {
            try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
        }
        guard let user else { return }
        let files = ["data", "data.tablespaces", "postgresql.conf", "pg_hba.conf", "pg_ident.conf"]
        for path in files.map({ "\(directory)/\($0)" }) + [directory]
        where chown(path, user.userID, user.groupID) != 0 {
            throw DrillImpossible("\(path) can't be given to \(options.user): \(Self.reason)")
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

// MARK: - Restore

extension ScratchCluster {
    /// Restores the backup.
    ///
    /// - Parameter moment: up to when; nil: all that is archived.
    /// - Throws: ``RestoreFailed``.
    func restore(to moment: Date?) async throws {
        let restoring = try await run(
            ["/bin/sh", "-c", options.restoreCommand],
            environment: ["PGDATA": data, "RECOVERY_TARGET_TIME": moment?.recoveryTarget ?? ""])
        let end = await withTaskCancellationHandler {
            await restoring.end()
        } onCancel: {
            restoring.signal(SIGTERM)
        }
        try Task.checkCancellation()
        guard end == .code(0) else { throw RestoreFailed("the restore command failed: \(lastWords)") }
        guard FileManager.default.fileExists(atPath: data + "/PG_VERSION") else {
            throw RestoreFailed("the restore command has left no cluster in $PGDATA")
        }
    }

    /// When the backup that was restored began, as `backup_label` tells; nil without one.
    var backupLabelTime: String? {
        let label = try? String(contentsOfFile: data + "/backup_label", encoding: .utf8)
        return label?.firstMatch(of: /(?m)^START TIME: (.+)$/).map { String($0.1) }
    }

    /// - Parameter environment: beside that of this process, without its own settings, which may be secrets.
    private func run(_ command: [String], environment: [String: String] = [:]) async throws -> Program {
        let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LEDGERD_") }
        return try await Program.start(
            command, as: user, environment: own.merging(environment) { $1 }, in: directory, output: log)
    }

    /// The end of what the programs complained of, on one line.
    private var lastWords: String {
        let lines = (try? String(contentsOfFile: log, encoding: .utf8))?.split(whereSeparator: \.isNewline) ?? []
        // The server also tells what goes well, and refuses whoever asks whether it has recovered.
        let complaints = lines.filter { !$0.contains(" LOG:  ") && !$0.contains("the database system is ") }
        return (complaints.isEmpty ? lines : complaints).suffix(3).joined(separator: "; ")
    }
}

extension Date {
    /// As PostgreSQL and pgBackRest read it.
    fileprivate var recoveryTarget: String {
        RFC3339.string(from: self).replacing("T", with: " ").replacing("Z", with: "+00")
    }
}

// MARK: - Serve

extension ScratchCluster {
    /// Starts the server, waits until it has recovered, and stops it after the work, also when this task is cancelled.
    ///
    /// - Parameter live: the database and the role to connect with are those of the live books.
    /// - Throws: ``RestoreFailed`` when the recovery fails.
    func serving<Output>(
        like live: PostgresConfiguration, _ work: (PostgresConfiguration) async throws -> Output
    ) async throws -> Output {
        let server = try await run(try programs() + settings)
        do {
            let output = try await withTaskCancellationHandler {
                let configuration = live.atSocket(in: directory, port: Self.port)
                try await waitUntilRecovered(server, configuration)
                return try await work(configuration)
            } onCancel: {
                server.signal(SIGQUIT)
            }
            await Self.stop(server)
            return output
        } catch {
            await Self.stop(server)
            try Task.checkCancellation()
            throw error
        }
    }

    /// Stops the server at once, because nothing in it is kept.
    ///
    /// PostgreSQL itself ends those of its processes that do not obey.
    private static func stop(_ server: Program) async {
        server.signal(SIGQUIT)
        _ = await server.end()
    }

    private func programs() throws -> [String] {
        let version = try String(contentsOfFile: data + "/PG_VERSION", encoding: .utf8).prefix { !$0.isNewline }
        let program = "\(options.programs ?? "/usr/lib/postgresql/\(version)/bin")/postgres"
        guard access(program, X_OK) == 0 else {
            throw DrillImpossible("\(program) is missing: install PostgreSQL \(version), or give --postgres-bin")
        }
        return [program]
    }

    /// Options of the command line, which win over the restored ones.
    ///
    /// Above all nothing may be archived: the repository is the live cluster's. Nothing is kept, so nothing has to reach the
    /// disk.
    private var settings: [String] {
        let settings = [
            "config_file=\(directory)/postgresql.conf", "hba_file=\(directory)/pg_hba.conf",
            "ident_file=\(directory)/pg_ident.conf", "listen_addresses=", "unix_socket_directories=\(directory)",
            "port=\(Self.port)", "ssl=off", "archive_mode=off", "archive_command=", "archive_library=",
            "hot_standby=off", "recovery_target_action=promote", "primary_conninfo=", "synchronous_standby_names=",
            "max_prepared_transactions=100", "shared_preload_libraries=", "autovacuum=off", "fsync=off",
            "logging_collector=off", "log_destination=stderr", "lc_messages=C",
        ]
        return ["-D", data] + settings.flatMap { ["-c", $0] }
    }

    private func waitUntilRecovered(_ server: Program, _ configuration: PostgresConfiguration) async throws {
        while true {
            do {
                return try await PostgresConnection.with(configuration) { _ in }
            } catch let error as PostgresError where error.isPassing {
                guard !server.hasEnded else { throw RestoreFailed("the recovery failed: \(lastWords)") }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension PostgresError {
    /// Whether a server may just not have come so far: its socket is missing, or it still recovers (57P03).
    fileprivate var isPassing: Bool { code == .connectionFailed && (sqlState == nil || sqlState == .cannotConnectNow) }
}

extension SQLState {
    /// `57P03`: the server is starting or recovering.
    fileprivate static let cannotConnectNow = SQLState(rawValue: "57P03")
}
