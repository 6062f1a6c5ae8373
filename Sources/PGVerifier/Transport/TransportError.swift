/// Why there is no response.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: String, Hashable, Sendable {
        /// A deadline passed. The request may have been carried out.
        case timeout
        /// The connection failed.
        case unreachable
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
    public let code: Code

    /// A fixed text, without URL, headers or body.
    public let message: String

    /// A failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message on one line.
    public var description: String { "\(code.rawValue): \(message)" }
}
