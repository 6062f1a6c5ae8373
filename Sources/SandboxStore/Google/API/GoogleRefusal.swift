import FoundationEssentials
import Hummingbird
import SandboxSupport

/// An error of the Google Play Developer API.
struct GoogleRefusal: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let reason: String
    let message: String
    /// The name of the error in gRPC, which errors of the API's own domain have not.
    var code: String?

    init(_ status: HTTPResponse.Status, _ reason: String, _ message: String, code: String? = nil) {
        self.status = status
        self.reason = reason
        self.message = message
        self.code = code
    }

    static let unauthenticated = GoogleRefusal(
        .unauthorized, "authError",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
            + "authentication credential.", code: "UNAUTHENTICATED")
    static let permissionDenied = GoogleRefusal(
        .unauthorized, "permissionDenied",
        "The current user has insufficient permissions to perform the requested operation.")
    static let applicationNotFound = GoogleRefusal(
        .notFound, "applicationNotFound", "No application was found for the given package name.")
    static let tokenNotFound = GoogleRefusal(.notFound, "purchaseTokenNotFound", "The purchase token was not found.")
    static let tokenNoLongerValid = GoogleRefusal(
        .gone, "purchaseTokenNoLongerValid", "The purchase token is no longer valid.")
    static let tokenOfOtherProduct = GoogleRefusal(
        .badRequest, "purchaseTokenDoesNotMatchProductId", "The purchase token does not match the product ID.")
    static let notOwned = GoogleRefusal(
        .badRequest, "productNotOwnedByUser", "The product purchase is not owned by the user.")
    static let concurrentUpdate = GoogleRefusal(
        .conflict, "concurrentUpdate", "The purchase is being updated by another request.")
    static let orderNotFound = GoogleRefusal(.notFound, "orderNotFound", "The order was not found.")
    static let notRefundable = GoogleRefusal(.badRequest, "orderNotRefundable", "The order can't be refunded.")
    static let quotaExceeded = GoogleRefusal(
        .tooManyRequests, "rateLimitExceeded", "Quota exceeded for voided purchases.", code: "RESOURCE_EXHAUSTED")
    static let unavailable = GoogleRefusal(
        .serviceUnavailable, "backendError", "The service is currently unavailable.", code: "UNAVAILABLE")

    static func invalid(_ detail: String) -> GoogleRefusal {
        GoogleRefusal(.badRequest, "invalid", "Invalid Value: \(detail)", code: "INVALID_ARGUMENT")
    }
}

extension GoogleRefusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        var members: [String: JSONValue] = [
            "code": .int(status.code), "message": .string(message),
            "errors": .array([
                .object([
                    "message": .string(message), "domain": .string(code == nil ? "androidpublisher" : "global"),
                    "reason": .string(reason),
                ])
            ]),
        ]
        members["status"] = code.map(JSONValue.string)
        return GoogleAnswer.json(.object(["error": .object(members)]), status: status)
    }
}

/// An error of the token endpoint (RFC 6749, 5.2).
struct TokenRefusal: Error, Hashable, Sendable {
    let error: String
    let detail: String

    static func invalidGrant(_ detail: String) -> TokenRefusal { TokenRefusal(error: "invalid_grant", detail: detail) }
}

extension TokenRefusal: HTTPResponseError {
    var status: HTTPResponse.Status { .badRequest }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        GoogleAnswer.json(
            .object(["error": .string(error), "error_description": .string(detail)]), status: status)
    }
}

/// Responses of Google's APIs.
enum GoogleAnswer {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: value.jsonText)))
    }

    /// The response of a call that returns nothing.
    static var nothing: Response { Response(status: .noContent) }
}
