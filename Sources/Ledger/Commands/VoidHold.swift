/// Gives coins that were set aside, and are not captured, back to the wallet.
///
/// ```
/// Dr held:<user>:paid   coins / Cr wallet:<user>:paid   coins
/// Dr held:<user>:bonus  coins / Cr wallet:<user>:bonus  coins
/// ```
public struct VoidHold: Sendable, Equatable, KeyedCommand {
    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Whose coins.
    public let user: UserID
    /// Which hold.
    public let holdID: Int64
    /// Why, for people.
    public let reason: String?

    /// A hold to void.
    public init(idempotencyKey: IdempotencyKey, user: UserID, holdID: Int64, reason: String? = nil) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.holdID = holdID
        self.reason = reason
    }

    static let name = "void"

    var fingerprint: Fingerprint { Fingerprint(Self.name, user.rawValue, String(holdID), reason) }
}
