/// A user's balance, in coins.
public struct BalanceBody: Codable, Hashable, Sendable {
    /// Whose it is.
    public let user: String
    /// All that the user has: paid, bonus and held coins.
    public let total: Int64
    /// Bought coins that are not held.
    public let paid: Int64
    /// Given coins that are not held.
    public let bonus: Int64
    /// Coins set aside by holds.
    public let held: Int64
    /// What can be spent now: paid and bonus coins, and nothing while there is debt.
    public let available: Int64
    /// Coins spent although their payment was taken back.
    public let debt: Int64

    /// Creates a balance of its parts.
    public init(
        user: String, total: Int64, paid: Int64, bonus: Int64, held: Int64, available: Int64, debt: Int64
    ) {
        self.user = user
        self.total = total
        self.paid = paid
        self.bonus = bonus
        self.held = held
        self.available = available
        self.debt = debt
    }
}

/// The balances of many users, in the order in which they were asked for.
public struct BalancesBody: Codable, Hashable, Sendable {
    /// One for each user asked for.
    public let balances: [BalanceBody]

    /// Creates an answer of balances.
    public init(balances: [BalanceBody]) {
        self.balances = balances
    }
}

/// Whose balances are asked for.
public struct BalanceQuery: Encodable, Hashable, Sendable {
    /// How many users may be asked for at once.
    public static let mostUsers = 500

    /// The users, 1 to ``mostUsers``.
    public let users: [String]

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case users
    }

    /// Asks for the balances of users.
    public init(users: [String]) {
        self.users = users
    }
}

/// What a provider has earned.
public struct EarningsBody: Codable, Hashable, Sendable {
    /// Who earned it.
    public let provider: String
    /// How many coins.
    public let coins: Int64

    /// Says what a provider has earned.
    public init(provider: String, coins: Int64) {
        self.provider = provider
        self.coins = coins
    }
}
