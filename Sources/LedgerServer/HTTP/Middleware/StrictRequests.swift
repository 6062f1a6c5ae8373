import Hummingbird
import NIOCore

/// Refuses what an operation does not describe, before anything runs: a query parameter, and a body where there is none.
///
/// A parameter that nobody reads can be the only one that matters: `refunds?coins=10` would refund all coins. What an
/// operation describes is in its declaration, so a new one can't forget it. Unknown members of a described body are
/// refused by ``BodyDecoder``.
struct StrictRequests: RouterMiddleware {
    private let operations: [String: Rule]
    private let paths: NearestPath
    private let scopes: @Sendable (Request) -> Scope

    /// What a request of an operation can have.
    private struct Rule: Sendable {
        let parameters: [String]
        let hasBody: Bool
        let ignoresUnknown: Bool

        init(_ operation: Operation) {
            parameters = operation.queryParameters
            hasBody = operation.body != nil
            ignoresUnknown = operation.traits.contains(.ignoresUnknown)
        }
    }

    /// The most bytes of a body that can be `{}`, which some clients send with every `POST`.
    private static let mostBytes = 64

    /// - Parameters:
    ///   - operations: all of the API.
    ///   - offered: those that this service offers: only they are suggested for an unknown path.
    ///   - scopes: what the caller may do; empty: there is no valid token.
    init(
        _ operations: [Operation], offered: [Operation], scopes: @escaping @Sendable (Request) -> Scope
    ) {
        self.operations = Dictionary(
            operations.map { (Self.key($0.method.rawValue, $0.path), Rule($0)) }
        ) { first, _ in first }
        paths = NearestPath(offered)
        self.scopes = scopes
    }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let pattern = context.endpointPath else {
            throw Problem.unknownPath(nearest: paths.find(request.uri.path, for: scopes(request)))
        }
        // Other routes have no operation: methods that are refused, and the first page of a browser.
        if let operation = operations[Self.key(request.method.rawValue, pattern)], !operation.ignoresUnknown {
            if let query = request.uri.query, !query.isEmpty { _ = try Query(request, operation.parameters) }
            if !operation.hasBody { try await Self.requireNoBody(request) }
        }
        return try await next(request, context)
    }

    /// `HEAD` is `GET` without the body of the response.
    private static func key(_ method: String, _ path: String) -> String {
        (method == "HEAD" ? "GET" : method) + " " + path
    }

    /// - Throws: `invalid_request`, unless the body is missing or `{}`.
    private static func requireNoBody(_ request: Request) async throws {
        let isAnnounced =
            request.headers[.contentLength].map { $0 != "0" } ?? request.headers.contains(.transferEncoding)
        guard isAnnounced else { return }
        var body: [UInt8] = []
        for try await part in request.body {
            body += part.readableBytesView
            guard body.count <= mostBytes else { throw Problem.unexpectedBody }
        }
        let text = body.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard text.isEmpty || text == Array("{}".utf8) else { throw Problem.unexpectedBody }
    }
}

extension Problem {
    fileprivate static let unexpectedBody = Problem.invalid(
        member: "body", "the request takes no body; nothing was read of it, and nothing was done")

    /// The path is no route.
    ///
    /// - Parameter nearest: the path that was probably meant.
    fileprivate static func unknownPath(nearest: String?) -> Problem {
        Problem(.notFound, "the path is unknown" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
}
