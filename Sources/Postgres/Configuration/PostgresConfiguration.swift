import CLibPQ
import Glibc

/// The address and timeouts of the database.
///
/// The configuration is complete: `PG…` environment variables and `~/.pgpass` have no effect. `PGSERVICE` is the only
/// exception, which libpq does not allow to switch off: the entries of its file are ignored, but connecting fails if
/// the file does not have the service.
package struct PostgresConfiguration: Sendable {
    /// The name of our sessions in `pg_stat_activity`.
    ///
    /// Default: the URL's, or `ledgerd`.
    package var applicationName = "ledgerd"
    /// The connect timeout per host.
    ///
    /// Rounded up to whole seconds, at least 2 (libpq's limits). Default: the URL's, or 3 s.
    package var connectTimeout: Duration = .seconds(3)
    /// The time after which the server cancels a statement (57014).
    ///
    /// 0: no limit. Default: 10 s.
    package var statementTimeout: Duration = .seconds(10)
    /// The time after which the server cancels a statement that waits for a lock (55P03).
    ///
    /// 0: no limit. Default: 5 s.
    package var lockTimeout: Duration = .seconds(5)
    /// The time after which the server ends a session with an idle transaction.
    ///
    /// 0: no limit. Default: 15 s.
    package var idleInTransactionTimeout: Duration = .seconds(15)
    /// The time limit for unacknowledged data (TCP_USER_TIMEOUT).
    ///
    /// Default: the URL's, or 10 s.
    package var tcpUserTimeout: Duration = .seconds(10)
    /// Further session settings, such as `["enable_seqscan": "off"]`.
    package var settings: [String: String] = [:]
    /// Gets the server's warnings and notices, on the connection's thread.
    package var noticeHandler: (@Sendable (PostgresNotice) -> Void)?

    /// What the process knows of the primary, for connections that must not believe a former one; nil: it is not asked.
    package var succession: Succession?

    /// How much longer than ``replyTimeout`` a reply may take while the server shows that the session is at work.
    ///
    /// 0, the default: the server is not asked.
    package var busyTimeout: Duration = .zero

    /// How many times as long as they say the limits of silence, statements and idle transactions are.
    ///
    /// More than 1 only for tests, which a slow machine must not fail.
    package var limitFactor = 1

    private var chosenReplyTimeout: Duration?
    /// The options of the URL, by libpq's keywords.
    private(set) var options: [String: String]

    /// The time limit for a reply of the server.
    ///
    /// After it, ledgerd sends a cancellation and closes the connection; the outcome of the running statement is
    /// unknown (``PostgresError/Code/timeout``).
    ///
    /// The server answers the statements of a pipeline together, so for a pipeline this limits the sum of their times.
    /// Default: 5 s more than ``statementTimeout``, so that the server's definite error comes first; an hour if that is
    /// 0.
    package var replyTimeout: Duration {
        get {
            chosenReplyTimeout ?? (statementTimeout == .zero ? .seconds(3_600) : statementTimeout + .seconds(5))
        }
        set { chosenReplyTimeout = newValue }
    }

    /// Reads a connection URI (`postgresql://user:password@host1:port,host2:port/database?sslmode=verify-full`) or a
    /// keyword string (`host=… user=…`), as the PostgreSQL manual describes in "Connection Strings".
    ///
    /// Missing options have PostgreSQL's defaults, except: `target_session_attrs` is `read-write`, and `gssencmode` is
    /// `disable`, so that a local Kerberos ticket has no effect.
    ///
    /// - Throws: `configuration`, without the URL, which can contain a password.
    package init(url: String) throws(PostgresError) {
        if url.allSatisfy(\.isWhitespace) { throw PostgresError(.configuration, "the database URL is empty") }
        options = try Self.parse(url)
        if options["service"] != nil {
            throw PostgresError(
                .configuration, "the database URL must not name a service: put all options into the URL")
        }
        applicationName = options["application_name"] ?? applicationName
        connectTimeout = try Self.number(options["connect_timeout"]).map { .seconds($0) } ?? connectTimeout
        tcpUserTimeout = try Self.number(options["tcp_user_timeout"]).map { .milliseconds($0) } ?? tcpUserTimeout
    }

    private static func number(_ text: String?) throws(PostgresError) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text) else {
            throw PostgresError(.configuration, "the database URL has a timeout that is not a number")
        }
        return number
    }
}

