import Hummingbird
import Logging

/// What travels with a request through middlewares and controllers.
struct LedgerdRequestContext: RequestContext {
    /// The largest request body read, 64 KiB: a thousand user ids fit, a flood does not.
    static let maxBodySize = 64 * 1024

    var coreContext: CoreRequestContextStorage
    /// Who asks; nil on public routes, and until `BearerAuthentication` has run.
    var principal: Principal?
    /// The id answered as `X-Request-Id` and written in every log line of the request.
    private(set) var requestID: String
    /// The address that the connection comes from: the client's, or a proxy's; nil on other than IP sockets.
    let peerAddress: String?
    /// What the access log wants to know of this request.
    let record = RequestRecord()

    let requestDecoder = JSONBodyDecoder()
    let responseEncoder = JSONResponseEncoder()
    var maxUploadSize: Int { Self.maxBodySize }

    /// Hides Hummingbird's, which reads a log metadata key that ``name(_:)`` removes.
    var id: String { requestID }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
        requestID = ""
        name(RequestID.make())
    }

    /// Gives the request its id, here and in the logger.
    mutating func name(_ requestID: String) {
        self.requestID = requestID
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = .string(requestID)
    }

    /// Who asks, on a route that ``RequireScope`` guards.
    ///
    /// - Throws: `token_missing` when nobody was authenticated.
    func requirePrincipal() throws(Problem) -> Principal {
        guard let principal else { throw .tokenMissing }
        return principal
    }

    /// The pattern of the route that answers, such as `/v1/holds/{id}/capture`, or `unmatched`.
    ///
    /// Read it after the inner handlers ran, for Hummingbird marks the unmatched there.
    var routePattern: String {
        guard let endpointPath, endpointPath != "NotFound" else { return "unmatched" }
        return endpointPath
    }
}
