import Hummingbird
import SandboxSupport

/// A refusal of V2: a type and a text (PortOne V2 contract, errors).
struct V2Refusal: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let type: String
    let message: String
    private var pg: [String: String] = [:]

    private init(_ status: Int, _ type: String, _ message: String) {
        self.status = HTTPResponse.Status(code: status)
        self.type = type
        self.message = message
    }

    static func invalid(_ message: String) -> V2Refusal { V2Refusal(400, "INVALID_REQUEST", message) }
    static let invalidPaymentToken = V2Refusal(400, "INVALID_PAYMENT_TOKEN", "The payment token isn't valid.")
    static let tooManyResends = V2Refusal(
        400, "MAX_WEBHOOK_RETRY_COUNT_REACHED", "The webhook was resent the maximum number of times.")
    static let retainOptionChanged = V2Refusal(
        400, "PROMOTION_DISCOUNT_RETAIN_OPTION_SHOULD_NOT_BE_CHANGED", "The first partial cancellation set the option.")
    static let unauthorized = V2Refusal(401, "UNAUTHORIZED", "The credentials aren't valid.")
    static let forbidden = V2Refusal(403, "FORBIDDEN", "The store is not allowed.")
    static let paymentNotFound = V2Refusal(404, "PAYMENT_NOT_FOUND", "The payment was not found.")
    static let billingKeyNotFound = V2Refusal(404, "BILLING_KEY_NOT_FOUND", "The billing key was not found.")
    static let cancellationNotFound = V2Refusal(
        404, "PAYMENT_CANCELLATION_NOT_FOUND", "The cancellation was not found.")
    static let webhookNotFound = V2Refusal(404, "WEBHOOK_NOT_FOUND", "The webhook was not found.")
    static let notPaid = V2Refusal(409, "PAYMENT_NOT_PAID", "The payment isn't paid.")
    static let alreadyCancelled = V2Refusal(409, "PAYMENT_ALREADY_CANCELLED", "The payment is cancelled.")
    static let balanceDiffers = V2Refusal(
        409, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN", "currentCancellableAmount differs from the balance.")
    static let overBalance = V2Refusal(
        409, "CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT", "The amount exceeds the balance.")
    static let partsOverAmount = V2Refusal(
        409, "SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT", "The parts exceed the amount.")
    static let taxFreeOverBalance = V2Refusal(
        409, "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT", "The tax-free amount exceeds the rest.")
    static let taxedOverBalance = V2Refusal(
        409, "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT", "The taxed amount exceeds the rest.")
    static let tooManyCancellations = V2Refusal(
        409, "MAX_CANCEL_COUNT_REACHED", "The payment was cancelled the maximum number of times.")
    static let alreadyPaid = V2Refusal(409, "ALREADY_PAID", "The payment is paid.")
    static let informationMismatch = V2Refusal(
        409, "INFORMATION_MISMATCH", "The payment differs from the request.")
    static let cancellationNotPending = V2Refusal(
        409, "PAYMENT_CANCELLATION_NOT_PENDING", "The cancellation is not pending.")
    static let notWaitingForDeposit = V2Refusal(
        409, "PAYMENT_NOT_WAITING_FOR_DEPOSIT", "The payment is not waiting for a deposit.")
    static let outstanding = V2Refusal(
        409, "IDEMPOTENCY_OUTSTANDING_REQUEST", "The request with this Idempotency-Key is still running.")
    /// The contract has no type for this refusal, so clients must not depend on it.
    static let keyReused = V2Refusal(
        409, "IDEMPOTENCY_KEY_REUSED", "The Idempotency-Key was used for another request.")
    static let refusedByPG: V2Refusal = {
        var refusal = V2Refusal(502, "PG_PROVIDER", "The payment provider refused.")
        refusal.pg = ["pgCode": "9999", "pgMessage": "PG사 응답 오류입니다."]
        return refusal
    }()

    var answer: V2Answer {
        var members: [String: JSONValue] = ["type": .string(type), "message": .string(message)]
        for (name, value) in pg { members[name] = .string(value) }
        return V2Answer(status: status.code, body: JSONValue.object(members).jsonText)
    }
}

extension V2Refusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { answer.response }
}

/// A response that can be stored and repeated.
struct V2Answer: Hashable, Codable, Sendable {
    let status: Int
    let body: String

    init(status: Int = 200, body: String) {
        self.status = status
        self.body = body
    }

    init(_ body: JSONValue) { self.init(body: body.jsonText) }

    var response: Response {
        Response(
            status: HTTPResponse.Status(code: status), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
