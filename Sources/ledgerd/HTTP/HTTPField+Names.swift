import HTTPTypes

extension HTTPField.Name {
    /// Where a list's next page is (RFC 8288).
    static let link = constant("Link")
    /// A caller's own name for one act, and whether its answer is the first one's again.
    static let idempotencyKey = constant("Idempotency-Key")
    static let idempotentReplayed = constant("Idempotent-Replayed")
    /// The key of a coin-shop app.
    static let appKey = constant("SesacKey")
    /// Follows the last chunk of an export: row count, totals and SHA-256, as a JSON object.
    static let exportTrailer = constant("Ledgerd-Export-Trailer")
    static let xForwardedFor = constant("X-Forwarded-For")
    // Standard Webhooks 1.0.0.
    static let webhookID = constant("webhook-id")
    static let webhookTimestamp = constant("webhook-timestamp")
    static let webhookSignature = constant("webhook-signature")
    // What browsers may do with an answer.
    static let crossOriginResourcePolicy = constant("Cross-Origin-Resource-Policy")
    static let referrerPolicy = constant("Referrer-Policy")
    static let xFrameOptions = constant("X-Frame-Options")
    /// The caller's trace and span (W3C Trace Context).
    static let traceparent = constant("traceparent")
    /// The id of a request, taken over from the caller and always answered.
    static let requestID = constant("X-Request-Id")

    /// A name known to be valid when the program was written.
    private static func constant(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}
