package import OutboundHTTP
import SandboxStore
import TestSupport

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
