/// Carries one HTTP request to its answer.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and waits for the whole answer, whatever its status: a 500 is an answer, not an error.
    ///
    /// Cancelling the task ends the transfer.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer within the request's bounds.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
