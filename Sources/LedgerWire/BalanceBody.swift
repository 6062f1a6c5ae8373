/// A user's balance, in coins.
public struct BalanceBody: Codable, Hashable, Sendable {
    /// The id of the user.
    public let user: String
    /// The total: `paid` + `bonus` + `held`.
    public let total: Int64
    /// Paid coins that are not on hold.
    public let paid: Int64
    /// Bonus coins that are not on hold.
    public let bonus: Int64
    /// Coins on hold.
    public let held: Int64
    /// The coins that the user can spend: `paid` + `bonus`, or 0 while there is a debt.
    public let available: Int64
    /// The coins that the user owes because their payment was cancelled.
    public let debt: Int64

    /// Creates a balance.
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

/// The balances of many users, in the order of the request.
public struct BalancesBody: Codable, Hashable, Sendable {
    /// One balance per requested user.
    public let balances: [BalanceBody]

    /// Creates a response with balances.
    public init(balances: [BalanceBody]) {
        self.balances = balances
    }
}

/// A request for the balances of users.
public struct BalanceQuery: Codable, Hashable, Sendable {
    /// The maximum number of users in a request.
    public static let mostUsers = 500

    /// The users.
    ///
    /// - Count: `1...500`
    public let users: [Member.Owner]

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case users
    }

    /// Creates a request for the balances of users.
    public init(users: [String]) {
        self.users = users
    }
}

/// A provider's earnings.
public struct EarningsBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// The number of coins.
    public let coins: Int64

    /// Creates earnings.
    public init(provider: String, coins: Int64) {
        self.provider = provider
        self.coins = coins
    }
}
