import FoundationEssentials
import OutboundHTTP
import WireFormats

extension HTTPResponse {
    /// The JSON of a successful response; an empty object without a body.
    ///
    /// The `errorCode` identifies an error. A body without one comes from an intermediary and says nothing.
    ///
    /// - Throws: ``GatewayError``; definite only if the store does not know the transaction.
    func appStoreAnswer(at now: Date) throws(GatewayError) -> JSON {
        let json = try? JSONParser.parse(body)
        if (200..<300).contains(status) {
            if body.isEmpty { return .object([:]) }
            guard let json, case .object = json else { throw failure(.malformedAnswer, nil, now) }
            return json
        }
        throw failure(code(json?["errorCode"]?.integer), json, now)
    }

    private func code(_ number: Int64?) -> GatewayError.Code {
        switch (status, number) {
        case (300..<400, _): .redirect
        // 401 has no body. It is also production's answer about an app that was never released.
        case (401, _), (403, _): .unauthorized
        case (429, _): .rateLimited
        // Account, app and original transaction, "but try again".
        case (_, 4_040_002), (_, 4_040_004), (_, 4_040_006): .notFoundYet
        // No such id, original transaction, transaction.
        case (400, 4_000_006), (404, 4_040_005), (404, 4_040_010): .notFound
        case (500..., _): .serverError
        case (400..<500, .some): .refused
        default: .malformedAnswer
        }
    }

    private func failure(_ code: GatewayError.Code, _ json: JSON?, _ now: Date) -> GatewayError {
        GatewayError(
            code, isDefinite: code == .notFound, httpStatus: status,
            gatewayCode: json?["errorCode"]?.integer.flatMap { Int(exactly: $0) },
            message: json?["errorMessage"]?.text ?? "no message",
            retryAfter: code == .rateLimited ? pause(at: now) : retryAfter)
    }

    /// The store's `Retry-After` is a Unix time in milliseconds; a small number is an intermediary's, in seconds.
    private func pause(at now: Date) -> Duration? {
        guard let text = headers["retry-after"], let time = Int64(digits: text), time >= 1_000_000_000_000 else {
            return retryAfter
        }
        return .seconds(max(0, Double(time) / 1000 - now.timeIntervalSince1970))
    }
}
