import HTTPTypes
import Hummingbird

/// Says to browsers, in every answer, what they may do with it: nothing but show it.
///
/// A page that needs more, as `/docs` its styles, says so in a policy of its own, which stays.
struct SecurityHeadersMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        SecurityHeaders.add(to: &response.headers)
        return response
    }
}

/// The headers of every answer (OWASP REST Security Cheat Sheet).
///
/// `Strict-Transport-Security` is left to whoever ends TLS in front.
enum SecurityHeaders {
    static let all: [(name: HTTPField.Name, value: String)] = [
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.crossOriginResourcePolicy, "same-origin"),
        (.referrerPolicy, "no-referrer"),
        (.xContentTypeOptions, "nosniff"),
        (.xFrameOptions, "DENY"),
    ]

    /// Adds those that are not there.
    static func add(to headers: inout HTTPFields) {
        for (name, value) in all where headers[name] == nil { headers[name] = value }
    }
}
