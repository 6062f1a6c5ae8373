import NIOCore
import NIOPosix
import OutboundHTTP

/// Whether the addresses can be listened on.
struct ListenChecks: Sendable {
    let values: SettingValues
    /// How long each may take.
    let limit: Duration

    func run(_ transport: CurlTransport) async -> [CheckResult] {
        var results: [CheckResult] = []
        for (name, address) in addresses {
            results.append(await within(limit) { await check(name, address, transport) } ?? .late(name, limit))
        }
        return results
    }

    private var addresses: [(name: String, address: ServeConfiguration.Listen)] {
        [
            ("listen", try? values[Settings.http.listen]),
            ("admin_listen", try? values[Settings.http.adminListen]),
        ]
        .compactMap { name, address in address.map { (name, $0) } }
    }

    private func check(
        _ name: String, _ address: ServeConfiguration.Listen, _ transport: CurlTransport
    ) async -> CheckResult {
        let text = "\(address.host):\(address.port)"
        do {
            try await listening(on: address) {
                let server = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                try await server.bind(host: address.host, port: address.port).get().close()
            }
            return .ok(name, "\(text) is free")
        } catch {
            if address.port != 0, await isOurs(address, transport) {
                return .ok(name, "a ledgerd serves at \(text) now")
            }
            return .failed(name, error)
        }
    }

    /// Whether a ledgerd listens there: while one runs, its own address is not free.
    private func isOurs(_ address: ServeConfiguration.Listen, _ transport: CurlTransport) async -> Bool {
        guard let url = try? HTTPURL("http://\(address.authorityOnThisMachine)/health/live"),
            let answer = try? await transport.send(HTTPRequest(.get, url, totalTimeout: limit))
        else { return false }
        return answer.headers["server"] == "ledgerd"
    }
}
