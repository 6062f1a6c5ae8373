/// A request to place a hold.
public struct HoldRequest: Codable, Hashable, Sendable {
    /// The number of coins.
    public var coins: Member.Amount
    /// The number of seconds until the hold expires and its coins return to the wallet; nil: an hour.
    ///
    /// - Range: `1...31622400`
    /// - Default: `3600`
    public var timeout: Int64?
    /// The service's own reference.
    public var reference: Member.Text?
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reference, reason
        case timeout = "timeout_seconds"
    }

    /// Creates a request to place a hold.
    public init(coins: Int64, timeout: Int64? = nil, reference: String? = nil, reason: String? = nil) {
        self.coins = coins
        self.timeout = timeout
        self.reference = reference
        self.reason = reason
    }
}

/// A request to capture coins of a hold; by default all remaining coins, without a provider.
public struct CaptureRequest: Codable, Hashable, Sendable {
    /// The number of coins; nil: all that remain.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// The provider who earns the coins; nil: nobody, the coins are redeemed.
    public var provider: Member.Owner?
    /// What the provider sells, as the provider's terms name it; only with `provider`; nil: the terms of all products
    /// apply.
    public var product: Member.Text?
    /// Whether the rest of the hold returns to the wallet after this capture.
    ///
    /// - Default: `false`
    public var isFinal: Bool?
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, provider, product, reason
        case isFinal = "final"
    }

    /// Creates a request to capture coins.
    public init(
        coins: Int64? = nil, provider: String? = nil, product: String? = nil, isFinal: Bool? = nil,
        reason: String? = nil
    ) {
        self.coins = coins
        self.provider = provider
        self.product = product
        self.isFinal = isFinal
        self.reason = reason
    }
}

/// A request to void a hold.
public struct VoidRequest: Codable, Hashable, Sendable {
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates a request to void a hold.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}
