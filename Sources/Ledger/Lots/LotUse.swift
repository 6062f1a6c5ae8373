/// Coins of one lot that an act used.
public struct LotUse: Sendable, Equatable, Codable {
    /// The lot.
    public let lotID: Int64
    /// Whether its coins were bought or given.
    public let kind: LotKind
    /// How many of them.
    public let coins: Int64
    /// The won they were bought for, as far as the act recognised it; 0 where the coins stay the user's.
    public let amount: Int64
}

extension Sequence<LotUse> {
    func coins(_ kind: LotKind) -> Int64 { reduce(0) { $0 + ($1.kind == kind ? $1.coins : 0) } }

    var amount: Int64 { reduce(0) { $0 + $1.amount } }
}
