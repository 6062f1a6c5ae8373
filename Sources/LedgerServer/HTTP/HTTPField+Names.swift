package import HTTPTypes

extension HTTPField.Name {
    /// The URL of a list's next page (RFC 8288).
    static let link = constant("Link")
    /// The caller's key of one act, and whether the response is a repeated one.
    static let idempotencyKey = constant("Idempotency-Key")
    static let idempotentReplayed = constant("Idempotent-Replayed")
    /// The user, percent-encoded, to whom the id of the request refers since a merge.
    static let mergedInto = constant("Merged-Into")
    /// The key of a coin-shop app.
    static let appKey = constant("SesacKey")
    /// The trailer after the last chunk of an export: row count, totals and SHA-256, as a JSON object.
    static let exportTrailer = constant("Ledgerd-Export-Trailer")
    /// The server that an export was read from, and up to when the export is complete.
    static let exportServer = constant("Ledgerd-Export-Server")
    static let exportTime = constant("Ledgerd-Export-Time")
    /// The number of the last event that a reader of a stream got.
    static let lastEventID = constant("Last-Event-ID")
    static let xForwardedFor = constant("X-Forwarded-For")
    // Standard Webhooks 1.0.0.
    static let webhookID = constant("webhook-id")
    static let webhookTimestamp = constant("webhook-timestamp")
    static let webhookSignature = constant("webhook-signature")
    // Restrictions for browsers.
    static let crossOriginResourcePolicy = constant("Cross-Origin-Resource-Policy")
    package static let referrerPolicy = constant("Referrer-Policy")
    /// After how many seconds browsers load a page again.
    package static let refresh = constant("Refresh")
    static let xFrameOptions = constant("X-Frame-Options")
    /// Where a browser's request comes from (Fetch Metadata).
    package static let secFetchSite = constant("Sec-Fetch-Site")
    /// The caller's trace and span (W3C Trace Context).
    static let traceparent = constant("traceparent")
    /// The id of a request: the caller's or a new one; every response has it.
    static let requestID = constant("X-Request-Id")
    /// The revision of the Model Context Protocol that a client has agreed on.
    static let mcpProtocolVersion = constant("MCP-Protocol-Version")

    /// A name that is a constant of this program.
    private static func constant(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}
