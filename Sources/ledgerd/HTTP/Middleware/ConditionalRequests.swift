import HTTPTypes
import Hummingbird

/// Answers 304 to who has the body already: to `GET` and `HEAD` whose `If-None-Match` names its tag (RFC 9110, 13.2.2).
///
/// The tags are made with the bodies (``Response/init(status:headers:encodedJSON:)``); streams have none. Answers to
/// other methods describe no resource, so they lose theirs.
struct ConditionalRequests: RouterMiddleware {
    func handle(
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
        // They describe a body, and there is none (RFC 9110, 15.4.5).
        for name in [HTTPField.Name.contentType, .contentLength, .contentDisposition] {
            unchanged.headers[name] = nil
        }
        return unchanged
    }
}
