/// Takes what the wallet still has of a lot whose time is up.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr coins:expired      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:breakage   won
/// ```
/// It takes effect at the lot's own time. The lot is the key: one that has nothing left, or whose time is not up, stays
/// as it is.
public struct ExpireLot: Sendable, Equatable {
    /// Whose coins.
    public let user: UserID
    /// Which lot.
    public let lotID: Int64

    /// A lot to look at.
    public init(user: UserID, lotID: Int64) {
        self.user = user
        self.lotID = lotID
    }
}
