package import OutboundHTTP

/// An HTTP answer as a test reads it.
package struct Answer: Sendable, CustomStringConvertible {
    package let status: Int
    package let headers: HTTPHeaders
    package let text: String
    package let json: JSON

    package init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
        json = JSON(response.body)
    }

    /// A problem's code.
    package var code: String? { json["code"].text }
    /// The purchase that a receipt became.
    package var purchase: JSON { json["purchase"] }

    /// Whether it is an error as the house writes every error.
    package var isProblem: Bool {
        headers["Content-Type"] == "application/problem+json"
            && json.members.isSuperset(of: ["type", "title", "status", "code", "request_id", "retryable"])
            && json["status"] == .integer(Int64(status))
            && json["request_id"].text == headers["X-Request-Id"]
    }

    package var description: String { "\(status) \(text)" }
}
