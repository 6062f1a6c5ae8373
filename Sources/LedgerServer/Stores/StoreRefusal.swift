import HTTPTypes
package import Hummingbird

/// The errors of the coin-shop apps: `{"errorCode": "E82"}`.
///
/// The apps were written for another server and can't be changed: they support these codes, but not problem+json.
enum StoreRefusal: String, Sendable, CaseIterable {
    /// The app key is missing or wrong.
    case appKey = "E01"
    /// The token is missing or invalid.
    case token = "E02"
    /// The token is valid, but does not belong to a user.
    case account = "E03"
    /// The token has expired: the apps renew it and repeat the request.
    case tokenExpired = "E05"
    /// A field is missing, empty or of the wrong type.
    case malformed = "E11"
    /// The gateway does not know the payment.
    case unknownPayment = "E81"
    /// The payment exists, but can't be credited to the user.
    case invalidPayment = "E82"
    /// The path is unknown, or does not support the method.
    case unknownPath = "E97"
    /// Too many requests or receipts.
    case tooMany = "E98"
    /// The gateway is unavailable, or an internal error.
    case ourFault = "E99"

    var status: HTTPResponse.Status {
        switch self {
        case .tooMany: .tooManyRequests
        case .ourFault: .internalServerError
        default: .badRequest
        }
    }

    /// The error code of a problem.
    init(_ problem: Problem) {
        self =
            switch problem.code {
            case .appKeyInvalid: .appKey
            case .tokenInvalid where problem.isAboutSubject: .account
            case .tokenMissing, .tokenInvalid: .token
            case .forbidden: .account
            case .tokenExpired: .tokenExpired
            case .malformedJSON, .unknownMember, .repeatedMember, .missingMember, .wrongType, .invalidRequest,
                .unsupportedMediaType, .bodyTooLarge:
                .malformed
            case .paymentNotFound: .unknownPayment
            case .paymentFailed, .paymentCancelled, .paymentPartiallyCancelled, .merchantUIDMismatch, .amountMismatch,
                .currencyMismatch, .testPayment, .receiptBelongsToAnotherUser, .claimedBySeveral,
                .merchantUIDAlreadyCredited,
                .orderNotFound, .orderBelongsToAnotherUser, .orderAlreadyCredited, .orderExpired:
                .invalidPayment
            case .notFound, .methodNotAllowed: .unknownPath
            case .tooManyWaitingReceipts, .tooManyRefusedReceipts, .tooManyAtOnce: .tooMany
            default: .ourFault
            }
    }

    /// - Parameter headers: further headers, such as `Retry-After`.
    func response(headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        headers[.cacheControl] = "no-store"
        return try Response(status: status, headers: headers, json: ["errorCode": rawValue])
    }
}

extension Problem {
    /// The response to a problem: in the apps' format below their prefix, otherwise as problem+json.
    package static func render(
        _ problem: Problem, _ request: Request, _ context: LedgerdRequestContext
    ) throws -> Response {
        guard StoreController.isBelowPrefix(request.uri.path) else {
            return try problem.response(from: request, context: context)
        }
        var headers: HTTPFields = [:]
        for name in [HTTPField.Name.retryAfter, .allow] { headers[name] = problem.headers[name] }
        return try StoreRefusal(problem).response(headers: headers)
    }
}
