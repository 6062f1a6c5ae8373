import HTTPTypes
package import Hummingbird

/// Responds with 304 to `GET` and `HEAD` requests whose `If-None-Match` has the body's entity tag (RFC 9110, 13.2.2).
///
/// ``Response/init(status:headers:encodedJSON:)`` computes the tags; streams have none. Responses to other methods do
/// not represent a resource, so their tags are removed.
package struct ConditionalRequests: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let tag = response.headers[.eTag] else { return response }
        guard request.method == .get || request.method == .head else {
            response.headers[.eTag] = nil
            return response
        }
        guard response.status == .ok, request.headers.contains(.ifNoneMatch),
            EntityTag(text: tag).isNamed(by: request.headers[values: .ifNoneMatch])
        else { return response }
        var unchanged = Response(status: .notModified, headers: response.headers)
        // These headers describe a body, which a 304 does not have (RFC 9110, 15.4.5).
        for name in [HTTPField.Name.contentType, .contentLength, .contentDisposition] {
            unchanged.headers[name] = nil
        }
        return unchanged
    }
}
