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

    /// The scope that a token with these lacks, the first one of two; nil: it is let in.
    func missing(from scopes: Scope) -> Scope? {
        switch self {
        case .anyone: nil
        case .holder(let scope): scopes.contains(scope) ? nil : scope
        case .either(let one, let other): scopes.contains(one) || scopes.contains(other) ? nil : one
        case .both(let one, let other): scopes.contains(one) ? Self.holder(other).missing(from: scopes) : one
        case .appUser: Self.user.missing(from: scopes)
        }
    }

    typealias Middleware = any MiddlewareProtocol<Request, Response, LedgerdRequestContext>

    /// What lets only these callers in, outermost first.
    func middlewares(tokens: TokenVerifier, appKeys: AppKeys) -> [Middleware] {
        switch self {
        case .anyone: []
        case .holder, .either, .both: [BearerAuthentication(verifier: tokens), NoStore(), RequireScope(self)]
        case .appUser:
            [
                RequireAppKey(keys: appKeys), BearerAuthentication(verifier: tokens, allowsBareToken: true),
                RequireScope(self), NoStore(),
            ]
        }
    }
}
