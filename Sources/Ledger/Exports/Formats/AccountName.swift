/// What an account's name, without its stripe, is made of.
enum AccountName {
    /// One of the ledger's own, such as `coins:issued`.
    case system(UnsafeRawBufferPointer)
    /// Somebody's, such as `wallet:<user>:paid`: the user's part may hold any character.
    case owned(Kind, owner: UnsafeRawBufferPointer, Purse?)

    /// What somebody's account is for.
    enum Kind: String, CaseIterable {
        case wallet, held, debt, earnings
    }

    /// Whether a wallet's or held coins were bought or given.
    enum Purse: String, CaseIterable {
        case paid, bonus
    }

    init(_ name: UnsafeRawBufferPointer) {
        guard let (prefix, kind) = Self.prefixes.first(where: { name.starts(with: $0.prefix) }) else {
            self = .system(name)
            return
        }
        let rest = UnsafeRawBufferPointer(rebasing: name[prefix.count...])
        let suffix = kind == .wallet || kind == .held ? Self.suffixes.first { rest.ends(with: $0.suffix) } : nil
        let owner = UnsafeRawBufferPointer(rebasing: rest.dropLast(suffix?.suffix.count ?? 0))
        self = .owned(kind, owner: owner, suffix?.purse)
    }

    /// Whether every stripe has one of it.
    var isStriped: Bool {
        switch self {
        case .system: true
        case .owned(let kind, _, _): kind == .earnings
        }
    }

    /// Where it stands in a balance sheet or an income statement.
    var statement: AccountKind {
        switch self {
        case .system(let name): Self.system.first { name.elementsEqual($0.name) }?.statement ?? .equity
        case .owned(let kind, _, _): kind.statement
        }
    }

    private static let system = SystemAccount.allCases.map {
        (name: Array($0.rawValue.utf8), statement: $0.statement)
    }
    private static let prefixes = Kind.allCases.map { (prefix: Array("\($0):".utf8), kind: $0) }
    private static let suffixes = Purse.allCases.map { (suffix: Array(":\($0)".utf8), purse: $0) }
}

extension UnsafeRawBufferPointer {
    fileprivate func ends(with other: [UInt8]) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}

/// What of a balance sheet or an income statement an account belongs to.
enum AccountKind: Sendable {
    case asset, liability, equity, income, expense
}

extension AccountName.Kind {
    /// Where it stands in a balance sheet: what users hold and providers earned is owed to them.
    var statement: AccountKind { self == .debt ? .asset : .liability }
}

extension SystemAccount {
    /// Where it stands in a balance sheet or an income statement.
    ///
    /// The accounts of coins are neither: they count what was made and used, so that wallets have a counterpart.
    var statement: AccountKind {
        switch self {
        case .gatewayReceivable, .bank: .asset
        case .deferredRevenue: .liability
        case .revenue, .breakage, .refundFees: .income
        case .gatewayFees: .expense
        case .coinsIssued, .coinsPromotions, .coinsRedeemed, .coinsExpired: .equity
        }
    }
}
