import Hummingbird

/// Verifies the request's access token and puts its ``Principal`` into the context.
///
/// Without a good token the request ends here; public routes stand outside the group that has this middleware.
struct BearerAuthentication: RouterMiddleware {
    let verifier: TokenVerifier
    /// Whether the header may hold the bare token, as the coin-shop apps send it.
    var allowsBareToken = false

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let principal = try verifier.verify(try token(request.headers[.authorization]))
        context.principal = principal
        context.record.principalKind = principal.kind
        return try await next(request, context)
    }

    private func token(_ header: String?) throws(Problem) -> Substring {
        guard let header else { throw .tokenMissing }
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        switch parts.count {
        case 2 where Self.isBearer(parts[0]): return Substring(parts[1])
        case 1 where allowsBareToken && !Self.isBearer(parts[0]): return Substring(parts[0])
        default: throw .tokenMissing
        }
    }

    /// Names of schemes know no case (RFC 9110, 11.1).
    private static func isBearer(_ scheme: Substring.UTF8View) -> Bool {
        scheme.count == 6 && zip(scheme, "bearer".utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// Marks answers as nobody's to keep: what a token opens is a user's, or the books', and no cache may hold it.
struct NoStore: RouterMiddleware {
    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

/// Lets only callers with a scope pass.
///
/// Stands inside ``BearerAuthentication``.
struct RequireScope: RouterMiddleware {
    private let reading: Scope
    private let writing: Scope

    init(_ scope: Scope) {
        self.init(reading: scope, writing: scope)
    }

    /// Asks for one scope of who reads (`GET`), and for another of who changes something.
    init(reading: Scope, writing: Scope) {
        self.reading = reading
        self.writing = writing
    }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        let scope = [.get, .head].contains(request.method) ? reading : writing
        guard try context.requirePrincipal().scopes.contains(scope) else { throw Problem.forbidden(needs: scope) }
        return try await next(request, context)
    }
}
