import Hummingbird

extension HTTPRequest.Method {
    /// A search whose terms are in the body (draft-ietf-httpbis-safe-method-w-body).
    fileprivate static let query: Self = {
        guard let method = Self("QUERY") else { preconditionFailure("QUERY is a valid method name") }
        return method
    }()
}

extension Router where Context == LedgerdRequestContext {
    /// Responds with 405 and `Allow` to known methods that a path does not support.
    ///
    /// Call it after the last route.
    ///
    /// Hummingbird responds with 404. The refusals are registered as routes, so that only Hummingbird matches paths,
    /// and the request has its route pattern in logs and metrics.
    ///
    /// `HEAD` on paths with `GET` is the task of the router's `autoGenerateHeadEndpoints`.
    func refuseOtherMethods() {
        let known: [HTTPRequest.Method] = [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
        ]
        var methods: [String: (path: RouterPath, methods: Set<HTTPRequest.Method>)] = [:]
        for route in routes {
            methods[route.path.description, default: (route.path, [])].methods.insert(route.method)
        }
        for (path, own) in methods.values {
            let allowed = own.contains(.get) ? own.union([.head]) : own
            for method in known where !allowed.contains(method) {
                on(path, method: method) { _, _ -> Response in throw Problem.methodNotAllowed(allow: Array(allowed)) }
            }
        }
    }
}
