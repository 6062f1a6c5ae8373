import HTTPTypes

extension HTTPField.Name {
    /// Where a list's next page is (RFC 8288).
    static let link = constant("Link")
    /// The caller's own name of a request, by which a repeated one is known.
    static let idempotencyKey = constant("Idempotency-Key")
    /// Whether an answer is that of an earlier request with the same key.
    static let idempotentReplayed = constant("Idempotent-Replayed")
    static let xForwardedFor = constant("X-Forwarded-For")
    // Standard Webhooks 1.0.0.
    static let webhookID = constant("webhook-id")
    static let webhookTimestamp = constant("webhook-timestamp")
    static let webhookSignature = constant("webhook-signature")
    /// The id of a request, taken over from the caller and always answered.
    static let requestID = constant("X-Request-Id")

    /// A name known to be valid when the program was written.
    private static func constant(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}
