/// A plan's accounts.
///
/// Each has an index, its place, that the lines of entries use.
///
/// An account's code is a text with the user's id. Making the code for each line and finding the account by it took
/// longer than the rest of planning.
struct PlannedAccounts: Sendable {
    /// Identifies an account within a plan.
    enum Reference: Sendable {
        /// A system account of a stripe.
        case system(SystemAccount, Stripe)
        /// The account at a place.
        case place(Int)
    }

    private struct ProviderKey: Hashable {
        let provider: UserID
        let stripe: Stripe
    }

    /// The places of a user's accounts; nil: not opened yet.
    private struct Wallet {
        var paid, bonus, heldPaid, heldBonus, debt: Int?

        subscript(account: UserAccount) -> Int? {
            get {
                switch account {
                case .paid: paid
                case .bonus: bonus
                case .heldPaid: heldPaid
                case .heldBonus: heldBonus
                case .debt: debt
                }
            }
            set {
                switch account {
                case .paid: paid = newValue
                case .bonus: bonus = newValue
                case .heldPaid: heldPaid = newValue
                case .heldBonus: heldBonus = newValue
                case .debt: debt = newValue
                }
            }
        }
    }

    private var accounts: [Account]
    private let loadedCount: Int
    private let hasFull: Bool
    private var system: [Int: Int] = [:]
    private var wallets: [UserID: Wallet] = [:]
    private var earnings: [ProviderKey: Int] = [:]
    private var payables: [ProviderKey: Int] = [:]
    /// The accounts of foreign currencies.
    private var foreign: [AccountCode: Int] = [:]

    /// - Parameter loaded: the accounts read from the database, each once.
    init(_ loaded: [Account]) {
        accounts = loaded
        loadedCount = loaded.count
        hasFull = loaded.contains(where: \.isFull)
        for (place, account) in loaded.enumerated() { index(account, at: place) }
    }

    /// New accounts to insert.
    var opened: ArraySlice<Account> { accounts[loadedCount...] }

    /// Whether an account of the stripe is full that the user's acts may post to: the user's, a provider's or a system
    /// account.
    func isFull(for user: UserID, in stripe: Stripe) -> Bool {
        hasFull
            && accounts.contains { account in
                account.isFull && account.stripe == stripe
                    && (account.owner == nil || account.owner == user || account.code.isOfProvider)
            }
    }

    func balance(of user: UserID) -> Balance {
        let wallet = wallets[user]
        return Balance(user: user) { wallet?[$0].map { accounts[$0].balance } ?? 0 }
    }

    /// Whether the user ever had an account.
    func hasAccounts(of user: UserID) -> Bool { wallets[user] != nil }

    /// The place of a user's account; nil: not opened yet.
    func place(of account: UserAccount, of user: UserID) -> Int? { wallets[user]?[account] }

    /// The balance of a user's account; zero: it is not opened yet.
    func coins(on account: UserAccount, of user: UserID) -> Int64 {
        place(of: account, of: user).map { accounts[$0].balance } ?? 0
    }

    /// The place of a provider's earnings account in the stripe; nil: not opened yet.
    func place(ofEarningsOf provider: UserID, in stripe: Stripe) -> Int? {
        earnings[ProviderKey(provider: provider, stripe: stripe)]
    }

    /// The place of the account of what is owed to a provider in the stripe; nil: not opened yet.
    func place(ofPayableOf provider: UserID, in stripe: Stripe) -> Int? {
        payables[ProviderKey(provider: provider, stripe: stripe)]
    }

    /// The won that are owed to a provider, over all stripes whose accounts were loaded.
    func payable(of provider: UserID) -> Int64 {
        payables.reduce(0) { $1.key.provider == provider ? $0 + accounts[$1.value].balance : $0 }
    }

    /// The user account that a reference names; nil if it is not a user's.
    func userAccount(_ reference: Reference) -> UserAccount? {
        guard case .place(let place) = reference else { return nil }
        return accounts[place].code.userAccount
    }

