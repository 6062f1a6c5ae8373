package import OutboundHTTP
import SandboxStore
import TestSupport
import Testing

/// The stand-in stores, which a test drives by their control API.
package protocol StandInStore: Sendable {
    var port: Int { get }
    var transport: CurlTransport { get }
}

extension StandInStore {
    package var url: String { "http://127.0.0.1:\(port)" }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = ""
    ) async throws -> Answer {
        Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL(url + path), headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8), totalTimeout: Patience.hang)))
    }

    /// How many requests came so far whose path ends so, answered or not.
    package func received(_ ending: String) async throws -> Int {
        try await send(.get, "/sandbox/journal").json["requests"].elements
            .count { $0["path"].text?.hasSuffix(ending) == true }
    }
}

extension Service {
    /// Says that `com.example.coins.100` is `coins_100` at a store.
    package func sellCoins(at store: String) async throws {
        let named = try await send(
            .put, "/v1/store-products/\(store)/com.example.coins/com.example.coins.100",
            as: Token.make(sub: "kim", scope: "finance"), headers: [("Content-Type", "application/json")],
            body: #"{"product": "coins_100"}"#)
        #expect(named.status == 200, "\(named)")
    }
}

extension House {
    /// Starts the stand-in stores, without purchases; they tell nobody of any.
    ///
    /// - Returns: their port.
    func startStores() async throws -> Int {
        let guest = welcome()
        let store = SandboxStore(
            configuration: SandboxStoreConfiguration(port: 0), logger: guest.logger("store-sandbox"))
        return try await guest.start { isServing in try await store.run { isServing($0) } }
    }
}
