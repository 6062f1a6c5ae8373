/// The rights of a token.
struct Scope: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// Use the user's own coins.
    static let user = Scope(rawValue: 1 << 0)
    /// Read any user's coins.
    static let serviceRead = Scope(rawValue: 1 << 1)
    /// Spend, hold and refund any user's coins; refund through the gateway only, with the fee.
    static let serviceWrite = Scope(rawValue: 1 << 2)
    /// Grant coins to any user.
    static let serviceGrant = Scope(rawValue: 1 << 3)
    /// Refund by bank transfer and without a fee, beside ``serviceWrite``; no other scope includes it.
    static let refundsApprove = Scope(rawValue: 1 << 9)
    /// All rights of services.
    static let service: Scope = [.serviceRead, .serviceWrite, .serviceGrant]
    /// Read reports, findings, seals and reconciliations.
    static let financeRead = Scope(rawValue: 1 << 4)
    /// Start reconciliations, import settlement files, close periods.
    static let financeWrite = Scope(rawValue: 1 << 5)
    /// All rights of finance.
    static let finance: Scope = [.financeRead, .financeWrite]
    /// Read everything that happens.
    static let events = Scope(rawValue: 1 << 6)
    /// Find purchases, orders and receipts of any user.
    private static let find = Scope(rawValue: 1 << 7)
    /// All rights of customer support, which also reads any user's coins.
    static let support: Scope = [.find, .serviceRead]
    /// Read, narrow, disable, test and delete endpoints of webhooks; with ``events`` also create, widen and replay them.
    static let endpoints = Scope(rawValue: 1 << 8)

    /// Combined scopes come before their parts.
    private static let names: [(name: String, scope: Scope)] = [
        ("user", .user), ("service", .service), ("finance", .finance), ("support", .support),
        ("service:read", .serviceRead), ("service:write", .serviceWrite), ("service:grant", .serviceGrant),
        ("finance:read", .financeRead), ("finance:write", .financeWrite), ("events", .events),
        ("endpoints", .endpoints), ("refunds:approve", .refundsApprove),
    ]

    /// All names, for error messages.
    static let allNames = names.map(\.name).joined(separator: ", ")

    /// The scopes with these names.
    ///
    /// Unknown names are ignored, because other services use the same token.
    init(names: some Sequence<some StringProtocol>) {
        self = names.reduce(into: []) { scopes, name in
            if let known = Self.names.first(where: { $0.name == name }) { scopes.formUnion(known.scope) }
        }
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

extension Scope: CustomStringConvertible {
    /// The fewest possible names, separated by spaces, as in a `scope` claim.
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
