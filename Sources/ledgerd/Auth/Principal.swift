/// Who asks: what a verified token says.
struct Principal: Sendable, Equatable {
    /// The token's `sub`, which for a user is the user's id.
    let subject: String
    /// What the token grants.
    let scopes: Scope

    /// The sort of caller, for logs: it names nobody.
    enum Kind: String, Sendable {
        case user
        case service
        case finance
        /// A good token that grants nothing here.
        case unprivileged
    }

    /// The widest of the scopes.
    var kind: Kind {
        if !scopes.isDisjoint(with: .service) { return .service }
        if !scopes.isDisjoint(with: .finance) { return .finance }
        return scopes.contains(.user) ? .user : .unprivileged
    }
}
