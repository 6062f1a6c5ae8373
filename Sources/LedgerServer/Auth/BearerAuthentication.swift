import Hummingbird

/// Verifies the request's access token and stores its ``Principal`` in the context.
///
/// Requests without a valid token are refused. Public routes are outside the group with this middleware.
struct BearerAuthentication: RouterMiddleware {
    let verifier: TokenVerifier
    /// Whether the header can have the token without `Bearer`, as the coin-shop apps send it.
    var allowsBareToken = false

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let principal = try await verifier.authenticate(
            try Self.token(request.headers[.authorization], allowsBareToken: allowsBareToken))
        context.principal = principal
        context.record.principalKind = principal.kind
        return try await next(request, context)
    }

    /// The scopes of a request's token; empty: there is no valid one.
    ///
    /// It asks nobody for new keys: it only chooses what is suggested to a caller.
    static func scopes(of request: Request, verifiedBy verifier: TokenVerifier) -> Scope {
        let principal = try? verifier.verify(try token(request.headers[.authorization], allowsBareToken: false))
        return principal?.scopes ?? []
    }

    private static func token(_ header: String?, allowsBareToken: Bool) throws(Problem) -> Substring {
        guard let header else { throw .tokenMissing }
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard let first = parts.first else { throw .tokenMissing }
        switch (isBearer(first), parts.count) {
        case (true, 2): return Substring(parts[1])
        case (true, 1): throw .tokenMissing("the header Authorization has no token after Bearer")
        case (true, _): throw .tokenMissing("the header Authorization has more than one token after Bearer")
        case (false, 1) where allowsBareToken: return Substring(first)
        case (false, 1):
            throw .tokenMissing("the header Authorization does not begin with Bearer; put it before the token")
        case (false, _): throw .tokenMissing("the header Authorization has another scheme than Bearer")
        }
    }

    /// Scheme names are case-insensitive (RFC 9110, 11.1).
    private static func isBearer(_ scheme: Substring.UTF8View) -> Bool {
        scheme.count == 6 && zip(scheme, "bearer".utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// Forbids caching: responses to a token have data of a user or of the books.
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

/// Refuses callers without the scopes that an operation needs.
///
/// It needs ``BearerAuthentication`` before it.
struct RequireScope: RouterMiddleware {
    private let callers: Callers

    init(_ callers: Callers) { self.callers = callers }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        if let missing = callers.missing(from: try context.requirePrincipal().scopes) {
            throw Problem.forbidden(needs: missing)
        }
        return try await next(request, context)
    }
}
