import OutboundHTTP
import WireFormats

extension GatewayError {
    /// The same about a purchase that exists: that it is not found is no word about it.
    var ofExistingPurchase: GatewayError {
        GatewayError(.notFoundYet, httpStatus: httpStatus, gatewayType: gatewayType, message: message)
    }
}

extension HTTPResponse {
    /// The JSON of a successful response; an empty object without a body.
    ///
    /// The `reason` identifies an error. A body that is not Google's comes from an intermediary and says nothing.
    ///
    /// - Throws: ``GatewayError``; definite only if Google does not know the purchase token, or no longer.
    func googlePlayAnswer() throws(GatewayError) -> JSON {
        let json = try? JSONParser.parse(body)
        if (200..<300).contains(status) {
            if body.isEmpty { return .object([:]) }
            guard let json, case .object = json else { throw failure(.malformedAnswer, nil, nil) }
            return json
        }
        let error = json?["error"]
        let reason = error?["errors"]?.elements?.first?["reason"]?.text ?? error?["status"]?.text
        throw failure(code(reason, isGoogles: error?["code"]?.integer == Int64(status)), error, reason)
    }

    private func code(_ reason: String?, isGoogles: Bool) -> GatewayError.Code {
        switch (status, reason) {
        case (300..<400, _): .redirect
        // Google says that there were too many requests also with 403.
        case (403, "rateLimitExceeded"), (403, "userRateLimitExceeded"), (429, _): .rateLimited
        // A missing permission is no word about the purchase.
        case (401, _), (403, _): .unauthorized
        // No longer valid: also after a refund.
        case (404, "purchaseTokenNotFound") where isGoogles: .notFound
        case (410, "purchaseTokenNoLongerValid") where isGoogles: .notFound
        case (409, "concurrentUpdate"): .stillRunning
        case (500..., _): .serverError
        case (400..<500, _) where isGoogles: .refused
        default: .malformedAnswer
        }
    }

    private func failure(_ code: GatewayError.Code, _ error: JSON?, _ reason: String?) -> GatewayError {
        GatewayError(
            code, isDefinite: code == .notFound, httpStatus: status, gatewayType: reason,
            message: error?["message"]?.text ?? "no message", retryAfter: retryAfter)
    }
}
