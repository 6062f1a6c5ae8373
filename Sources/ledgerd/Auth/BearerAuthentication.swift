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
        guard let header, !header.isEmpty else { throw .tokenMissing }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        switch parts.count {
        case 2 where parts[0].lowercased() == "bearer": return parts[1]
        case 1 where allowsBareToken && parts[0].lowercased() != "bearer": return parts[0]
        default: throw .tokenMissing
        }
    }
}

/// Lets only callers with a scope pass.
///
/// Stands inside ``BearerAuthentication``.
struct RequireScope: RouterMiddleware {
    let scope: Scope

    init(_ scope: Scope) {
        self.scope = scope
    }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        guard try context.requirePrincipal().scopes.contains(scope) else { throw Problem.forbidden(needs: scope) }
        return try await next(request, context)
    }
}
