/// The caller of a request, from a verified token.
struct Principal: Sendable, Equatable {
    /// The token's `sub`, which for a user is the user's id.
    let subject: String
    /// The scopes of the token.
    let scopes: Scope

    /// The kind of caller, for logs; it does not identify anybody.
    enum Kind: String, Sendable {
        case user
        case service
        case finance
        /// A valid token without a known scope.
        case unprivileged
    }

    /// The kind with the most rights that the scopes allow.
    var kind: Kind {
        if !scopes.isDisjoint(with: .service) { return .service }
        if !scopes.isDisjoint(with: .finance) { return .finance }
        return scopes.contains(.user) ? .user : .unprivileged
    }
}
