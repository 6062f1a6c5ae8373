public import Foundation

/// One user's wallet, reckoned as the accounting document says and in the plainest way: lists that are walked through,
/// no journal, no accounts.
///
/// Random histories must come to the same in the ledger as here.
public struct NaiveWallet: Sendable {
    /// Coins that came together.
    public struct Lot: Sendable, Equatable {
        /// Whether they were given and not bought.
        public var isBonus: Bool
        /// Which purchase they came of.
        public var purchase: String?
        /// When what is left expires.
        public var end: Date?
        /// Coins in the wallet.
        public var free: Int64
        /// Coins held.
        public var held: Int64 = 0
        /// Won not yet recognised.
        public var won: Int64
        /// Coins that expired.
        public var expired: Int64 = 0
        /// Won recognised for those.
        public var breakage: Int64 = 0
    }

    /// Coins set aside.
    public struct Hold: Sendable, Equatable {
        /// Of which lots, and how many of each are still set aside.
        public var parts: [(lot: Int, coins: Int64)]
        /// When it ends.
        public var end: Date
        /// `open`, `captured`, `voided`, `expired`.
        public var status = "open"
        /// How many were taken.
        public var captured: Int64 = 0
        /// How many were given back.
        public var released: Int64 = 0

        /// How many are still set aside.
        public var left: Int64 { parts.reduce(0) { $0 + $1.coins } }

        /// Whatever their parts are called.
        public static func == (one: Hold, other: Hold) -> Bool {
            one.left == other.left && one.status == other.status && one.captured == other.captured
                && one.released == other.released
        }
    }

    /// A payment that became coins.
    public struct Purchase: Sendable, Equatable {
        /// Won paid.
        public var amount: Int64
        /// Coins bought.
        public var coins: Int64
        /// Coins given on top.
        public var bonus: Int64
        /// Won that went back.
        public var back: Int64 = 0
        /// Bought coins that were taken back.
        public var coinsBack: Int64 = 0
        /// Given coins that were taken back.
        public var bonusBack: Int64 = 0
    }

    /// Coins set aside to be given back for their money.
    public struct Refund: Sendable, Equatable {
        /// Of which purchase.
        public var purchase: String
        /// Bought coins.
        public var coins: Int64
        /// Given coins.
        public var bonus: Int64
        /// Won the bought coins were worth.
        public var value: Int64
        /// Won of them that we keep.
        public var fee: Int64
        /// `pending`, `completed`, `refused`.
        public var status = "pending"
    }

    /// In the order in which they came.
    public private(set) var lots: [Lot] = []
    /// By the caller's name of them.
    public private(set) var holds: [String: Hold] = [:]
    /// By the caller's name of them.
    public private(set) var purchases: [String: Purchase] = [:]
    /// By the caller's name of them.
    public private(set) var refunds: [String: Refund] = [:]
    /// Won that were kept when payments were refunded.
    public private(set) var fees: Int64 = 0
    /// Coins owed.
    public private(set) var debt: Int64 = 0
    /// Won recognised for coins that were used, less what was taken back.
    public private(set) var revenue: Int64 = 0
    /// Coins that were captured for each provider.
    public private(set) var earned: [String: Int64] = [:]

    /// An empty wallet.
    public init() {}

    /// Bought coins in the wallet.
    public var paid: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? 0 : $1.free) } }
    /// Given coins in the wallet.
    public var bonus: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? $1.free : 0) } }
    /// Coins set aside.
    public var held: Int64 { lots.reduce(0) { $0 + $1.held } }
    /// Won not yet recognised.
    public var deferred: Int64 { lots.reduce(0) { $0 + $1.won } }
    /// Won recognised for coins that expired.
    public var breakage: Int64 { lots.reduce(0) { $0 + $1.breakage } }
    /// Won that the gateway has taken and not given back.
    public var receivable: Int64 { purchases.values.reduce(0) { $0 + $1.amount - $1.back } }

    /// What can be spent at a moment.
    public func available(at now: Date) -> Int64 {
        debt > 0 ? 0 : usable(at: now).reduce(0) { $0 + lots[$1].free }
    }

    /// Earliest expiry, given before bought, oldest first: the places of the lots.
    private func usable(at now: Date) -> [Int] {
        lots.indices.filter { lots[$0].free > 0 && (lots[$0].end ?? .distantFuture) > now }.sorted { one, other in
            let (first, second) = (lots[one], lots[other])
            let ends = (first.end ?? .distantFuture, second.end ?? .distantFuture)
            if ends.0 != ends.1 { return ends.0 < ends.1 }
            if first.isBonus != second.isBonus { return first.isBonus }
            return one < other
        }
    }
}

// MARK: - The acts

