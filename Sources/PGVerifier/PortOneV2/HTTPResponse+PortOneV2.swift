import OutboundHTTP
import WireFormats

extension HTTPResponse {
    /// The JSON of a successful response.
    ///
    /// The `type` identifies an error (PortOne V2 contract, errors). A body without one comes from an intermediary and
    /// says nothing about the payment.
    ///
    /// - Throws: ``GatewayError``; definite only for `PAYMENT_NOT_FOUND`.
    func portOneV2Answer() throws(GatewayError) -> JSON {
        let json = try? JSONParser.parse(body)
        if status == 200 {
            guard let json, case .object = json else { throw failure(.malformedAnswer, nil) }
            return json
        }
        throw failure(code(json?["type"]?.text), json)
    }

    private func code(_ type: String?) -> GatewayError.Code {
        switch (status, type) {
        case (300..<400, _): .redirect
        case (401, _), (403, _): .unauthorized
        case (404, "PAYMENT_NOT_FOUND"): .notFound
        case (409, "IDEMPOTENCY_OUTSTANDING_REQUEST"): .stillRunning
        case (429, _): .rateLimited
        // The payment company behind the gateway refused or failed; the gateway itself works.
        case (502, "PG_PROVIDER"): .refused
        case (500..., _): .serverError
        case (400..<500, .some): .refused
        default: .malformedAnswer
        }
    }

    private func failure(_ code: GatewayError.Code, _ json: JSON?) -> GatewayError {
        let provider = json?["pgMessage"]?.text.map { (json?["pgCode"]?.text ?? "") + " " + $0 }
        return GatewayError(
            code, isDefinite: code == .notFound, httpStatus: status, gatewayType: json?["type"]?.text,
            message: provider ?? json?["message"]?.text ?? "no message", retryAfter: retryAfter)
    }
}
