/// What a token lets its bearer do.
struct Scope: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Act on one's own coins.
    static let user = Scope(rawValue: 1 << 0)
    /// Act on any user's coins, as another service.
    static let service = Scope(rawValue: 1 << 1)
    /// Reconcile and export.
    static let finance = Scope(rawValue: 1 << 2)

    fileprivate static let names: [(name: String, scope: Scope)] = [
        ("user", .user), ("service", .service), ("finance", .finance),
    ]

    /// The known scopes among the names.
    ///
    /// Unknown ones are for others who read the same token.
    init(names: some Sequence<some StringProtocol>) {
        self = names.reduce(into: []) { scopes, name in
            if let known = Self.names.first(where: { $0.name == name }) { scopes.insert(known.scope) }
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

extension Scope: CustomStringConvertible {
    /// The names, separated by spaces, as a `scope` claim holds them.
    var description: String {
        Self.names.filter { contains($0.scope) }.map(\.name).joined(separator: " ")
    }
}
