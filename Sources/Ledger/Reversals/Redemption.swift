import Postgres

/// A spend or capture, with the coins of it that did not come back.
package struct Redemption: Sendable, Equatable, Identifiable {
    /// The act that took the coins.
    package enum Act: Sendable, Equatable {
        case spend
        /// A capture of the hold with this id.
        case capture(holdID: Int64)
    }

    /// The journal entry of the spend or capture.
    package let id: Int64
    package let act: Act
    /// Whose coins they were.
    package let user: UserID
    /// Who earned the coins; nil: nobody, they were redeemed.
    package let provider: UserID?
    /// What the provider got of the won; nil: nothing.
    var share: ProviderShare?
    /// What was taken from each lot and did not come back, in the order in which the lots were used.
    var left: [LotUse]
    /// The coins that came back before.
    package var returned: Int64 = 0

    /// The coins that did not come back.
    package var coins: Int64 { left.reduce(0) { $0 + $1.coins } }
}

extension Redemption {
    /// Divides what is left: the coins that were used last come back first.
    ///
    /// So what stays is what a smaller spend or capture would have taken.
    func dividing(returning coins: Int64) -> (returned: [LotUse], left: [LotUse]) {
        var missing = coins
        var returned: [LotUse] = []
        var left: [LotUse] = []
        for use in self.left.reversed() {
            let part = min(missing, use.coins)
            let (back, kept) = use.dividing(part)
            missing -= part
            if back.coins > 0 { returned.append(back) }
            if kept.coins > 0 { left.append(kept) }
        }
        precondition(missing == 0, "no more comes back of a redemption than it has left")
        return (returned, left.reversed())
    }

    /// The coins that go into these lots when so many come back, or all that are left if these are fewer.
    package func coins(of lots: Set<Int64>, amongReturned coins: Int64) -> Int64 {
        dividing(returning: min(coins, self.coins)).returned.reduce(0) { $0 + (lots.contains($1.lotID) ? $1.coins : 0) }
    }
}

extension Redemption {
    /// How many of the coins that are left have a place in these lots, as the act decides it: see ``Plan/lackOfPlace(for:)``.
    func fitting(into lots: [Lot]) -> Int64 {
        let places = Dictionary(lots.map { ($0.id, $0.place) }) { first, _ in first }
        return dividing(returning: coins).returned.fitting { places[$0] }
    }
}

extension Sequence<LotUse> {
    /// How many of these coins can come back, in this order: as many as have a place in their lots.
    ///
    /// Those that come after the first one without a place wait with it, also if they are of other lots: what stays used is
    /// always what a smaller spend would have taken.
    ///
    /// - Parameter place: how many coins can come back into a lot (``Lot/place``); nil: the lot is unknown, and not the reason
    ///   why the act fails.
    func fitting(_ place: (Int64) -> Int64?) -> Int64 {
        var fitting: Int64 = 0
        for use in self {
            let most = place(use.lotID) ?? use.coins
            fitting += Swift.min(use.coins, most)
            if most < use.coins { break }
        }
        return fitting
    }
}

extension LotUse {
    /// A part of the coins with their share of the won, rounded down, and the rest.
    fileprivate func dividing(_ coins: Int64) -> (part: LotUse, rest: LotUse) {
        let amount = self.amount.share(coins, of: self.coins)
        return (
            LotUse(lotID: lotID, kind: kind, coins: coins, amount: amount),
            LotUse(lotID: lotID, kind: kind, coins: self.coins - coins, amount: self.amount - amount)
        )
    }
}

/// A plan's redemptions.
struct PlannedRedemptions: Sendable {
    private var records: [Int64: Redemption]
    /// Returns of coins to insert.
    private(set) var returns: [CoinReturn] = []

    init(_ redemptions: [Redemption]) {
        records = Dictionary(redemptions.map { ($0.id, $0) }) { first, _ in first }
    }

    subscript(id: Int64) -> Redemption? { records[id] }

    /// Notes coins that come back of what is no redemption: of a refund.
    mutating func note(_ returns: [CoinReturn]) { self.returns += returns }

    /// Notes what comes back of a redemption.
    ///
    /// Later acts of the batch see it.
    mutating func change(_ redemption: Redemption, returning returns: [CoinReturn]) {
        records[redemption.id] = redemption
        self.returns += returns
    }
}

extension PlannedRedemptions {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.redemptions.isEmpty else { return [] }
        return [
            Redemption.find(touches.redemptions).into(\.redemptions),
            Redemption.lots(of: touches.redemptions).into(\.lots),
        ]
    }

    /// To be written after the lots' movements and the purchases' reversals: the database checks them against both.
    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(returns, CoinReturn.insert) }
}
