import HTTPTypes
import Hummingbird

/// What the coin-shop apps are told when something is not well: `{"errorCode": "E82"}`.
///
/// The apps were written for another server and can't be changed: they know these codes and nothing of problem+json.
enum StoreRefusal: String, Sendable, CaseIterable {
    /// The app key is missing or wrong.
    case appKey = "E01"
    /// The token is missing or invalid.
    case token = "E02"
    /// The token is good, and no user's.
    case account = "E03"
    /// The token has expired: the apps renew it and send the request again.
    case tokenExpired = "E05"
    /// A field is missing, empty or of the wrong type.
    case malformed = "E11"
    /// The gateway knows no such payment.
    case unknownPayment = "E81"
    /// The payment exists and is not valid for this.
    case invalidPayment = "E82"
    /// The path is unknown, or does not take the method.
    case unknownPath = "E97"
    /// Too much waits already.
    case tooMany = "E98"
    /// The gateway can't be reached, or the fault is ours.
    case ourFault = "E99"

    /// The status that it is answered with.
    var status: HTTPResponse.Status {
        switch self {
        case .tooMany: .tooManyRequests
        case .ourFault: .internalServerError
        default: .badRequest
        }
    }

    /// What a problem is in the apps' language.
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

    /// The answer.
    ///
    /// - Parameter headers: what goes with it, such as `Retry-After`.
    func response(headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        headers[.cacheControl] = "no-store"
        return try Response(status: status, headers: headers, json: ["errorCode": rawValue])
    }
}

extension Problem {
    /// Answers in the language of whoever asked: below the apps' prefix in theirs, everywhere else as problem+json.
    static func render(_ problem: Problem, _ request: Request, _ context: LedgerdRequestContext) throws -> Response {
        guard StoreController.isBelowPrefix(request.uri.path) else {
            return try problem.response(from: request, context: context)
        }
        var headers: HTTPFields = [:]
        for name in [HTTPField.Name.retryAfter, .allow] { headers[name] = problem.headers[name] }
        return try StoreRefusal(problem).response(headers: headers)
    }
}
