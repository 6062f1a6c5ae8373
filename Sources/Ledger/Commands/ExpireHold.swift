/// Gives what a hold still sets aside back to the wallet, because its time is up: the entry of ``VoidHold``.
///
/// The hold is the key: one that is closed, or whose time is not up, stays as it is.
public struct ExpireHold: Sendable, Equatable {
    /// Whose coins.
    public let user: UserID
    /// Which hold.
    public let holdID: Int64

    /// A hold to look at.
    public init(user: UserID, holdID: Int64) {
        self.user = user
        self.holdID = holdID
    }
}
