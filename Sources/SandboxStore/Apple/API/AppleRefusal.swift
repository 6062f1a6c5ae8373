import FoundationEssentials
import Hummingbird
import SandboxSupport

/// An error of the App Store Server API.
struct AppleRefusal: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    /// nil for 401, which has no body.
    let code: Int?
    let message: String
    var retryAfter: Date?

    /// An error whose code begins with its status.
    init(_ code: Int, _ message: String, retryAfter: Date? = nil) {
        status = HTTPResponse.Status(code: code / 10_000)
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    private init(_ status: HTTPResponse.Status) {
        self.status = status
        code = nil
        message = ""
    }

    static let unauthorized = AppleRefusal(.unauthorized)
    static let generalBadRequest = AppleRefusal(4_000_000, "Bad request.")
    static let invalidRevision = AppleRefusal(4_000_005, "Invalid request revision.")
    static let invalidTransactionID = AppleRefusal(4_000_006, "Invalid transaction id.")
    static let startDateTooFarInPast = AppleRefusal(4_000_012, "Invalid start date. Earlier than the earliest.")
    static let startDateAfterEndDate = AppleRefusal(4_000_013, "Invalid date range. Start date after end date.")
    static let invalidPaginationToken = AppleRefusal(4_000_014, "Invalid request. Pagination token is invalid.")
    static let invalidStartDate = AppleRefusal(4_000_015, "Invalid request. Start date is invalid.")
    static let invalidEndDate = AppleRefusal(4_000_016, "Invalid request. End date is invalid.")
    static let multipleFilters = AppleRefusal(4_000_019, "Invalid request. Multiple filters supplied.")
    static let invalidTestToken = AppleRefusal(4_000_020, "Invalid request. Test notification token is invalid.")
    static let invalidSort = AppleRefusal(4_000_021, "Invalid request. Sort is invalid.")
    static let invalidProductType = AppleRefusal(4_000_022, "Invalid request. Product type is invalid.")
    static let invalidOwnershipType = AppleRefusal(4_000_026, "Invalid request. Ownership type is invalid.")
    static let invalidRevoked = AppleRefusal(4_000_030, "Invalid request. Revoked is invalid.")
    static let notConsented = AppleRefusal(4_000_035, "Invalid request. Customer consented is invalid.")
    static let invalidDeliveryStatus = AppleRefusal(4_000_036, "Invalid request. Delivery status is invalid.")
    static let invalidSampleContent = AppleRefusal(4_000_041, "Invalid request. Sample content provided is invalid.")
    static let typeNotSupported = AppleRefusal(4_000_047, "Invalid request. Transaction type is not supported.")
    static let tokenIsNoUUID = AppleRefusal(4_000_183, "Invalid request. App account token is not a UUID.")
    static let familyTransaction = AppleRefusal(4_000_185, "Invalid request. Family transactions are not supported.")
    static let notOriginalTransactionID = AppleRefusal(
        4_000_187, "Invalid request. The transaction id is not an original transaction id.")
    static let originalTransactionIDNotFound = AppleRefusal(4_040_005, "Original transaction id not found.")
    static let notFoundYet = AppleRefusal(4_040_006, "Original transaction id not found. Please try again.")
    static let noNotificationURL = AppleRefusal(4_040_007, "No App Store Server Notification URL is configured.")
    static let testNotificationNotFound = AppleRefusal(4_040_008, "Test notification not found.")
    static let transactionIDNotFound = AppleRefusal(4_040_010, "Transaction id not found.")
    static let retryableInternal = AppleRefusal(5_000_001, "An unknown error occurred. Please try again.")

    static func rateLimitExceeded(until: Date) -> AppleRefusal {
        AppleRefusal(4_290_000, "Rate limit exceeded.", retryAfter: until)
    }
}

extension AppleRefusal: HTTPResponseError {
    /// The response; its content type is exactly `application/json`, without which Apple's library reads no code.
    func response(from request: Request, context: some RequestContext) throws -> Response {
        guard let code else { return Response(status: status) }
        var response = AppleAnswer.json(
            .object(["errorCode": .int(code), "errorMessage": .string(message)]), status: status)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter.milliseconds) }
        return response
    }
}

/// Responses of the App Store Server API.
enum AppleAnswer {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: value.jsonText)))
    }
}

extension Date {
    /// The time in Unix milliseconds, as Apple has all times.
    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded(.down)) }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
