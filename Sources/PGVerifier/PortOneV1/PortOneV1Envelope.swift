import OutboundHTTP
import WireFormats

/// The `{code, message, response}` that wraps every response of PortOne V1 (PortOne V1 contract, envelope).
struct PortOneV1Envelope {
    let code: Int
    let message: String?
    let response: JSON

    /// Reads an envelope; nil if the body isn't one, for example an intermediary's HTML or JSON.
    init?(_ body: [UInt8]) {
        guard let json = try? JSONParser.parse(body), let code = json["code"]?.integer, let code = Int(exactly: code),
            let response = json["response"]
        else { return nil }
        self.code = code
        self.response = response
        message = json["message"]?.text
    }
}

/// V1's response to a successful call.
struct PortOneV1Answer: Sendable {
    /// Whether some requested items do not exist (HTTP 207).
    let isPartial: Bool

    /// The envelope's `response`.
    let response: JSON
}

extension HTTPResponse {
    /// The content of a successful envelope: HTTP 200 or 207 *and* code 0, because V1 also refuses with HTTP 200.
    ///
    /// - Throws: ``GatewayError``; definite only if the envelope itself says 404.
    func portOneV1Answer() throws(GatewayError) -> PortOneV1Answer {
        let envelope = PortOneV1Envelope(body)
        if status == 200 || status == 207, let envelope, envelope.code == 0 {
            return PortOneV1Answer(isPartial: status == 207, response: envelope.response)
        }
        let code = failure(envelope)
        throw GatewayError(
            code, isDefinite: code == .notFound && envelope?.response == .null, httpStatus: status,
            gatewayCode: envelope?.code, message: envelope?.message ?? "no envelope", retryAfter: retryAfter)
    }

    private func failure(_ envelope: PortOneV1Envelope?) -> GatewayError.Code {
        switch status {
        case 300..<400: .redirect
        case 401: .unauthorized
        case 429: .rateLimited
        case 500...: .serverError
        default: failureInEnvelope(envelope)
        }
    }

    private func failureInEnvelope(_ envelope: PortOneV1Envelope?) -> GatewayError.Code {
        guard let envelope, envelope.code != 0 else { return .malformedAnswer }
        return status == 404 ? .notFound : .refused
    }

    /// The seconds of `Retry-After`; a date is ignored.
    var retryAfter: Duration? {
        headers["retry-after"].flatMap { UInt16($0) }.map { .seconds(Int($0)) }
    }
}
