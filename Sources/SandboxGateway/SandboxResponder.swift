import Hummingbird
import SandboxSupport

/// Routes each request to its API: both use `/payments`, and the sandbox has one address.
struct SandboxResponder<V1: HTTPResponder<SandboxRequestContext>, V2: HTTPResponder<SandboxRequestContext>>:
    HTTPResponder
{
    let v1: V1
    let v2: V2

    func respond(to request: Request, context: SandboxRequestContext) async throws -> Response {
        if Self.isV2(request) { return try await v2.respond(to: request, context: context) }
        return try await v1.respond(to: request, context: context)
    }

    /// Whether the credentials are V2's; without credentials, whether only V2 has the path.
    static func isV2(_ request: Request) -> Bool {
        let path = request.uri.path
        if path.hasPrefix("/sandbox/") { return false }
        let authorization = request.headers[.authorization] ?? ""
        if authorization.hasPrefix("PortOne") { return true }
        // V1's tokens are hexadecimal; V2's have a dot.
        if authorization.hasPrefix("Bearer ") { return authorization.contains(".") }
        if !authorization.isEmpty { return false }
        if ["/login/", "/token/", "/payments-by-", "/payment-events-by-"].contains(where: path.hasPrefix) {
            return true
        }
        let segments = path.split(separator: "/")
        return segments.first == "payments"
            && ((request.method == .post && segments.count > 2) || segments.last == "transactions"
                || request.query["requestBody"] != nil)
    }
}
