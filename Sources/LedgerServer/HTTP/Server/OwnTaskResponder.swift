import Hummingbird

/// Answers each request in a task of its own.
///
/// A task keeps the memory of its deepest call until it ends: about 250 bytes a call, and a request passes through some
/// forty. A connection's task lives as long as the connection, so each idle connection would keep that of its requests.
struct OwnTaskResponder<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    let base: Base

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        async let response = base.respond(to: request, context: context)
        return try await response
    }
}
