/// Sends HTTP requests.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and waits for the whole response, with any status: a 500 is a response, not an error.
    ///
    /// Cancelling the task ends the transfer.
    ///
    /// - Throws: ``TransportError`` if there is no complete response within the request's limits.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
