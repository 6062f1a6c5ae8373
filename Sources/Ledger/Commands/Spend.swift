/// Uses a user's coins up.
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr coins:redeemed  coins
/// Dr wallet:<user>:bonus     coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins   won
/// ```
/// The coins come from the user's lots in the ledger's ``LotOrder``; the won are what those coins were bought for. Lots
/// that have expired, and all lots of a user in debt, are not there to be spent.
public struct Spend: Sendable, Equatable, KeyedCommand {
    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Whose coins.
    public let user: UserID
    /// How many.
    public let coins: Coins
    /// The caller's own name of what they are spent on.
    public let reference: String?
    /// Why, for people.
    public let reason: String?

    /// A spend to make.
    public init(
        idempotencyKey: IdempotencyKey, user: UserID, coins: Coins, reference: String? = nil, reason: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reference = reference
        self.reason = reason
    }

    static let name = "spend"

    var fingerprint: Fingerprint { Fingerprint(Self.name, user.rawValue, String(coins.count), reference, reason) }
}
