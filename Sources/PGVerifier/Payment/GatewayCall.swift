import OutboundHTTP
import WireFormats

/// One call of a gateway's REST API.
struct GatewayCall: Sendable {
    var method = HTTPRequest.Method.get
    var path: [String]
    /// What follows the path after a colon, in Google's APIs.
    var verb: String?
    var query: [HTTPURL.Parameter] = []
    var body: JSON?
    /// V2 only: the request with this key is carried out once.
    var idempotencyKey: String?
    /// The timeout of one attempt; nil: the default.
    var timeout: Duration?
    /// The time that must be left for an attempt; otherwise it is not sent.
    var leastTime: Duration = .zero
    var answersMany = false
    /// Whether only the caller may repeat the call.
    var isUnrepeatable = false

    /// The HTTP request.
    ///
    /// - Parameter authorization: the value of the `Authorization` header.
    func request(to url: HTTPURL, authorization: String, _ limits: GatewayLimits) -> HTTPRequest {
        var headers: [HTTPRequest.Field] = [("Authorization", authorization), ("Accept", "application/json")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        // A structured field: a string in double quotes, which our keys can't contain (RFC 8941, 3.3.3).
        if let idempotencyKey { headers.append(("Idempotency-Key", "\"" + idempotencyKey + "\"")) }
        return HTTPRequest(
            method, url.appending(path, verb: verb, query: query), headers: headers,
            body: Array((body?.written ?? "").utf8), connectTimeout: limits.connectTimeout,
            totalTimeout: timeout ?? limits.attemptTimeout, leastTime: leastTime,
            maxResponseBytes: answersMany ? limits.maxListBytes : limits.maxResponseBytes,
            needsFreshConnection: isUnrepeatable)
    }
}
