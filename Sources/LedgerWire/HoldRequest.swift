/// A request to place a hold.
public struct HoldRequest: Codable, Hashable, Sendable {
    /// The number of coins, at least 1.
    public var coins: Int64
    /// The number of seconds until the hold expires; nil: an hour.
    public var timeout: Int64?
    /// The service's own reference.
    public var reference: String?
    /// The reason.
    public var reason: String?

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
    public var coins: Int64?
    /// The provider who earns the coins; nil: nobody.
    public var provider: String?
    /// What the provider sells, as the provider's terms name it; nil: the terms of all products apply.
    public var product: String?
    /// Whether the rest of the hold returns to the wallet after this capture.
    public var isFinal: Bool?
    /// The reason.
    public var reason: String?

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
    /// The reason, if any.
    public var reason: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates a request to void a hold.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}
