extension ServeConfiguration {
    /// The address that the service listens on.
    struct Listen: Sendable, Equatable {
        let host: String
        /// 0 for any free port.
        let port: Int

        /// Parses `host:port`; an IPv6 host has brackets.
        init?(text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            guard !host.isEmpty else { return nil }
            self.host = String(host)
            self.port = Int(port)
        }
    }
}

extension SettingValues {
    /// - Throws: ``ConfigurationError`` when one address is to serve both the API and monitoring.
    func requireTwoListeners() throws(ConfigurationError) {
        let listen = try self[Settings.http.listen]
        guard listen.port != 0, try self[Settings.http.adminListen] == listen else { return }
        throw .conflict("admin_listen", "admin_listen and listen are the same address; one must change")
    }
}
