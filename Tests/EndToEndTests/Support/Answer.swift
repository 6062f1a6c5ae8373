import PGVerifier

/// An HTTP answer as a test reads it.
struct Answer: Sendable, CustomStringConvertible {
    let status: Int
    let headers: HTTPHeaders
    let text: String
    let json: JSON

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
        json = JSON(response.body)
    }

    /// A problem's code.
    var code: String? { json["code"].text }
    /// The purchase that a receipt became.
    var purchase: JSON { json["purchase"] }

    /// Whether it is an error as the house writes every error.
    var isProblem: Bool {
        headers["Content-Type"] == "application/problem+json"
            && json.members.isSuperset(of: ["type", "title", "status", "code", "request_id", "retryable"])
            && json["status"] == .integer(Int64(status))
            && json["request_id"].text == headers["X-Request-Id"]
    }

    var description: String { "\(status) \(text)" }
}
