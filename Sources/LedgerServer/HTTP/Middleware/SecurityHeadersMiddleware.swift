import HTTPTypes
import Hummingbird

/// Adds security headers to all responses: browsers must only display them.
///
/// A page that needs more, such as `/docs` its style and script, sets its own policy, which stays.
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

/// The headers of all responses (OWASP REST Security Cheat Sheet).
///
/// `Strict-Transport-Security` is the task of the proxy that terminates TLS.
enum SecurityHeaders {
    static let all: [(name: HTTPField.Name, value: String)] = [
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.crossOriginResourcePolicy, "same-origin"),
        (.referrerPolicy, "no-referrer"),
        (.xContentTypeOptions, "nosniff"),
        (.xFrameOptions, "DENY"),
    ]

    /// Adds missing headers.
    static func add(to headers: inout HTTPFields) {
        for (name, value) in all where headers[name] == nil { headers[name] = value }
    }
}
