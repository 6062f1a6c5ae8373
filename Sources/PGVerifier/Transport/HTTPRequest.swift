/// One HTTP request with the bounds of its answer.
package struct HTTPRequest: Sendable {
    /// An HTTP method.
    package enum Method: String, Hashable, Sendable {
        /// GET.
        case get = "GET"
        /// POST.
        case post = "POST"
        /// PUT.
        case put = "PUT"
        /// PATCH.
        case patch = "PATCH"
        /// DELETE.
        case delete = "DELETE"
    }

    /// One header field.
    package typealias Field = (name: String, value: String)

    /// The method.
    package var method: Method

    /// Where to.
    package var url: HTTPURL

    /// The header fields, sent in this order.
    package var headers: [Field]

    /// The body; empty for none.
    package var body: [UInt8]

    /// How long making the connection may take, TLS included.
    package var connectTimeout: Duration

    /// How long the whole exchange may take, waiting for a connection included.
    package var totalTimeout: Duration

    /// How large the body of the answer may be.
    package var maxResponseBytes: Int

    /// Whether it is sent over a connection of its own.
    ///
    /// A kept connection may have died unseen, and curl then sends the request again by itself, over another one. What
    /// must not be sent twice needs a fresh connection, for which curl never does that.
    package var needsFreshConnection: Bool

    /// Describes a request.
    package init(
        _ method: Method = .get, _ url: HTTPURL, headers: [Field] = [], body: [UInt8] = [],
        connectTimeout: Duration = .seconds(3), totalTimeout: Duration = .seconds(10),
        maxResponseBytes: Int = 1 << 20, needsFreshConnection: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.maxResponseBytes = maxResponseBytes
        self.needsFreshConnection = needsFreshConnection
    }
}
