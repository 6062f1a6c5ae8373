/// Sets coins of a purchase aside, to be given back for the money they were bought for.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  bonus / Cr held:<user>:bonus  bonus
/// ```
/// Only the purchase's own coins are taken, as far as they are unused, with the part of its given coins that is still
/// there. Then the gateway is asked, and ``CompleteRefund`` or ``ReleaseRefund`` ends it.
public struct BeginRefund: Sendable, Equatable, KeyedCommand {
    /// The caller's key: the same key again is answered with the refund it began.
    public let idempotencyKey: IdempotencyKey
    /// Whose coins.
    public let user: UserID
    /// Which purchase.
    public let purchaseID: Int64
    /// How many of its bought coins; nil: all that can be given back.
    public let coins: Coins?
    /// Why, for people.
    public let explanation: String
    /// Where the money goes, for methods that can't return it by themselves.
    public let account: BankAccount?
    /// What is kept; not a part of what is asked for.
    public let policy: RefundPolicy

    /// A refund to begin.
    public init(
        idempotencyKey: IdempotencyKey, user: UserID, purchaseID: Int64, coins: Coins? = nil, explanation: String,
        account: BankAccount? = nil, policy: RefundPolicy = .free
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.purchaseID = purchaseID
        self.coins = coins
        self.explanation = explanation
        self.account = account
        self.policy = policy
    }

    static let name = "refund"

    var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(purchaseID), coins.map { String($0.count) }, explanation, account?.bank,
            account?.number, account?.holder, account?.phone)
    }
}
