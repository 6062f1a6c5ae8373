import OutboundHTTP
import Synchronization

/// Answers from a script, one step after another, and writes down what it was asked.
///
/// Who asks for a V1 token gets one, unless the script for tokens says otherwise.
final class ScriptedGateway: HTTPTransport {
    /// The result of one request.
    enum Step: Sendable {
        case answer(Int, String, headers: String = "")
        case fail(TransportError.Code)
    }

    private struct State {
        var steps: [Step]
        var tokens: [Step?]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    /// The last step is repeated for ever.
    ///
    /// - Parameter tokens: what the first requests for a token get; nil: a token, as all later ones.
    init(_ steps: [Step], tokens: [Step?] = []) {
        state = Mutex(State(steps: steps, tokens: tokens))
    }

    /// The last step is repeated for ever.
    convenience init(_ steps: Step...) {
        self.init(steps)
    }

    /// The requests so far, without those for tokens.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if request.url.text.hasSuffix("/users/getToken") {
            let step = state.withLock { $0.tokens.isEmpty ? nil : $0.tokens.removeFirst() }
            return try step.map { step throws(TransportError) in try Self.carryOut(step) } ?? Self.token
        }
        let step = state.withLock { state in
            state.requests.append(request)
            return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
        }
        return try Self.carryOut(step)
    }

    private static func carryOut(_ step: Step) throws(TransportError) -> HTTPResponse {
        switch step {
        case .answer(let status, let body, let headers):
            HTTPResponse(status: status, headers: HTTPHeaders(raw: Array(headers.utf8)), body: Array(body.utf8))
        case .fail(let code): throw TransportError(code, "as scripted")
        }
    }

    private static let token = HTTPResponse(
        status: 200,
        body: Array(#"{"code":0,"message":null,"response":{"access_token":"t","now":100,"expired_at":1900}}"#.utf8))
}

extension HTTPRequest {
    /// Method, path and query.
    var line: String { method.rawValue + " " + url.text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" } }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field; nil when it isn't sent.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