extension NaiveWallet {
    /// A payment becomes coins.
    public mutating func purchase(
        _ name: String, coins: Int64, bonus: Int64, won: Int64, end: Date? = nil, bonusEnd: Date? = nil, at now: Date
    ) {
        purchases[name] = Purchase(amount: won, coins: coins, bonus: bonus)
        var new = [lots.count]
        lots.append(Lot(isBonus: false, purchase: name, end: end, free: coins, won: won))
        if bonus > 0 {
            new.append(lots.count)
            lots.append(Lot(isBonus: true, purchase: name, end: bonusEnd, free: bonus, won: 0))
        }
        payDebt(outOf: new, at: now)
    }

    /// Coins are given.
    public mutating func grant(coins: Int64, end: Date?, at now: Date) {
        lots.append(Lot(isBonus: true, end: end, free: coins, won: 0))
        payDebt(outOf: [lots.count - 1], at: now)
    }

    private mutating func payDebt(outOf new: [Int], at now: Date) {
        for place in usable(at: now) where new.contains(place) && debt > 0 {
            let coins = min(debt, lots[place].free)
            let won = share(lots[place], coins)
            lots[place].free -= coins
            lots[place].won -= won
            revenue += won
            debt -= coins
        }
    }

    /// Coins are used up.
    ///
    /// - Returns: whether there were enough.
    public mutating func spend(_ coins: Int64, at now: Date) -> Bool {
        guard coins <= available(at: now) else { return false }
        for (place, coins) in choose(coins, at: now) {
            let won = share(lots[place], coins)
            lots[place].free -= coins
            lots[place].won -= won
            revenue += won
        }
        return true
    }

    private func choose(_ coins: Int64, at now: Date) -> [(lot: Int, coins: Int64)] {
        var missing = coins
        return usable(at: now).compactMap { place in
            let taken = min(missing, lots[place].free)
            missing -= taken
            return taken > 0 ? (place, taken) : nil
        }
    }

    /// Coins are set aside.
    ///
    /// - Returns: whether there were enough.
    public mutating func hold(_ name: String, _ coins: Int64, until end: Date, at now: Date) -> Bool {
        guard coins <= available(at: now) else { return false }
        let parts = choose(coins, at: now)
        for (place, coins) in parts {
            lots[place].free -= coins
            lots[place].held += coins
        }
        holds[name] = Hold(parts: parts, end: end)
        return true
    }

