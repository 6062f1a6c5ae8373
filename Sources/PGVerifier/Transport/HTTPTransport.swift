/// Carries one HTTP request to its answer.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and waits for the whole answer, whatever its status: a 500 is an answer, not an error.
    ///
    /// Cancelling the task ends the transfer.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer within the request's bounds.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why there is no answer.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: String, Hashable, Sendable {
        /// A deadline passed. The request may have been carried out.
        case timeout
        /// No connection was made.
        case unreachable
        /// The connection ended before the answer did. The request may have been carried out.
        case connectionLost
        /// The peer's certificate or TLS isn't to be trusted.
        case untrusted
        /// The answer is larger than the request allows.
        case tooLarge
        /// The answer isn't HTTP.
        case malformedAnswer
        /// The task was cancelled, or the transport shut down.
        case cancelled
        /// Too many transfers at once; this one was never sent.
        case overloaded
        /// The request can't be sent as it stands. A bug.
        case invalidRequest
    }

    /// What went wrong.
    package let code: Code

    /// Fixed text; never a URL, a header or a body.
    package let message: String

    /// Describes a failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }
}
