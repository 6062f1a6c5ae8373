package import Foundation

/// The PostgreSQL server that tests run against.
///
/// Its superuser's URL stands in `LEDGERD_TEST_DATABASE_URL`, e.g.
/// `postgresql:///postgres?host=/path/to/socket&port=5499&user=postgres`.
package struct TestServer: Sendable {
    /// The superuser's URL.
    package let url: URLComponents

    /// The server of the environment.
    ///
    /// - Throws: ``Missing``: a test without its server fails, for a test that is skipped proves nothing.
    package init() throws {
        guard let text = ProcessInfo.processInfo.environment["LEDGERD_TEST_DATABASE_URL"], !text.isEmpty,
            let url = URLComponents(string: text), url.scheme != nil
        else { throw Missing() }
        self.url = url
    }

    /// The server with this superuser's URL.
    package init(url text: String) throws {
        guard let url = URLComponents(string: text) else { throw Missing() }
        self.url = url
    }

    /// There is no server to test against.
    package struct Missing: Error, CustomStringConvertible {
        /// What to do about it.
        package var description: String {
            "LEDGERD_TEST_DATABASE_URL does not name a PostgreSQL server: run ./dev test, which starts one"
        }
    }

    /// The URL of a database of the server.
    ///
    /// - Parameters:
    ///   - database: Its name; the superuser's own when `nil`.
    ///   - parameters: What is to differ, by libpq's keywords, e.g. `["user": "ledgerd_service"]`.
    package func url(database: String? = nil, _ parameters: [String: String] = [:]) -> String {
        var url = url
        if let database { url.path = "/" + database }
        var items = (url.queryItems ?? []).filter { parameters[$0.name] == nil }
        items += parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        url.queryItems = items
        return url.string ?? ""
    }

    /// The same through a proxy.
    package func url(
        database: String? = nil, through proxy: FaultProxy, _ parameters: [String: String] = [:]
    ) -> String {
        let here = ["host": "127.0.0.1", "port": String(proxy.port)]
        return url(database: database, parameters.merging(here) { _, proxy in proxy })
    }

    /// Where the server listens: a socket's directory or a host, and its port.
    package var address: (host: String, port: Int) {
        func parameter(_ name: String) -> String? {
            url.queryItems?.first { $0.name == name }?.value
        }
        let host = parameter("host") ?? url.host.flatMap { $0.isEmpty ? nil : $0 } ?? "127.0.0.1"
        return (host, parameter("port").flatMap { Int($0) } ?? url.port ?? 5432)
    }
}
