import PGVerifier
import Synchronization

/// Answers from a script instead of a network.
struct ScriptedTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { try answer(request) }

    /// Gives a token to whoever asks, and `response` to every other question.
    static func payment(status: Int, _ body: String, headers: String = "") -> ScriptedTransport {
        ScriptedTransport { request in
            if request.method == .post {
                let token = #"{"code":0,"message":null,"response":{"access_token":"t","now":100,"expired_at":1900}}"#
                return HTTPResponse(status: 200, body: Array(token.utf8))
            }
            return HTTPResponse(
                status: status, headers: HTTPHeaders(raw: Array(headers.utf8)), body: Array(body.utf8))
        }
    }
}