    /// Coins that were set aside are taken; nil: all of them.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    public mutating func capture(
        _ name: String, _ coins: Int64?, for provider: String?, isFinal: Bool, at now: Date
    ) -> String? {
        guard var hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        guard hold.end > now else { return "holdExpired" }
        let coins = coins ?? hold.left
        guard coins <= hold.left else { return "exceedsHold" }
        var missing = coins
        for index in hold.parts.indices {
            let taken = min(missing, hold.parts[index].coins)
            let place = hold.parts[index].lot
            let won = share(lots[place], taken)
            lots[place].held -= taken
            lots[place].won -= won
            revenue += won
            hold.parts[index].coins -= taken
            missing -= taken
        }
        hold.captured += coins
        if let provider { earned[provider, default: 0] += coins }
        if hold.left == 0 { hold.status = "captured" }
        holds[name] = hold
        if isFinal && hold.left > 0 { giveBack(name, "captured") }
        return nil
    }

    /// Coins that were set aside are given back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    public mutating func void(_ name: String) -> String? {
        guard let hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        giveBack(name, "voided")
        return nil
    }

    /// A hold ends if its time is up.
    public mutating func expireHold(_ name: String, at now: Date) {
        if let hold = holds[name], hold.status == "open", hold.end <= now { giveBack(name, "expired") }
    }

    private mutating func giveBack(_ name: String, _ status: String) {
        guard var hold = holds[name] else { return }
        for index in hold.parts.indices {
            lots[hold.parts[index].lot].free += hold.parts[index].coins
            lots[hold.parts[index].lot].held -= hold.parts[index].coins
            hold.released += hold.parts[index].coins
            hold.parts[index].coins = 0
        }
        hold.status = status
        holds[name] = hold
    }

    /// A lot's free coins go if its time is up.
    public mutating func expireLot(_ place: Int, at now: Date) {
        guard let end = lots[place].end, end <= now else { return }
        let won = share(lots[place], lots[place].free)
        lots[place].expired += lots[place].free
        lots[place].free = 0
        lots[place].won -= won
        lots[place].breakage += won
    }

    /// Unused coins of a purchase are set aside to be given back; nil: all of them.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    public mutating func beginRefund(
        _ name: String, of purchase: String, _ asked: Int64?, feePercent: Int64, at now: Date
    ) -> String? {
        guard let bought = purchases[purchase] else { return "noSuchPurchase" }
        guard !refunds.values.contains(where: { $0.purchase == purchase && $0.status == "pending" }) else {
            return "refundInProgress"
        }
        guard debt == 0 else { return "userInDebt" }
        let usable = lots.indices.filter { lots[$0].purchase == purchase && (lots[$0].end ?? .distantFuture) > now }
        guard let paid = usable.first(where: { !lots[$0].isBonus }) else { return "nothingToRefund" }
        var unused = min(lots[paid].free, bought.coins - bought.coinsBack)
        while unused > 0 && share(lots[paid], unused) > bought.amount - bought.back { unused -= 1 }
        let coins = asked ?? unused
        if unused > 0 && coins > unused { return "exceedsRefundable" }
        let value = coins <= unused ? share(lots[paid], coins) : 0
        guard value > 0 else { return "nothingToRefund" }
        var bonus: Int64 = 0
        if let place = usable.first(where: { lots[$0].isBonus }) {
            let due = part(of: bought.bonus, bought.coinsBack + coins, of: bought.coins) - bought.bonusBack
            bonus = min(lots[place].free, max(0, due))
        }
        refunds[name] = Refund(
            purchase: purchase, coins: coins, bonus: bonus, value: value, fee: part(of: value, feePercent, of: 100))
        setAside(coins, bonus, of: purchase)
        return nil
    }

    /// The gateway gave the money back.
    public mutating func completeRefund(_ name: String) {
        guard var refund = refunds[name], refund.status == "pending" else { return }
        refund.status = "completed"
        refunds[name] = refund
        var less: Int64 = 0
        for place in lots.indices where lots[place].purchase == refund.purchase {
            lots[place].held -= lots[place].isBonus ? refund.bonus : refund.coins
            guard !lots[place].isBonus else { continue }
            less = lots[place].free + lots[place].held == 0 ? lots[place].won : min(lots[place].won, refund.value)
            lots[place].won -= less
        }
        revenue += less - refund.value
        fees += refund.fee
        purchases[refund.purchase]?.back += refund.value - refund.fee
        purchases[refund.purchase]?.coinsBack += refund.coins
        purchases[refund.purchase]?.bonusBack += refund.bonus
    }

    /// The gateway refused.
    public mutating func releaseRefund(_ name: String) {
        guard let refund = refunds[name], refund.status == "pending" else { return }
        refunds[name]?.status = "refused"
        setAside(-refund.coins, -refund.bonus, of: refund.purchase)
    }

    private mutating func setAside(_ coins: Int64, _ bonus: Int64, of purchase: String) {
        for place in lots.indices where lots[place].purchase == purchase {
            lots[place].free -= lots[place].isBonus ? bonus : coins
            lots[place].held += lots[place].isBonus ? bonus : coins
        }
    }

    /// So much of a payment is cancelled at the gateway in all.
    public mutating func clawBack(_ name: String, cancelled: Int64) {
        guard var purchase = purchases[name] else { return }
        let cancelled = min(cancelled, purchase.amount)
        let pending = refunds.values.first { $0.purchase == name && $0.status == "pending" }
        let won = cancelled - purchase.back - (pending.map { $0.value - $0.fee } ?? 0)
        guard won > 0 else { return }
        func due(_ all: Int64, _ taken: Int64, _ aside: Int64) -> Int64 {
            let then = part(of: all, purchase.back, of: purchase.amount)
            let now = part(of: all, purchase.back + won, of: purchase.amount)
            return max(0, min(now - max(taken, then), all - taken - aside))
        }
        let coins = due(purchase.coins, purchase.coinsBack, pending?.coins ?? 0)
        let bonus = due(purchase.bonus, purchase.bonusBack, pending?.bonus ?? 0)
        let notUsed =
            takeBack(coins, of: name, isBonus: false, for: won) + takeBack(bonus, of: name, isBonus: true, for: 0)
        purchase.back += won
        purchase.coinsBack += coins
        purchase.bonusBack += bonus
        purchases[name] = purchase
        revenue -= won - notUsed
    }

    /// What the wallet does not have of the coins, and what did not expire of them either, becomes debt.
    ///
    /// - Returns: the won that were still deferred, or recognised for expired coins.
    private mutating func takeBack(_ coins: Int64, of name: String, isBonus: Bool, for won: Int64) -> Int64 {
        guard let place = lots.firstIndex(where: { $0.purchase == name && $0.isBonus == isBonus }) else { return 0 }
        let free = lots[place].free
        let taken = min(coins, free)
        var less: Int64 = 0
        if free > 0 {
            let mine = share(lots[place], free)
            less = taken == free ? mine : min(mine, won)
            lots[place].free -= taken
            lots[place].won -= less
        }
        let lapsed = min(coins - taken, lots[place].expired)
        debt += coins - taken - lapsed
        lots[place].expired -= lapsed
        let rest = max(0, won - less)
        let unearned = lots[place].expired == 0 ? lots[place].breakage : min(lots[place].breakage, rest)
        lots[place].breakage -= unearned
        return less + unearned
    }

    private func share(_ lot: Lot, _ coins: Int64) -> Int64 { part(of: lot.won, coins, of: lot.free + lot.held) }

    /// Rounded down; no part of nothing.
    private func part(of amount: Int64, _ part: Int64, of whole: Int64) -> Int64 {
        whole == 0 ? 0 : Int64((Double(amount) * Double(part) / Double(whole) + 1e-7).rounded(.down))
    }
}