    /// The place of an account of a foreign currency in the stripe; nil: it was not loaded.
    func place(of account: ForeignAccount, in stripe: Stripe) -> Int? { foreign[.foreign(account, stripe)] }

    /// Whether a reference names an account of won that are carried for a foreign currency.
    func isCarrying(_ reference: Reference) -> Bool {
        guard !foreign.isEmpty, case .place(let place) = reference, accounts[place].owner == nil else { return false }
        return accounts[place].code.isCarrying
    }

    /// Adds a new account and returns its place.
    mutating func open(_ account: Account) -> Int {
        index(account, at: accounts.count)
        accounts.append(account)
        return accounts.count - 1
    }

    /// Changes an account and returns it.
    mutating func update(_ reference: Reference, _ change: (inout Account) -> Void) -> Account {
        let place =
            switch reference {
            case .place(let place): place
            case .system(let account, let stripe): place(of: account, in: stripe)
            }
        change(&accounts[place])
        return accounts[place]
    }

    private func place(of account: SystemAccount, in stripe: Stripe) -> Int {
        guard let place = system[account.number(in: stripe)] else {
            preconditionFailure("\(account.rawValue) was not loaded")
        }
        return place
    }

    private mutating func index(_ account: Account, at place: Int) {
        if let owner = account.owner {
            if let userAccount = account.code.userAccount {
                wallets[owner, default: Wallet()][userAccount] = place
            } else if account.code.isPayable {
                payables[ProviderKey(provider: owner, stripe: account.stripe)] = place
            } else {
                earnings[ProviderKey(provider: owner, stripe: account.stripe)] = place
            }
        } else if let systemAccount = account.code.systemAccount {
            system[systemAccount.number(in: account.stripe)] = place
        } else {
            foreign[account.code] = place
        }
    }
}

extension SystemAccount {
    /// A number that is unique across all accounts and stripes.
    ///
    /// Numbers are cheaper to compare than names.
    fileprivate func number(in stripe: Stripe) -> Int {
        let ordinal =
            switch self {
            case .gatewayReceivable: 0
            case .deferredRevenue: 1
            case .revenue: 2
            case .breakage: 3
            case .refundFees: 4
            case .gatewayFees: 5
            case .bank: 6
            case .coinsIssued: 7
            case .coinsPromotions: 8
            case .coinsRedeemed: 9
            case .coinsExpired: 10
            case .commission: 11
            case .providerCosts: 12
            case .withholding: 13
            case .refundsPayable: 14
            case .coinsWrittenOff: 15
            case .vatPayable: 16
            case .vatDeferred: 17
            case .vatInput: 18
            case .expectedBreakage: 19
            case .expectedBreakageRevenue: 20
            case .deferredBonus: 21
            case .bonusAllocation: 22
            case .clearingCoins: 23
            case .clearingWon: 24
            case .appStoreReceivable: 25
            case .googlePlayReceivable: 26
            }
        return Int(stripe.number) * Self.allCases.count + ordinal
    }
}

extension AccountCode {
    fileprivate var isOfProvider: Bool { isPayable || rawValue.utf8.starts(with: "earnings:".utf8) }

    /// Whether the account, which has an owner, counts the won that are owed to a provider.
    var isPayable: Bool { rawValue.utf8.starts(with: "payable:".utf8) }

    /// The system account with this code; nil: none.
    fileprivate var systemAccount: SystemAccount? {
        SystemAccount(rawValue: String(rawValue.prefix { $0 != "/" }))
    }

    /// The kind of user account with this code; nil: a provider's account.
    ///
    /// Only the code's fixed prefix and suffix are compared, whatever the owner's id is.
    fileprivate var userAccount: UserAccount? {
        let isPaid = rawValue.utf8.last == UInt8(ascii: "d")  // `:paid` or `:bonus`
        return switch rawValue.utf8.first {
        case UInt8(ascii: "w"): isPaid ? .paid : .bonus  // `wallet:`
        case UInt8(ascii: "h"): isPaid ? .heldPaid : .heldBonus  // `held:`
        case UInt8(ascii: "d"): .debt  // `debt:`
        default: nil
        }
    }
}
