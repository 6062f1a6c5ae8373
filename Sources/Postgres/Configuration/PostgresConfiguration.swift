import CLibPQ
import Glibc

/// Where the database is, and how long to wait for it.
///
/// Everything is said here: neither `PG…` environment variables nor `~/.pgpass` have a say in a connection.
/// `PGSERVICE` is the exception that libpq leaves no way around: its file's entries are ignored, but a service that
/// the file does not have makes connecting fail.
package struct PostgresConfiguration: Sendable {
    /// What the server shows for our sessions in `pg_stat_activity`.
    ///
    /// Default: the URL's, or `ledgerd`.
    package var applicationName = "ledgerd"
    /// How long to try each host.
    ///
    /// Rounded up to whole seconds, 2 at least (libpq's limits). Default: the URL's, or 3 s.
    package var connectTimeout: Duration = .seconds(3)
    /// How long a statement may run before the server cancels it (57014).
    ///
    /// 0: for ever. Default: 10 s.
    package var statementTimeout: Duration = .seconds(10)
    /// How long a statement may wait for a lock before the server cancels it (55P03).
    ///
    /// 0: for ever. Default: 5 s.
    package var lockTimeout: Duration = .seconds(5)
    /// How long a transaction may sit idle before the server ends the session.
    ///
    /// 0: for ever. Default: 15 s.
    package var idleInTransactionTimeout: Duration = .seconds(15)
    /// How long sent data may stay unacknowledged by the peer's kernel.
    ///
    /// Default: the URL's, or 10 s.
    package var tcpUserTimeout: Duration = .seconds(10)
    /// Further settings of the session, such as `["enable_seqscan": "off"]`.
    package var settings: [String: String] = [:]

    private var chosenReplyTimeout: Duration?
    /// The options that the URL names, by libpq's keywords.
    private let options: [String: String]

    /// How long the server may be silent while we wait for it.
    ///
    /// Then a cancellation is sent, the connection is closed and what was under way is unknown
    /// (``PostgresError/Code/timeout``).
    ///
    /// The statements of a pipeline are answered together, so for a pipeline this bounds the sum of their times.
    /// Default: 5 s more than ``statementTimeout``, so that the server's definite answer comes first; an hour when that
    /// is 0.
    package var replyTimeout: Duration {
        get {
            chosenReplyTimeout ?? (statementTimeout == .zero ? .seconds(3_600) : statementTimeout + .seconds(5))
        }
        set { chosenReplyTimeout = newValue }
    }

    /// Reads a connection URI (`postgresql://user:password@host1:port,host2:port/database?sslmode=verify-full`) or a
    /// keyword string (`host=… user=…`), as the PostgreSQL manual describes in "Connection Strings".
    ///
    /// What the URL does not say has PostgreSQL's default, save: `target_session_attrs` is `read-write` and `gssencmode`
    /// is `disable`, for a Kerberos ticket that happens to lie around is no configuration either.
    ///
    /// - Throws: `configuration`, without repeating the URL, which may hold a password.
    package init(url: String) throws(PostgresError) {
        if url.allSatisfy(\.isWhitespace) { throw PostgresError(.configuration, "the database URL is empty") }
        options = try Self.parse(url)
        if options["service"] != nil {
            throw PostgresError(.configuration, "the database URL must not name a service: say everything in the URL")
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
    /// The hosts that are reached over a network although nothing proves that they are who they should be: all remote ones
    /// unless `sslmode` is `verify-full`, the only mode that checks the certificate and the name in it (PostgreSQL manual,
    /// "SSL Support", "Protection Provided in Different Modes").
    ///
    /// Sockets of this machine and its loopback addresses are not remote.
    package var unverifiedHosts: [String] {
        guard options["sslmode"] != "verify-full" else { return [] }
        let names = Self.list(options["host"])
        let addresses = Self.list(options["hostaddr"])
        return (0..<max(names.count, addresses.count)).compactMap { index in
            let name = index < names.count ? names[index] : ""
            // Where it goes is the address, if there is one.
            let place = index < addresses.count && !addresses[index].isEmpty ? addresses[index] : name
            return Self.isLocal(place) ? nil : place
        }
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// A path or an abstract name is a socket, and so is a host that nobody names.
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

    /// Like the description: a dump shows no password either.
    package var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }
}

extension PostgresConfiguration {
    /// Every option that libpq knows, with a value, as a keyword string.
    func connectionString() -> String {
        ConnectionOptions.complete(chosenOptions()).map { keyword, value in
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

    /// The settings that the session begins with.
    ///
    /// They are set by a statement and not in the startup packet, because there libpq adds what `PGTZ`, `PGDATESTYLE`
    /// and `PGGEQO` say, and the server lets those win over `options`.
    func sessionSettings() -> [(name: String, value: String)] {
        var all = [
            "statement_timeout": String(statementTimeout.pollMilliseconds),
            "lock_timeout": String(lockTimeout.pollMilliseconds),
            "idle_in_transaction_session_timeout": String(idleInTransactionTimeout.pollMilliseconds),
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
            // libpq quotes parts of the URL, perhaps the password, after the words that say what is wrong.
            let reason = message.map { String(cString: $0).prefix { $0 != "\"" } } ?? ""
            throw PostgresError(.configuration, "the database URL is not valid: \(String(reason).trimmed)")
        }
        defer { PQconninfoFree(parsed) }
        return ConnectionOptions.read(parsed).reduce(into: [:]) { options, option in
            options[option.keyword] = option.value
        }
    }
}
