import Hummingbird
import Ledger
import WireFormats

/// A part of the API: its operations, and what carries them out.
protocol Feature: Sendable {
    /// The operations, in the document's order, each with what carries it out.
    static var routes: [Route<Self>] { get }
    /// The orders of people that carry out its acts.
    static var personOrders: [any PersonOrder.Type] { get }

    /// The feature of a service; nil: this service does not offer it here.
    static func make(with deps: Deps) throws -> Self?
}

/// What answers a request.
typealias Handler = @Sendable (Request, LedgerdRequestContext) async throws -> Response

/// An operation, and what carries it out.
struct Route<Owner>: Sendable {
    let operation: Operation
    /// nil: this service does not offer the operation.
    let handler: @Sendable (Owner) -> Handler?

    init(_ operation: Operation, _ handler: @escaping @Sendable (Owner) -> Handler?) {
        self.operation = operation
        self.handler = handler
    }
}

extension Feature {
    static var personOrders: [any PersonOrder.Type] { [] }
    static var operations: [Operation] { routes.map(\.operation) }

    /// The operations that a service offers.
    static func offered(with deps: Deps) throws -> [Operation] {
        guard let feature = try make(with: deps) else { return [] }
        return routes.filter { $0.handler(feature) != nil }.map(\.operation)
    }

    /// Makes the feature and adds its operations to a router, if this service offers it.
    static func add(
        to router: Router<LedgerdRequestContext>, with deps: Deps, tokens: TokenVerifier, appKeys: AppKeys
    ) throws {
        guard let feature = try make(with: deps) else { return }
        router.add(feature, tokens: tokens, appKeys: appKeys, merges: deps.ledger.merges)
    }
}

extension Operation {
    /// All operations of the API, in the document's order.
    static let all: [Operation] = Features.all.flatMap { $0.operations }
}

extension Router where Context == LedgerdRequestContext {
    /// Adds an operation, behind what its callers need.
    func add(_ operation: Operation, tokens: TokenVerifier, appKeys: AppKeys, use handler: @escaping Handler) {
        let group = self.group()
        for middleware in operation.callers.middlewares(tokens: tokens, appKeys: appKeys) {
            group.add(middleware: middleware)
        }
        group.on(RouterPath(operation.path), method: operation.method, use: handler)
    }

    /// Adds a feature's operations.
    func add<Part: Feature>(_ feature: Part, tokens: TokenVerifier, appKeys: AppKeys, merges: Merges) {
        for route in Part.routes {
            guard let handler = route.handler(feature) else { continue }
            add(
                route.operation, tokens: tokens, appKeys: appKeys, use: route.operation.findingUser(in: merges, handler)
            )
        }
    }

    /// Adds a feature's operations that everyone may call, and no others.
    func add<Part: Feature>(publicly feature: Part) {
        for route in Part.routes where route.operation.callers == .anyone {
            guard let handler = route.handler(feature) else { continue }
            on(RouterPath(route.operation.path), method: route.operation.method, use: handler)
        }
    }
}

extension Operation {
    /// A handler that gets the user to whom the id of the request refers, and whose response says so if it is another one.
    ///
    /// With the console's (`ConsoleRoutes`) it is the one place where a request's user is looked up. What is no valid id is refused by the handler.
    fileprivate func findingUser(in merges: Merges, _ handler: @escaping Handler) -> Handler {
        let isInPath = path.contains("{user}")
        guard isInPath || callers == .user || callers == .appUser else { return handler }
        return { request, context in
            let named = isInPath ? try? context.requireOwnerInPath("user") : try? context.requireUser()
            guard let named else { return try await handler(request, context) }
            let found = try await context.naming(named, in: merges)
            let user = found.userBehind ?? named
            guard user != named else { return try await handler(request, found) }
            let name = FormText.encode(user.rawValue)
            do {
                var response = try await handler(request, found)
                response.headers[.mergedInto] = name
                return response
            } catch var problem as Problem {
                problem.headers[.mergedInto] = name
                throw problem
            }
        }
    }
}
