/// HTTP through libcurl: HTTP/1.1 with kept connections, HTTP/2 where the server offers it over TLS.
///
/// All transfers run on one thread of their own, never on the cooperative pool. Certificates and host names are
/// verified, redirects are never followed, proxies of the environment are ignored, every transfer has its deadlines and
/// bounds.
package final class CurlTransport: HTTPTransport {
    /// The bounds of a transport, and whom it trusts.
    package struct Configuration: Hashable, Sendable {
        /// How many connections may be open to one host; further transfers wait for one.
        package var maxConnectionsPerHost: Int

        /// How many connections may be open in all, idle ones included.
        package var maxConnections: Int

        /// How many transfers may be under way or waiting; more are refused at once.
        package var maxTransfers: Int

        /// A PEM file of the authorities to trust instead of the system's; nil for the system's.
        package var authoritiesFile: String?

        /// States the bounds.
        package init(
            maxConnectionsPerHost: Int = 64, maxConnections: Int = 256, maxTransfers: Int = 16_384,
            authoritiesFile: String? = nil
        ) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
            self.maxConnections = maxConnections
            self.maxTransfers = maxTransfers
            self.authoritiesFile = authoritiesFile
        }
    }

    private let driver: CurlDriver

    /// Starts the driver thread; it ends with ``shutdown()`` or when the transport is no longer referred to.
    package init(_ configuration: Configuration = Configuration()) {
        driver = CurlDriver(configuration)
        driver.start()
    }

    deinit {
        driver.shutdown()
    }

    /// Ends every transfer under way with ``TransportError/Code/cancelled``, refuses new ones, and ends the thread.
    package func shutdown() {
        driver.shutdown()
    }

    /// Sends `request` and waits for the whole answer, whatever its status.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer within the request's bounds.
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
