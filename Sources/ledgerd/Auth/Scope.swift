/// What a token lets its bearer do.
struct Scope: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Act on one's own coins.
    static let user = Scope(rawValue: 1 << 0)
    /// Read any user's coins, as another service.
    static let serviceRead = Scope(rawValue: 1 << 1)
    /// Spend, hold and refund any user's coins.
    static let serviceWrite = Scope(rawValue: 1 << 2)
    /// Give coins to any user.
    static let serviceGrant = Scope(rawValue: 1 << 3)
    /// All that a service may.
    static let service: Scope = [.serviceRead, .serviceWrite, .serviceGrant]
    /// Read reports, findings, seals and runs.
    static let financeRead = Scope(rawValue: 1 << 4)
    /// Begin reconciliations, book payouts, close periods.
    static let financeWrite = Scope(rawValue: 1 << 5)
    /// All that finance may.
    static let finance: Scope = [.financeRead, .financeWrite]

    /// The wide ones before their parts.
    private static let names: [(name: String, scope: Scope)] = [
        ("user", .user), ("service", .service), ("finance", .finance), ("service:read", .serviceRead),
        ("service:write", .serviceWrite), ("service:grant", .serviceGrant), ("finance:read", .financeRead),
        ("finance:write", .financeWrite),
    ]

    /// Every name, for people.
    static let allNames = names.map(\.name).joined(separator: ", ")

    /// The known scopes among the names.
    ///
    /// Unknown ones are for others who read the same token.
    init(names: some Sequence<some StringProtocol>) {
        self = names.reduce(into: []) { scopes, name in
            if let known = Self.names.first(where: { $0.name == name }) { scopes.formUnion(known.scope) }
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

extension Scope: CustomStringConvertible {
    /// The fewest names, separated by spaces, as a `scope` claim holds them.
    var description: String {
        var rest = self
        var names: [String] = []
        for known in Self.names where rest.isSuperset(of: known.scope) {
            rest.subtract(known.scope)
            names.append(known.name)
        }
        return names.joined(separator: " ")
    }
}
