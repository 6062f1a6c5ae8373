extension PostgresConfiguration {
    /// The URI of another database or role of the same server.
    ///
    /// It keeps the options that say how the server is reached, such as `sslmode`, and none that says as whom.
    ///
    /// - Parameters:
    ///   - user: the role; nil: this configuration's role, with its password and client certificate.
    ///   - password: the role's.
    ///   - host: other hosts, as in a URI: `db.internal`, `db1:5432,db2`; nil: the same.
    package func url(
        user: String? = nil, password: String? = nil, database: String, host: String? = nil
    ) -> String {
        var options = options
        options["dbname"] = nil
        if let user {
            for keyword in Self.identity { options[keyword] = nil }
            options["user"] = user
            options["password"] = password
        }
        if host != nil { for keyword in ["host", "hostaddr", "port"] { options[keyword] = nil } }
        let credentials = Self.credentials(options.removeValue(forKey: "user"), options.removeValue(forKey: "password"))
        let address = host ?? Self.address(&options)
        let query = options.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }
        return "postgresql://\(credentials)\(address)/\(Self.encoded(database))"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The options of a URL that say who logs in.
    private static let identity = [
        "user", "password", "passfile", "sslcert", "sslkey", "sslpassword", "application_name", "options",
    ]

    private static func credentials(_ user: String?, _ password: String?) -> String {
        guard let user else { return "" }
        return encoded(user) + (password.map { ":" + encoded($0) } ?? "") + "@"
    }

    /// The hosts with their ports, taken out of the options; nothing where one is a socket, which only a query can name.
    private static func address(_ options: inout [String: String]) -> String {
        let hosts = list(options["host"])
        let ports = list(options["port"])
        guard !hosts.isEmpty, hosts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("/") && !$0.hasPrefix("@") }),
            ports.count <= 1 || ports.count == hosts.count
        else { return "" }
        options["host"] = nil
        options["port"] = nil
        return hosts.indices.map { index in
            let port = ports.count == 1 ? ports[0] : (index < ports.count ? ports[index] : "")
            let host = hosts[index].contains(":") ? "[\(hosts[index])]" : encoded(hosts[index])
            return host + (port.isEmpty ? "" : ":" + port)
        }
        .joined(separator: ",")
    }

    /// Percent-encoding of everything but unreserved characters (RFC 3986, 2.3).
    private static func encoded(_ text: String) -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            if kept.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }
        .joined()
    }
}
