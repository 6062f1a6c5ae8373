package import Hummingbird

/// An error of the control API, with the wrong member.
package struct ControlError: Error, Hashable, Sendable {
    package let status: HTTPResponse.Status
    package let field: String
    package let rule: String

    package init(_ status: HTTPResponse.Status, _ field: String, _ rule: String) {
        self.status = status
        self.field = field
        self.rule = rule
    }
}

extension ControlError: HTTPResponseError {
    /// An RFC 9457 problem.
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let code =
            switch status {
            case .notFound: "not_found"
            case .conflict: "conflict"
            default: "invalid_request"
            }
        return ControlAnswer.make(
            status,
            .object([
                "type": .string("about:blank"), "title": .string(status.reasonPhrase), "status": .int(status.code),
                "code": .string(code), "detail": .string(field + " " + rule), "field": .string(field),
            ]), contentType: "application/problem+json")
    }
}

/// Responses of the control API.
package enum ControlAnswer {
    package static func make(
        _ status: HTTPResponse.Status, _ body: JSONValue, contentType: String = "application/json; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body.wireText + "\n")))
    }
}
