import Hummingbird
import SandboxSupport

/// Refuses calls without the secret or an access token (PortOne V2 contract, authentication).
struct V2Authenticator: RouterMiddleware {
    let secret: String
    let state: SandboxState

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        let header = request.headers[.authorization] ?? ""
        let isKnown =
            if header.hasPrefix("PortOne ") {
                header.dropFirst(8) == secret
            } else if header.hasPrefix("Bearer ") {
                await state.isValid(v2AccessToken: String(header.dropFirst(7)))
            } else {
                false
            }
        guard isKnown else { throw V2Refusal.unauthorized }
        return try await next(request, context)
    }
}
