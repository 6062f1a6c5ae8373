import Hummingbird

extension HTTPRequest.Method {
    /// A search whose terms are in the body (draft-ietf-httpbis-safe-method-w-body).
    fileprivate static let query: Self = {
        guard let method = Self("QUERY") else { preconditionFailure("it is a token") }
        return method
    }()
}

extension Router where Context == LedgerdRequestContext {
    /// Answers 405 with `Allow` for the registered methods that a known path does not take.
    ///
    /// Call it after the last route.
    ///
    /// Hummingbird answers 404 there. Registering the refusals as routes leaves the matching of paths to the one trie
    /// that does it, so that both can never disagree, and the request keeps its route pattern in log and metrics.
    ///
    /// `HEAD` on a path with `GET` is left to the router's `autoGenerateHeadEndpoints`.
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
