/// HTTP through libcurl: HTTP/1.1 with kept-alive connections, HTTP/2 if the server offers it over TLS.
///
/// All transfers run on one dedicated thread, never on the cooperative pool. It verifies certificates and host names,
/// never follows redirects, ignores proxy variables, and limits time and size of every transfer.
package final class CurlTransport: HTTPTransport {
    /// The limits of a transport, and whom it trusts.
    package struct Configuration: Hashable, Sendable {
        /// The maximum number of connections to one host; further transfers wait.
        package var maxConnectionsPerHost: Int

        /// The maximum number of connections, including idle ones.
        package var maxConnections: Int

        /// The maximum number of running and waiting transfers; more are refused at once.
        package var maxTransfers: Int

        /// A PEM file of trusted authorities; nil for the system's.
        package var authoritiesFile: String?

        /// Which addresses may be connected to; nil: all.
        package var addressGuard: AddressGuard?

        /// Addresses of host names that are not looked up, as `host:port:address`.
        package var knownAddresses: [String] = []

        /// A configuration.
        package init(
            maxConnectionsPerHost: Int = 64, maxConnections: Int = 256, maxTransfers: Int = 16_384,
            authoritiesFile: String? = nil, addressGuard: AddressGuard? = nil
        ) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
            self.maxConnections = maxConnections
            self.maxTransfers = maxTransfers
            self.authoritiesFile = authoritiesFile
            self.addressGuard = addressGuard
        }
    }

    private let driver: CurlDriver

    /// Starts the driver thread; it ends with ``shutdown()`` or with the transport.
    package init(_ configuration: Configuration = Configuration()) {
        driver = CurlDriver(configuration)
        driver.start()
    }

    deinit {
        driver.shutdown()
    }

    /// Ends every running transfer with ``TransportError/Code/cancelled``, refuses new ones, and ends the thread.
    package func shutdown() {
        driver.shutdown()
    }

    /// Sends `request` and waits for the whole response, with any status.
    ///
    /// - Throws: ``TransportError`` if there is no complete response within the request's limits.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let transfer = CurlTransfer(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.begin(continuation)
                driver.submit(transfer)
            }
        } onCancel: {
            driver.cancel(transfer)
        }
        return try result.get()
    }
}
