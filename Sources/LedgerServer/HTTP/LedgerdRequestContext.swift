package import Hummingbird
package import Ledger
import Logging
import Synchronization
import WireFormats

/// The context of a request in middlewares and controllers.
package struct LedgerdRequestContext: RequestContext {
    /// The maximum size of a request body, 64 KiB, enough for a thousand user ids.
    package static let maxBodySize = 64 * 1024

    package var coreContext: CoreRequestContextStorage
    /// The caller; nil on public routes, and before ``BearerAuthentication`` has run.
    var principal: Principal?
    /// The user to whom the id of the request refers; nil: it was not looked up, as on routes without a user.
    var userBehind: UserID?
    /// The id in `X-Request-Id` and in all log lines of the request.
    package private(set) var requestID: String
    /// The address of the connection's other end, a client or a proxy; nil for sockets without IP addresses.
    let peerAddress: String?
    /// Data about the request for the access log.
    let record = RequestRecord()

    package let requestDecoder = JSONBodyDecoder()
    package let responseEncoder = JSONResponseEncoder()
    package var maxUploadSize: Int { Self.maxBodySize }

    /// The context of a request that the service sends itself to answer another one: the same id, client and person.
    init(within outer: LedgerdRequestContext) {
        coreContext = .init(source: outer)
        peerAddress = outer.peerAddress
        requestID = outer.requestID
        record.person = outer.record.person
    }

    /// Replaces Hummingbird's `id`, which reads a log metadata key that ``name(_:)`` removes.
    package var id: String { requestID }

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
        requestID = ""
        name(RequestID.make())
    }

    /// Sets the request's id, here and in the logger.
    mutating func name(_ requestID: String) {
        self.requestID = requestID
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = .string(requestID)
    }

    /// The caller, on a route with ``RequireScope``.
    ///
    /// - Throws: `token_missing` if no caller was authenticated.
    func requirePrincipal() throws(Problem) -> Principal {
        guard let principal else { throw .tokenMissing }
        return principal
    }

    /// Refuses callers without a scope, where the route alone does not tell which one is needed.
    ///
    /// - Throws: `forbidden`.
    func require(_ scope: Scope) throws(Problem) {
        guard try requirePrincipal().scopes.contains(scope) else { throw .forbidden(needs: scope) }
    }

    /// The pattern of the request's route, such as `/v1/holds/{id}/capture`, or `unmatched`.
    ///
    /// Valid after the inner handlers have run, because Hummingbird marks unmatched requests there.
    var routePattern: String {
        guard let endpointPath, endpointPath != "NotFound" else { return "unmatched" }
        return endpointPath
    }
}

extension LedgerdRequestContext {
    /// The id in a part of the path.
    ///
    /// - Parameter name: the part's name in the route, such as `id` of `/v1/refunds/{id}`.
    /// - Throws: `not_found` for a text that is not a valid id.
    package func pathID(_ name: String = "id") throws(Problem) -> Int64 {
        guard let text = parameters.get(name), let id = Int64(digits: text), id > 0 else { throw Problem(.notFound) }
        return id
    }
}

/// Data about a request from inner middlewares to outer ones, which log and count the request.
///
/// It is a reference, like Hummingbird's `EndpointPath`, because contexts are values, whose changes do not reach outer
/// middlewares.
final class RequestRecord: Sendable {
    private let state = Mutex(State())

    private struct State {
        var principalKind: Principal.Kind?
        var problemCode: Problem.Code?
        var person: String?
        var isFile = false
    }

    /// The kind of the caller.
    var principalKind: Principal.Kind? {
        get { state.withLock { $0.principalKind } }
        set { state.withLock { $0.principalKind = newValue } }
    }

    /// The code of the problem in the response, if any.
    var problemCode: Problem.Code? {
        get { state.withLock { $0.problemCode } }
        set { state.withLock { $0.problemCode = newValue } }
    }

    /// The subject of the person who is signed in to the console, or of the token that calls tools, if any.
    var person: String? {
        get { state.withLock { $0.person } }
        set { state.withLock { $0.person = newValue } }
    }

    /// Whether the response is a file that belongs to pages, such as a style sheet.
    var isFile: Bool {
        get { state.withLock { $0.isFile } }
        set { state.withLock { $0.isFile = newValue } }
    }
}

extension LedgerdRequestContext {
    /// Tells the access log who is signed in, or calls tools.
    ///
    /// - Parameter subject: the identity provider's name of the person, as the audit has it, or the token's subject.
    package func record(person subject: String) { record.person = subject }

    /// Tells the access log that the response is a file that belongs to pages, which browsers ask for again and again.
    package func recordFile() { record.isFile = true }
}

extension LedgerdRequestContext {
    /// The user of the token, or the one into whom that one was merged.
    func requireUser() throws -> UserID {
        if let userBehind { return userBehind }
        guard let user = UserID(rawValue: try requirePrincipal().subject) else {
            throw Problem.subjectInvalid
        }
        return user
    }

    /// The user in the path, or the one into whom that one was merged.
    package func requireUserInPath() throws -> UserID { try userBehind ?? requireOwnerInPath("user") }

    /// The same of a request whose user is the one to whom the id refers.
    package func naming(_ id: UserID, in merges: Merges) async throws(LedgerError) -> Self {
        var named = self
        named.userBehind = try await merges.user(behind: id)
        return named
    }

    /// The user or provider in the path's part with this name.
    package func requireOwnerInPath(_ name: String) throws -> UserID {
        guard let text = parameters.get(name).flatMap({ FormText.decodePath($0) }), let owner = UserID(rawValue: text)
        else { throw Problem.invalid(member: name, "\(name) must be a percent-encoded id of \(UserID.rule)") }
        return owner
    }
}
