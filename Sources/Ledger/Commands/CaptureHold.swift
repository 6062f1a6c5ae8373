/// Takes coins that were set aside: to a provider's earnings, or as redeemed.
///
/// ```
/// Dr held:<user>:paid        coins / Cr earnings:<provider> (or coins:redeemed)  coins
/// Dr held:<user>:bonus       coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins                            won
/// ```
public struct CaptureHold: Sendable, Equatable, KeyedCommand {
    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Whose coins.
    public let user: UserID
    /// Which hold.
    public let holdID: Int64
    /// How many; nil: all that are still set aside.
    public let coins: Coins?
    /// Who earns them; nil: nobody, they are redeemed.
    public let provider: UserID?
    /// Whether what is still set aside afterwards goes back to the wallet, because no other capture will come.
    public let isFinal: Bool
    /// Why, for people.
    public let reason: String?

    /// A capture to make.
    public init(
        idempotencyKey: IdempotencyKey, user: UserID, holdID: Int64, coins: Coins? = nil, provider: UserID? = nil,
        isFinal: Bool = false, reason: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.holdID = holdID
        self.coins = coins
        self.provider = provider
        self.isFinal = isFinal
        self.reason = reason
    }

    static let name = "capture"

    var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(holdID), coins.map { String($0.count) }, provider?.rawValue,
            String(isFinal), reason)
    }
}
