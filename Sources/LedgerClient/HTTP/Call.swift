import Foundation
import WireFormats

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request to the service, sent once or several times.
struct Call: Sendable {
    var method = "GET"
    /// The parts of the path after `/v1`, unencoded.
    var path: [String]
    var query: [(name: String, value: String)] = []
    var body: Data?
    /// The format of the body.
    var contentType = "application/json"
    /// The format of the response, beside that of a problem.
    var accept = "application/json"
    var key: IdempotencyKey?
    /// Whether the call needs no token.
    var isPublic = false

    static func get(_ path: [String], query: [(String, String)] = []) -> Call {
        Call(path: path, query: query.map { (name: $0.0, value: $0.1) })
    }

    static func post(_ path: [String], _ body: some Encodable, key: IdempotencyKey? = nil) throws -> Call {
        Call(method: "POST", path: path, body: try WireJSON.makeEncoder().encode(body), key: key)
    }

    /// A request without a body.
    static func post(_ path: [String]) -> Call { Call(method: "POST", path: path) }

    /// A CSV file.
    static func post(_ path: [String], csv: Data, query: [(String, String)]) -> Call {
        var call = Call.get(path, query: query)
        (call.method, call.body, call.contentType) = ("POST", csv, "text/csv")
        return call
    }

    static func put(_ path: [String], _ body: some Encodable) throws -> Call {
        Call(method: "PUT", path: path, body: try WireJSON.makeEncoder().encode(body))
    }

    static func delete(_ path: [String]) -> Call { Call(method: "DELETE", path: path) }

    /// The request to a service, with a token.
    func request(to service: URL, token: String?) -> URLRequest {
        var request = URLRequest(url: address(at: service))
        request.httpMethod = method
        request.httpBody = body
        request.setValue("\(accept), application/problem+json", forHTTPHeaderField: "Accept")
        if body != nil { request.setValue(contentType, forHTTPHeaderField: "Content-Type") }
        if let key { request.setValue(key.rawValue, forHTTPHeaderField: "Idempotency-Key") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }

    private func address(at service: URL) -> URL {
        var text = service.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += (["v1"] + path).map { "/" + FormText.encode($0) }.joined()
        let items = query.map { "\(FormText.encode($0.name))=\(FormText.encode($0.value))" }
        if !items.isEmpty { text += "?" + items.joined(separator: "&") }
        guard let url = URL(string: text) else { preconditionFailure("percent-encoded text is valid in any URL") }
        return url
    }
}
