/// The parts of an account's name without the stripe.
enum AccountName {
    /// A system account, such as `coins:issued`.
    case system(UnsafeRawBufferPointer)
    /// An owned account, such as `wallet:<user>:paid`. The user's part may contain any character.
    case owned(Kind, owner: UnsafeRawBufferPointer, Purse?)

    /// The kind of an owned account.
    enum Kind: String, CaseIterable {
        case wallet, held, debt, earnings, payable
    }

    /// Whether wallet or held coins are paid or bonus coins.
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

    /// Whether every stripe has such an account.
    var isStriped: Bool {
        switch self {
        case .system: true
        case .owned(let kind, _, _): kind == .earnings || kind == .payable
        }
    }

    /// The class in a balance sheet or an income statement.
    var statement: AccountKind {
        switch self {
        case .system(let name):
            Self.system.first { name.elementsEqual($0.name) }?.statement
                ?? ForeignAccount(String(decoding: name, as: UTF8.self))?.statement ?? .equity
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

/// The class of an account in a balance sheet or an income statement.
enum AccountKind: Sendable {
    case asset, liability, equity, income, expense
}

extension AccountName.Kind {
    /// The class in a balance sheet: users' coins, and what providers earned and are owed, are liabilities.
    var statement: AccountKind { self == .debt ? .asset : .liability }
}

extension ForeignAccount {
    /// The class in a balance sheet or an income statement.
    ///
    /// Both legs of what is open are equity, as programs count conversions.
    fileprivate var statement: AccountKind {
        switch self {
        case .receivable: .asset
        case .clearing, .carrying: .equity
        case .gain, .unrealised: .income
        case .loss: .expense
        }
    }
}

extension SystemAccount {
    /// The class in a balance sheet or an income statement.
    ///
    /// System accounts of coins are equity: they count issued and used coins, as the counterpart of wallets.
    var statement: AccountKind {
        switch self {
        case .gatewayReceivable, .appStoreReceivable, .googlePlayReceivable, .bank, .vatDeferred, .vatInput: .asset
        case .deferredRevenue, .refundsPayable, .withholding, .vatPayable, .expectedBreakage, .deferredBonus,
            .clearingWon:
            .liability
        case .revenue, .breakage, .refundFees, .commission, .expectedBreakageRevenue, .bonusAllocation: .income
        case .gatewayFees, .providerCosts: .expense
        case .coinsIssued, .coinsPromotions, .coinsRedeemed, .coinsExpired, .coinsWrittenOff, .clearingCoins: .equity
        }
    }
}
