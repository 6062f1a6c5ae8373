import Hummingbird
import Ledger
import Logging
import Synchronization
import WireFormats

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

extension LedgerdRequestContext {
    /// The row id that a path part holds.
    ///
    /// - Parameter name: the part's name in the route, such as `id` of `/v1/refunds/{id}`.
    /// - Throws: `not_found` for a text that can't be the id of any row: to the caller it is one more thing that isn't.
    func pathID(_ name: String = "id") throws(Problem) -> Int64 {
        guard let text = parameters.get(name), let id = Int64(text), id > 0 else { throw Problem(.notFound) }
        return id
    }
}

/// What the inner middlewares learnt of a request, for the outer ones that log and count it.
///
/// Contexts are values, so what a handler's context learns never comes back out; this travels by reference, like
/// Hummingbird's own `EndpointPath`.
final class RequestRecord: Sendable {
    private let state = Mutex(State())

    private struct State {
        var principalKind: Principal.Kind?
        var problemCode: Problem.Code?
    }

    /// Who asked, as a kind and never as a name.
    var principalKind: Principal.Kind? {
        get { state.withLock { $0.principalKind } }
        set { state.withLock { $0.principalKind = newValue } }
    }

    /// The code of the problem that was answered, if one was.
    var problemCode: Problem.Code? {
        get { state.withLock { $0.problemCode } }
        set { state.withLock { $0.problemCode = newValue } }
    }
}

extension LedgerdRequestContext {
    /// The user whose token it is.
    func requireUser() throws -> UserID {
        guard let user = UserID(rawValue: try requirePrincipal().subject) else {
            throw Problem.subjectInvalid
        }
        return user
    }

    /// The user that the path names.
    func requireUserInPath() throws -> UserID { try requireOwnerInPath("user") }

    /// The user or provider that the path's part of this name names.
    func requireOwnerInPath(_ name: String) throws -> UserID {
        guard let text = parameters.get(name).flatMap({ FormText.decodePath($0) }), let owner = UserID(rawValue: text)
        else { throw Problem.invalid(member: name, "\(name) must be an id of \(UserID.rule), percent-encoded") }
        return owner
    }
}
