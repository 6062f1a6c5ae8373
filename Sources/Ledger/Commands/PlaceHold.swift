/// Sets coins aside for someone.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  coins / Cr held:<user>:bonus  coins
/// ```
/// The lots are chosen as for a ``Spend``, and these very coins are captured or given back later: a lot that expires
/// meanwhile keeps what is set aside.
public struct PlaceHold: Sendable, Equatable, KeyedCommand {
    /// How long a hold may last, in seconds: up to 366 days.
    public static let timeouts: ClosedRange<Int64> = 1...31_622_400

    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Whose coins.
    public let user: UserID
    /// How many.
    public let coins: Coins
    /// After how many seconds what is left goes back by itself; one of ``timeouts``.
    public let timeout: Int64
    /// The caller's own name of what it is for.
    public let reference: String?
    /// Why, for people.
    public let reason: String?

    /// A hold to place.
    public init(
        idempotencyKey: IdempotencyKey, user: UserID, coins: Coins, timeout: Int64, reference: String? = nil,
        reason: String? = nil
    ) {
        precondition(Self.timeouts.contains(timeout), "a hold's timeout is 1 second to 366 days")
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.timeout = timeout
        self.reference = reference
        self.reason = reason
    }

    static let name = "hold"

    var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, String(coins.count), String(timeout), reference, reason)
    }
}
