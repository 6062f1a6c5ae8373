/// An HTTP request with its limits.
package struct HTTPRequest: Sendable {
    /// An HTTP method.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// One header field.
    package typealias Field = (name: String, value: String)

    package var method: Method

    package var url: HTTPURL

    /// The header fields, sent in this order.
    package var headers: [Field]

    /// The body; empty for none.
    package var body: [UInt8]

    /// The timeout of the connection attempt, including TLS.
    package var connectTimeout: Duration

    /// The timeout of the whole exchange, including the wait for a connection.
    package var totalTimeout: Duration

    /// The time that must be left for the exchange when it begins; otherwise the request is not sent.
    package var leastTime: Duration

    /// The maximum size of the response body.
    package var maxResponseBytes: Int

    /// Whether a longer response body is cut off, and is no error.
    package var truncatesResponse: Bool

    /// Whether it is sent over a new connection.
    ///
    /// If a kept-alive connection is dead, curl sends the request again over another one. A request that must not be
    /// sent twice needs a new connection, where curl never does that.
    package var needsFreshConnection: Bool

    /// A request.
    package init(
        _ method: Method = .get, _ url: HTTPURL, headers: [Field] = [], body: [UInt8] = [],
        connectTimeout: Duration = .seconds(3), totalTimeout: Duration = .seconds(10),
        leastTime: Duration = .zero, maxResponseBytes: Int = 1 << 20, truncatesResponse: Bool = false,
        needsFreshConnection: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.leastTime = leastTime
        self.maxResponseBytes = maxResponseBytes
        self.truncatesResponse = truncatesResponse
        self.needsFreshConnection = needsFreshConnection
    }
}
