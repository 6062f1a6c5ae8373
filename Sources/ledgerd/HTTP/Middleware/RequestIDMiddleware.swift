import Hummingbird

/// Takes over the caller's `X-Request-Id`, if sane, and answers with the id used.
struct RequestIDMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let inbound = request.headers[.requestID], RequestID.isAcceptable(inbound) {
            context.name(inbound)
        }
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        return response
    }
}