extension PostgresConfiguration {
    /// The same database and role, on a server that listens on a local socket only, such as a restored copy.
    ///
    /// The hosts, the password and the TLS options of the URL are left out.
    ///
    /// - Parameters:
    ///   - directory: the absolute path of the socket's directory.
    ///   - port: the port, which is part of the socket's name.
    package func atSocket(in directory: String, port: Int) -> PostgresConfiguration {
        var local = self
        local.options = options.filter { ["dbname", "user"].contains($0.key) }
        local.options["host"] = directory
        local.options["port"] = String(port)
        local.options["target_session_attrs"] = "any"
        return local
    }
}

extension PostgresConfiguration {
    /// The same servers, of which a standby is preferred unless the URL has `target_session_attrs`.
    package var preferringStandby: PostgresConfiguration {
        var preferring = self
        preferring.options["target_session_attrs"] = options["target_session_attrs"] ?? "prefer-standby"
        return preferring
    }

    /// The remote hosts that are not verified: all remote hosts unless `sslmode` is `verify-full`, the only mode that
    /// checks the certificate and its host name (PostgreSQL manual, "SSL Support", "Protection Provided in Different
    /// Modes").
    ///
    /// Local sockets and loopback addresses are not remote.
    package var unverifiedHosts: [String] {
        guard options["sslmode"] != "verify-full" else { return [] }
        let names = Self.list(options["host"])
        let addresses = Self.list(options["hostaddr"])
        return (0..<max(names.count, addresses.count)).compactMap { index in
            let name = index < names.count ? names[index] : ""
            // `hostaddr`, if set, is the real address.
            let place = index < addresses.count && !addresses[index].isEmpty ? addresses[index] : name
            return Self.isLocal(place) ? nil : place
        }
    }

    static func list(_ text: String?) -> [String] {
        text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// A path, an abstract name and a missing host are local sockets.
    private static func isLocal(_ host: String) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host.lowercased() == "localhost" {
            return true
        }
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        var address6 = in6_addr()
        guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
        return withUnsafeBytes(of: address6) { bytes in
            let mapped = bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) && bytes[12] == 127
            return mapped || bytes.elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// Hosts, database and user; never the password.
    package var description: String {
        let shown = ["host", "hostaddr", "port", "dbname", "user"].compactMap { keyword in
            options[keyword].map { "\(keyword)=\($0)" }
        }
        return "PostgresConfiguration(\(shown.joined(separator: " ")))"
    }

    /// Like the description: without the password.
    package var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }
}

extension PostgresConfiguration {
    /// All options of libpq with their values, as a keyword string.
    ///
    /// - Parameter server: the options of one server in the place of all of the URL's; empty: the URL's.
    func connectionString(toServer server: [String: String] = [:]) -> String {
        var options = chosenOptions().merging(server) { _, ours in ours }
        if !server.isEmpty { options["target_session_attrs"] = "any" }
        return ConnectionOptions.complete(options).map { keyword, value in
            let quoted = value.flatMap { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }
            return "\(keyword)='\(String(quoted))'"
        }
        .joined(separator: " ")
    }

    private func chosenOptions() -> [String: String] {
        var chosen = options
        chosen["application_name"] = applicationName
        chosen["connect_timeout"] = String(max(2, Int((connectTimeout / .seconds(1)).rounded(.up))))
        chosen["tcp_user_timeout"] = String(tcpUserTimeout.pollMilliseconds)
        chosen["client_encoding"] = "UTF8"
        return chosen
    }

    /// The first settings of the session.
    ///
    /// A statement sets them, not the startup packet, because libpq adds `PGTZ`, `PGDATESTYLE` and `PGGEQO` there, and
    /// the server prefers those to `options`.
    func sessionSettings() -> [(name: String, value: String)] {
        var all = [
            "statement_timeout": String((statementTimeout * limitFactor).pollMilliseconds),
            "lock_timeout": String(lockTimeout.pollMilliseconds),
            "idle_in_transaction_session_timeout": String((idleInTransactionTimeout * limitFactor).pollMilliseconds),
            // A role's or a provider's would end sessions of the pools, and the one that holds leases.
            "idle_session_timeout": "0",
            "TimeZone": "UTC",
            "DateStyle": "ISO, MDY",
        ]
        if getenv("PGGEQO") != nil { all["geqo"] = "on" }
        all.merge(settings) { _, chosen in chosen }
        return all.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard !url.utf8.contains(0), let parsed = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            // After the error text, libpq quotes parts of the URL, possibly the password.
            let reason = message.map { String(cString: $0).prefix { $0 != "\"" } } ?? ""
            throw PostgresError(.configuration, "the database URL is not valid: \(String(reason).trimmed)")
        }
        defer { PQconninfoFree(parsed) }
        return ConnectionOptions.read(parsed).reduce(into: [:]) { options, option in
            options[option.keyword] = option.value
        }
    }
}
