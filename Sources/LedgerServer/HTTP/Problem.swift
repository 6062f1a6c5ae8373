package import Hummingbird
package import LedgerWire
import WireFormats

/// An error response: RFC 9457 `application/problem+json`.
///
/// ```json
/// {"type": "urn:ledgerd:problem:amount_mismatch", "title": "…", "status": 422, "detail": "…",
///  "code": "amount_mismatch", "request_id": "…", "retryable": false, "paid_amount": 900, "expected_amount": 1000}
/// ```
///
/// The code is for programs, and its meaning never changes; title and detail are for people. Further members have the
/// values of the detail.
package struct Problem: Error, Sendable {
    package let code: Code
    /// The details of this error, for people; it must not have secrets or the text of another error.
    package var detail: String?
    /// Further members, in their order in the response.
    var members: [(name: String, value: Value)]
    /// Further headers of the response.
    package var headers: HTTPFields

    package typealias Value = ProblemMember
    /// A problem code with its status and title.
    package typealias Code = ProblemCode

    package init(
        _ code: Code, _ detail: String? = nil, members: KeyValuePairs<String, Value> = [:], headers: HTTPFields = [:]
    ) {
        self.code = code
        self.detail = detail
        self.members = members.map { (name: $0.key, value: $0.value) }
        assert(
            !members.contains { ProblemBody.CodingKeys(stringValue: $0.key) != nil }, "a standard member is given")
        self.headers = headers
        if let seconds = code.retryAfterSeconds, headers[.retryAfter] == nil {
            self.headers[.retryAfter] = String(seconds)
        }
    }
}

extension ProblemCode {
    /// The app key is missing or wrong.
    ///
    /// Clients do not see this code: coin-shop apps have another error format.
    static let appKeyInvalid = ProblemCode("app_key_invalid", 401, "The app key is missing or wrong.")

    /// The HTTP status with its reason phrase.
    var httpStatus: HTTPResponse.Status {
        status == 402 ? .init(code: 402, reasonPhrase: "Payment Required") : .init(integerLiteral: status)
    }
}

extension Problem: HTTPResponseError {
    static let contentType = "application/problem+json"

    package var status: HTTPResponse.Status { code.httpStatus }

    package func response(from _: Request, context: some RequestContext) throws -> Response {
        let requestID = (context as? LedgerdRequestContext)?.requestID ?? context.id
        return Response(
            status: status, headers: answerHeaders, body: .init(byteBuffer: body(requestID: requestID)))
    }

    /// The response to a request that does not reach the middlewares, with the headers that they add.
    func answer(requestID: String) -> (headers: HTTPFields, body: ByteBuffer) {
        var headers = answerHeaders
        headers[.requestID] = requestID
        SecurityHeaders.add(to: &headers)
        return (headers, body(requestID: requestID))
    }

    private var answerHeaders: HTTPFields {
        var headers = headers
        headers[.contentType] = Self.contentType
        headers[.cacheControl] = "no-store"
        return headers
    }

    private func body(requestID: String) -> ByteBuffer {
        var text = JSONWriter(reserving: 256)
        text.beginObject()
        text.member(.type, "urn:ledgerd:problem:\(code.rawValue)")
        text.member(.title, code.title)
        text.name(.status)
        text.value(Int64(code.status))
        if let detail { text.member(.detail, detail) }
        text.member(.code, code.rawValue)
        text.member(.requestID, requestID)
        text.name(.retryable)
        text.value(code.isRetryable)
        for (name, value) in members {
            text.name(name)
            text.value(value)
        }
        text.endObject()
        return ByteBuffer(bytes: text.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func name(_ name: ProblemBody.CodingKeys) { self.name(name.rawValue) }

    fileprivate mutating func member(_ name: ProblemBody.CodingKeys, _ string: String) {
        self.name(name)
        value(string)
    }

    fileprivate mutating func value(_ value: Problem.Value) {
        switch value {
        case .string(let string): self.value(string)
        case .integer(let integer): self.value(integer)
        case .bool(let bool): self.value(bool)
        case .list(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        }
    }
}
