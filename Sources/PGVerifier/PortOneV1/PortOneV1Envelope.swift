/// The `{code, message, response}` that PortOne V1 wraps every answer in (PortOne V1 contract, envelope).
struct PortOneV1Envelope {
    let code: Int
    let message: String?
    let response: JSON

    /// Reads an envelope; nil when the body isn't one, as when an intermediary answered in HTML or in JSON of its own.
    init?(_ body: [UInt8]) {
        guard let json = try? JSONParser.parse(body), let code = json["code"]?.integer, let code = Int(exactly: code),
            let response = json["response"]
        else { return nil }
        self.code = code
        self.response = response
        message = json["message"]?.text
    }
}

extension HTTPResponse {
    /// The `response` of an envelope that says success: HTTP 200 *and* code 0, for V1 refuses with HTTP 200 too.
    ///
    /// - Throws: ``GatewayError``; definite only when `findsPayments` and the envelope itself says 404.
    func portOneV1Answer(findsPayments: Bool = false) throws(GatewayError) -> JSON {
        let envelope = PortOneV1Envelope(body)
        if status == 200, let envelope, envelope.code == 0 { return envelope.response }
        let code = failure(envelope)
        let isDefinite = findsPayments && code == .notFound && envelope?.response == .null
        throw GatewayError(
            code, isDefinite: isDefinite, httpStatus: status, gatewayCode: envelope?.code,
            message: envelope?.message ?? "no envelope", retryAfter: retryAfter)
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

    private var retryAfter: Duration? {
        headers["retry-after"].flatMap { UInt16($0) }.map { .seconds(Int($0)) }
    }
}
