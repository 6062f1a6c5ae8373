/// What a service sets aside of a user's coins.
public struct HoldRequest: Encodable, Hashable, Sendable {
    /// How many coins, 1 at least.
    public var coins: Int64
    /// After how many seconds what remains goes back by itself; nil: an hour.
    public var timeout: Int64?
    /// The service's own name for what it is for.
    public var reference: String?
    /// Why they are set aside.
    public var reason: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reference, reason
        case timeout = "timeout_seconds"
    }

    /// Sets coins aside.
    public init(coins: Int64, timeout: Int64? = nil, reference: String? = nil, reason: String? = nil) {
        self.coins = coins
        self.timeout = timeout
        self.reference = reference
        self.reason = reason
    }
}

/// What of a hold is taken, and by whom; nothing said: all that is left, by nobody.
public struct CaptureRequest: Encodable, Hashable, Sendable {
    /// How many coins; nil: all that remain.
    public var coins: Int64?
    /// Who earns them; nil: nobody, they are used up.
    public var provider: String?
    /// Whether what remains after it goes back at once.
    public var isFinal: Bool?
    /// Why they are taken.
    public var reason: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, provider, reason
        case isFinal = "final"
    }

    /// Takes coins that are set aside.
    public init(coins: Int64? = nil, provider: String? = nil, isFinal: Bool? = nil, reason: String? = nil) {
        self.coins = coins
        self.provider = provider
        self.isFinal = isFinal
        self.reason = reason
    }
}

/// Why a hold is voided.
public struct VoidRequest: Encodable, Hashable, Sendable {
    /// Why; nil: nothing is said.
    public var reason: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Gives back what a hold sets aside.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}
