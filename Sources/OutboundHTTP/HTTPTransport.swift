/// Sends HTTP requests.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and waits for the whole response, with any status: a 500 is a response, not an error.
    ///
    /// Cancelling the task ends the transfer.
    ///
    /// - Throws: ``TransportError`` if there is no complete response within the request's limits.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why there is no response.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: String, Hashable, Sendable {
        /// A deadline passed. The request may have been carried out.
        case timeout
        /// The connection failed.
        case unreachable
        /// The host has no address that the transport's ``AddressGuard`` allows; nothing was sent.
        case forbiddenAddress
        /// The connection ended before the response. The request may have been carried out.
        case connectionLost
        /// The peer's certificate or TLS is not trusted.
        case untrusted
        /// The response is larger than the request's limit.
        case tooLarge
        /// The response isn't HTTP.
        case malformedAnswer
        /// The task was cancelled, or the transport shut down.
        case cancelled
        /// Too many transfers at once; this one was never sent.
        case overloaded
        /// The request is invalid. A bug.
        case invalidRequest
    }

    /// What went wrong.
    package let code: Code

    /// A fixed text, without URL, headers or body.
    package let message: String

    /// A failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }
}
