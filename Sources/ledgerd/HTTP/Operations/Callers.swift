import Hummingbird

/// Who may call an operation.
enum Callers: Hashable, Sendable {
    case anyone
    /// Who has a token with the scope.
    case holder(Scope)
    /// Who has a token with one of the scopes.
    case either(Scope, or: Scope)
    /// Who has a token with both scopes.
    case both(Scope, and: Scope)
    /// A user of an older coin-shop app: app key, and a token that may stand without `Bearer`.
    case appUser

    static let user = holder(.user)
    static let serviceRead = holder(.serviceRead)
    static let serviceWrite = holder(.serviceWrite)
    static let serviceGrant = holder(.serviceGrant)
    static let support = holder(.support)
    static let financeRead = holder(.financeRead)
    static let financeWrite = holder(.financeWrite)
    static let events = holder(.events)
    static let endpoints = holder(.endpoints)

    /// Whether a token with these scopes is let in.
    func include(_ scopes: Scope) -> Bool {
        switch self {
        case .anyone: true
        case .holder(let scope): scopes.contains(scope)
        case .either(let one, let other): scopes.contains(one) || scopes.contains(other)
        case .both(let one, let other): scopes.contains(one) && scopes.contains(other)
        case .appUser: scopes.contains(.user)
        }
    }

    typealias Middleware = any MiddlewareProtocol<Request, Response, LedgerdRequestContext>

    /// What lets only these callers in, outermost first.
    func middlewares(tokens: TokenVerifier, appKeys: AppKeys) -> [Middleware] {
        let bearer: [Middleware] = [BearerAuthentication(verifier: tokens), NoStore()]
        return switch self {
        case .anyone: []
        case .holder(let scope): bearer + [RequireScope(scope)]
        case .either(let one, let other): bearer + [RequireScope(one, or: other)]
        case .both(let one, let other): bearer + [RequireScope(one), RequireScope(other)]
        case .appUser:
            [
                RequireAppKey(keys: appKeys), BearerAuthentication(verifier: tokens, allowsBareToken: true),
                RequireScope(.user), NoStore(),
            ]
        }
    }
}
