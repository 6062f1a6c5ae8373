package import Foundation

/// A second, simple implementation of one user's wallet, written from docs/accounting.md: plain lists, no journal, no
/// accounts.
///
/// Random histories must end with the same coins and won in the ledger as here.
package struct NaiveWallet: Sendable {
    /// Coins that came together.
    package struct Lot: Sendable, Equatable {
        /// Whether they are bonus coins.
        package var isBonus: Bool
        /// The purchase that they came with.
        package var purchase: String?
        /// When they came.
        package var came: Date
        /// When what is left expires.
        package var end: Date?
        /// Coins in the wallet.
        package var free: Int64
        /// Coins held.
        package var held: Int64 = 0
        /// Won not yet recognised.
        package var won: Int64
        /// Coins that expired.
        package var expired: Int64 = 0
        /// Won recognised for those.
        package var breakage: Int64 = 0
    }

    /// Coins that are held.
    package struct Hold: Sendable, Equatable {
        /// The lots, and how many coins of each are still held.
        package var parts: [(lot: Int, coins: Int64)]
        /// When it ends.
        package var end: Date
        /// `open`, `captured`, `voided`, `expired`.
        package var status = "open"
        /// Coins that were captured.
        package var captured: Int64 = 0
        /// Coins that were released.
        package var released: Int64 = 0

        /// Coins that are still held.
        package var left: Int64 { parts.reduce(0) { $0 + $1.coins } }

        /// Whatever their parts are called.
        package static func == (one: Hold, other: Hold) -> Bool {
            one.left == other.left && one.status == other.status && one.captured == other.captured
                && one.released == other.released
        }
    }

    /// A payment and its coins.
    package struct Purchase: Sendable, Equatable {
        /// Won paid.
        package var amount: Int64
        /// Paid coins.
        package var coins: Int64
        /// Bonus coins.
        package var bonus: Int64
        /// Won that were refunded.
        package var back: Int64 = 0
        /// Of those, won that go back by bank transfer.
        package var transferred: Int64 = 0
        /// Paid coins that were taken back.
        package var coinsBack: Int64 = 0
        /// Bonus coins that were taken back, also those that were charged or became debt.
        package var bonusBack: Int64 = 0
        /// Paid coins charged for used bonus coins.
        package var charged: Int64 = 0
        /// Coins that became debt.
        package var owed: Int64 = 0
        /// Coins that were used and came back.
        package var returned: Int64 = 0
    }

    /// Coins that a spend or capture took of a lot and that did not come back.
    package struct Use: Sendable, Equatable {
        /// The place of the lot.
        package var lot: Int
        /// How many.
        package var coins: Int64
        /// Won that were recognised for them.
        package var won: Int64
    }

    /// Coins that are held for a refund.
    package struct Refund: Sendable, Equatable {
        /// The purchase.
        package var purchase: String
        /// Paid coins.
        package var coins: Int64
        /// Bonus coins.
        package var bonus: Int64
        /// Of the paid coins, those charged for used bonus coins.
        package var charged: Int64
        /// The value of the other paid coins, in won.
        package var value: Int64
        /// The part of it that we keep.
        package var fee: Int64
        /// Of the paid coins, those that had expired.
        package var lapsed: Int64 = 0
        /// Won that had been recognised for those.
        package var lapsedWon: Int64 = 0
        /// Of these won, those of coins charged for used bonus coins.
        package var lapsedCharged: Int64 = 0
        /// `pending`, `completed`, `refused`, `approved`, `reversed`.
        package var status = "pending"
        /// Whether it was paid by bank transfer.
        package var isPaid = false
        /// What a refund by bank transfer took of each lot.
        package var taken: [Use] = []

        /// Won that the payer gets.
        package var amount: Int64 { value - fee }
    }

    /// What a dispute took that was booked as lost.
    private struct Loss: Equatable {
        var won: Int64 = 0
        var coins: Int64 = 0
        var bonus: Int64 = 0
        var charged: Int64 = 0
        /// Coins that became debt: bought ones, given ones.
        var owed: [Bool: Int64] = [:]
        /// What earlier losses of the payment had made a debt of, and what of that was owed.
        var earlier: (noted: Int64, owed: Int64) = (0, 0)
        /// What went of each lot: free coins, expired ones, won, and won of expired ones.
        var lots: [Int: (free: Int64, lapsed: Int64, won: Int64, breakage: Int64)] = [:]

        static func == (one: Self, other: Self) -> Bool {
            one.won == other.won && one.coins == other.coins && one.bonus == other.bonus
        }
    }

    /// In the order in which they came.
    package private(set) var lots: [Lot] = []
    /// By the caller's name of them.
    package private(set) var holds: [String: Hold] = [:]
    /// What spends and captures took, in the order of use; by the caller's name of them.
    package private(set) var uses: [String: [Use]] = [:]
    /// By the caller's name of them.
    package private(set) var purchases: [String: Purchase] = [:]
    /// By the caller's name of them.
    package private(set) var refunds: [String: Refund] = [:]
    /// How each dispute stands, by purchase and beginning: `open`, `won`, `lost`.
    package private(set) var disputes: [String: [Date: String]] = [:]
    /// What disputes took that a person booked as lost, by purchase and beginning; nil: nothing was left to take.
    private var booked: [String: [Date: Loss?]] = [:]
    /// What the last claw-back took.
    private var lastLoss: Loss?
    /// The beginnings of disputes that the gateway has resolved, by purchase; not of those that it settled otherwise.
    private var resolved: [String: Set<Date>] = [:]
    /// Coins that are frozen for disputes, by lot.
    private var frozen: [Int: Int64] = [:]
    /// Won that were kept when payments were refunded.
    package private(set) var fees: Int64 = 0
    /// Coins owed.
    package private(set) var debt: Int64 = 0 {
        didSet { if debt == 0, oldValue > 0 { endDebt() } }
    }
    /// Coins that became the present debt, by purchase, and whether some of it was written off.
    private var owedNow: [String: Int64] = [:]
    /// Coins of debts that were paid whole, by purchase.
    private var paidOff: [String: Int64] = [:]
    /// Written-off coins that were owed again and paid, by purchase.
    private var owedAgain: [String: Int64] = [:]
    private var isWrittenOff = false
    /// Owed coins that were written off.
    package private(set) var writtenOff: Int64 = 0
    /// Won that reached the bank for owed coins, less those that were paid for refunds.
    package private(set) var bank: Int64 = 0
    /// Won recognised for coins that were used, less what was taken back.
    package private(set) var revenue: Int64 = 0
    /// Coins that were captured for each provider.
    package private(set) var earned: [String: Int64] = [:]

    /// An empty wallet.
    package init() {}

    /// Paid coins in the wallet.
    package var paid: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? 0 : $1.free) } }
    /// Bonus coins in the wallet.
    package var bonus: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? $1.free : 0) } }
    /// Coins that are held.
    package var held: Int64 { lots.reduce(0) { $0 + $1.held } }
    /// Won not yet recognised.
    package var deferred: Int64 { lots.reduce(0) { $0 + $1.won } }
    /// Won recognised for coins that expired.
    package var breakage: Int64 { lots.reduce(0) { $0 + $1.breakage } }
    /// Won that the gateway has taken and not given back.
    package var receivable: Int64 { purchases.values.reduce(0) { $0 + $1.amount - $1.back + $1.transferred } }
    /// Won that are owed for approved refunds.
    package var payable: Int64 { refunds.values.reduce(0) { $0 + ($1.status == "approved" ? $1.amount : 0) } }

    /// What can be spent at a moment.
    package func available(at now: Date) -> Int64 {
        debt > 0 ? 0 : usable(at: now).reduce(0) { $0 + lots[$1].free }
    }

    /// Whether nothing is owed beside coins that can be used, and of payments that went back whole nothing is left but
    /// what is held, or was held and was owed for.
    package func isSound(at now: Date) -> Bool {
        guard debt == 0 || usable(at: now).isEmpty else { return false }
        return purchases.allSatisfy { name, purchase in
            let own = lots.filter { $0.purchase == name }
            let left = own.reduce(0) { $0 + $1.free }
            return purchase.back < purchase.amount || own.contains { $0.held > 0 }
                || left <= purchase.owed + purchase.returned
        }
    }

    /// The places of the usable lots in the order of use: earliest expiry, bonus before paid, oldest first.
    private func usable(at now: Date) -> [Int] {
        inOrder(lots.indices.filter { lots[$0].free > 0 && (lots[$0].end ?? .distantFuture) > now })
    }

    private func inOrder(_ places: [Int]) -> [Int] {
        places.sorted { one, other in
            let (first, second) = (lots[one], lots[other])
            let ends = (first.end ?? .distantFuture, second.end ?? .distantFuture)
            if ends.0 != ends.1 { return ends.0 < ends.1 }
            if first.isBonus != second.isBonus { return first.isBonus }
            if first.came != second.came { return first.came < second.came }
            return one < other
        }
    }
}

// MARK: - The acts

extension NaiveWallet {
    /// A payment is credited.
    package mutating func purchase(
        _ name: String, coins: Int64, bonus: Int64, won: Int64, end: Date? = nil, bonusEnd: Date? = nil, at now: Date
    ) {
        purchases[name] = Purchase(amount: won, coins: coins, bonus: bonus)
        lots.append(Lot(isBonus: false, purchase: name, came: now, end: end, free: coins, won: won))
        if bonus > 0 {
            lots.append(Lot(isBonus: true, purchase: name, came: now, end: bonusEnd, free: bonus, won: 0))
        }
        payDebt(at: now)
    }

    /// Bonus coins are granted.
    package mutating func grant(coins: Int64, end: Date?, at now: Date) {
        lots.append(Lot(isBonus: true, came: now, end: end, free: coins, won: 0))
        payDebt(at: now)
    }

    /// Nobody owes and has usable coins; those that just came back pay too, should their lot's time be up.
    private mutating func payDebt(with returned: [(lot: Int, coins: Int64)] = [], at now: Date) {
        for place in inOrder(lots.indices.filter { lots[$0].free > 0 }) where debt > 0 {
            let isUsable = (lots[place].end ?? .distantFuture) > now
            let there = isUsable ? lots[place].free : returned.first { $0.lot == place }?.coins ?? 0
            let coins = min(debt, there)
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
    package mutating func spend(_ coins: Int64, as name: String? = nil, at now: Date) -> Bool {
        guard coins <= available(at: now) else { return false }
        var used: [Use] = []
        for (place, coins) in choose(coins, at: now) {
            let won = share(lots[place], coins)
            lots[place].free -= coins
            lots[place].won -= won
            revenue += won
            used.append(Use(lot: place, coins: coins, won: won))
        }
        if let name { uses[name] = used }
        return true
    }

    /// Coins of a spend or capture come back, the last ones used first; nil: all that did not come back yet.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reverse(
        _ name: String, _ coins: Int64?, from provider: String? = nil, grace: Double = 0, at now: Date
    ) -> String? {
        guard var used = uses[name] else { return "noSuchRedemption" }
        let left = used.reduce(0) { $0 + $1.coins }
        guard left > 0 else { return "alreadyReversed" }
        guard coins ?? left <= left else { return "exceedsRedemption" }
        var missing = coins ?? left
        var returned: [(lot: Int, coins: Int64)] = []
        while missing > 0, let use = used.popLast() {
            let back = min(missing, use.coins)
            let won = part(of: use.won, back, of: use.coins)
            if back < use.coins { used.append(Use(lot: use.lot, coins: use.coins - back, won: use.won - won)) }
            missing -= back
            lots[use.lot].free += back
            lots[use.lot].won += won
            revenue -= won
            if let purchase = lots[use.lot].purchase { purchases[purchase]?.returned += back }
            if grace > 0, let end = lots[use.lot].end, end <= now { lots[use.lot].end = now.addingTimeInterval(grace) }
            returned.append((use.lot, back))
        }
        uses[name] = used
        if let provider { earned[provider, default: 0] -= coins ?? left }
        payDebt(with: returned, at: now)
        reverseWriteOff(with: returned)
        return nil
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
    package mutating func hold(_ name: String, _ coins: Int64, until end: Date, at now: Date) -> Bool {
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
    package mutating func capture(
        _ name: String, _ coins: Int64?, for provider: String?, isFinal: Bool, as capture: String? = nil, at now: Date
    ) -> String? {
        guard var hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        guard hold.end > now else { return "holdExpired" }
        let coins = coins ?? hold.left
        guard coins <= hold.left else { return "exceedsHold" }
        var missing = coins
        var used: [Use] = []
        for index in hold.parts.indices {
            let taken = min(missing, hold.parts[index].coins)
            let place = hold.parts[index].lot
            let won = share(lots[place], taken)
            lots[place].held -= taken
            lots[place].won -= won
            revenue += won
            hold.parts[index].coins -= taken
            missing -= taken
            if taken > 0 { used.append(Use(lot: place, coins: taken, won: won)) }
        }
        if let capture { uses[capture] = used }
        hold.captured += coins
        if let provider { earned[provider, default: 0] += coins }
        if hold.left == 0 { hold.status = "captured" }
        holds[name] = hold
        if isFinal && hold.left > 0 { giveBack(name, "captured", at: now) }
        return nil
    }

    /// Coins that were set aside are given back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func void(_ name: String, at now: Date) -> String? {
        guard let hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        giveBack(name, "voided", at: now)
        return nil
    }

    /// A hold ends if its time is up.
    package mutating func expireHold(_ name: String, at now: Date) {
        if let hold = holds[name], hold.status == "open", hold.end <= now { giveBack(name, "expired", at: now) }
    }

    private mutating func giveBack(_ name: String, _ status: String, at now: Date) {
        guard var hold = holds[name] else { return }
        let parts = hold.parts
        for index in hold.parts.indices {
            lots[hold.parts[index].lot].free += hold.parts[index].coins
            lots[hold.parts[index].lot].held -= hold.parts[index].coins
            hold.released += hold.parts[index].coins
            hold.parts[index].coins = 0
        }
        hold.status = status
        holds[name] = hold
        payDebt(with: parts, at: now)
        reverseWriteOff(with: parts)
    }

    /// Coins that came back of a payment that had become debt go again, as many as were written off.
    private mutating func reverseWriteOff(with returned: [(lot: Int, coins: Int64)]) {
        for (place, coins) in returned {
            guard let purchase = lots[place].purchase else { continue }
            let owed = (purchases[purchase]?.owed ?? 0) - paidOff[purchase, default: 0]
            let gone = min(coins, lots[place].free, owed - owedAgain[purchase, default: 0], writtenOff)
            let won = share(lots[place], gone)
            lots[place].free -= gone
            lots[place].won -= won
            revenue += won
            owedAgain[purchase, default: 0] += gone
            writtenOff -= gone
        }
    }

    /// A lot's free coins go if its time is up.
    package mutating func expireLot(_ place: Int, at now: Date) {
        guard let end = lots[place].end, end <= now else { return }
        expire(lots[place].free, at: place)
    }

    private mutating func expire(_ coins: Int64, at place: Int, worth price: Int64? = nil) {
        var lot = lots[place]
        expire(coins, of: &lot, worth: price)
        lots[place] = lot
    }

    private func expire(_ coins: Int64, of lot: inout Lot, worth price: Int64? = nil) {
        let won = coins == lot.free + lot.held ? lot.won : min(lot.won, price ?? share(lot, coins))
        lot.expired += coins
        lot.free -= coins
        lot.won -= won
        lot.breakage += won
    }

    /// Expired coins are there again.
    ///
    /// - Returns: what had been recognised for them.
    private func comeBack(_ coins: Int64, of lot: inout Lot) -> Int64 {
        let won = lapsed(lot, coins)
        lot.expired -= coins
        lot.free += coins
        lot.won += won
        lot.breakage -= won
        return won
    }

    /// What was recognised for expired coins.
    private func lapsed(_ lot: Lot, _ coins: Int64) -> Int64 {
        coins == lot.expired ? lot.breakage : part(of: lot.breakage, coins, of: lot.expired)
    }

    /// How many expired coins of a lot its purchase has money for, beside unused ones.
    private func lapsedRefundable(_ lot: Lot, of bought: Purchase, beside unused: Int64) -> Int64 {
        var coins = max(0, min(lot.expired, bought.coins - bought.coinsBack - bought.charged - unused))
        while coins > 0 && share(lot, unused) + lapsed(lot, coins) > bought.amount - bought.back { coins -= 1 }
        return coins
    }

    /// How many free coins of a lot its purchase has money for.
    private func refundable(_ lot: Lot, of bought: Purchase) -> Int64 {
        var coins = max(0, min(lot.free, bought.coins - bought.coinsBack - bought.charged))
        while coins > 0 && share(lot, coins) > bought.amount - bought.back { coins -= 1 }
        return coins
    }

    /// Unused coins of a purchase, and then expired ones if they are paid for, are set aside to be given back; nil: all
    /// of them.
    ///
    /// - Parameter lapsedPercent: what the payer gets for expired coins; nil: they are not given back.
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func beginRefund(
        _ name: String, of purchase: String, _ asked: Int64?, feePercent: Int64, forgives: Bool = false,
        byTransfer: Bool = false, lapsedPercent: Int64? = nil, at now: Date
    ) -> String? {
        guard let bought = purchases[purchase] else { return "noSuchPurchase" }
        guard !refunds.values.contains(where: { $0.purchase == purchase && $0.status == "pending" }) else {
            return "refundInProgress"
        }
        guard debt == 0 else { return "userInDebt" }
        guard let paid = lots.firstIndex(where: { $0.purchase == purchase && !$0.isBonus }) else {
            return "nothingToRefund"
        }
        var lot = lots[paid]
        let isLate = (lot.end ?? .distantFuture) <= now
        let unused = isLate ? 0 : refundable(lot, of: bought)
        if isLate { expire(lot.free, of: &lot) }
        let all = unused + (lapsedPercent == nil ? 0 : lapsedRefundable(lot, of: bought, beside: unused))
        let coins = asked ?? all
        if all > 0 && coins > all { return "exceedsRefundable" }
        guard coins <= all else { return "nothingToRefund" }
        let lapsed = max(0, coins - unused)
        var taken = lot
        let lapsedWon = comeBack(lapsed, of: &taken)
        let isLast = share(lot, coins - lapsed) + lapsedWon == bought.amount - bought.back
        let gone = isLast ? bought.coins : bought.coinsBack + bought.charged + coins
        let rest = bonusDue(of: bought, gone: gone, lots: purchase, isRefund: true, forgives: forgives, at: now)
        let charged = min(coins, rest.missing)
        let paidFor = max(0, coins - lapsed - charged)
        let lapsedValue = lapsed > 0 ? part(of: lapsedWon, coins - charged - paidFor, of: lapsed) : 0
        let value = share(lot, paidFor) + lapsedValue
        guard value > 0 else { return "nothingToRefund" }
        let bonus = rest.there
        refunds[name] = Refund(
            purchase: purchase, coins: coins, bonus: bonus, charged: charged, value: value,
            fee: part(of: value - lapsedValue, feePercent, of: 100)
                + part(of: lapsedValue, 100 - (lapsedPercent ?? 100), of: 100), lapsed: lapsed,
            lapsedWon: lapsedWon, lapsedCharged: lapsedWon - lapsedValue)
        if lapsed > 0 { lots[paid] = taken }
        setAside(coins, bonus, of: purchase)
        if byTransfer {
            refunds[name].map { takeSetAside(name, $0) }
            refunds[name]?.status = "approved"
            purchases[purchase]?.transferred += value - (refunds[name]?.fee ?? 0)
        }
        return nil
    }

    /// An approved refund is paid.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func payRefund(_ name: String) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.status == "approved" else { return "refundNotApproved" }
        refunds[name]?.status = "completed"
        refunds[name]?.isPaid = true
        bank -= refund.amount
        return nil
    }

    /// A paid refund is paid back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func repayRefund(_ name: String, grace: Double, at now: Date) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.isPaid, refund.status == "completed" else { return "refundNotPaid" }
        guard booked[refund.purchase, default: [:]].isEmpty else { return "disputeDecided" }
        bank += refund.amount
        refunds[name]?.status = "approved"
        return reverseRefund(name, grace: grace, at: now)
    }

    /// An approved refund is taken back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reverseRefund(_ name: String, grace: Double, at now: Date) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.status == "approved", var bought = purchases[refund.purchase] else { return "refundNotApproved" }
        refunds[name]?.status = "reversed"
        for use in refund.taken {
            lots[use.lot].free += use.coins
            lots[use.lot].won += use.won
            bought.returned += use.coins
            let isLapsed = !lots[use.lot].isBonus && refund.lapsed == refund.coins
            if grace > 0, !isLapsed, let end = lots[use.lot].end, end <= now {
                lots[use.lot].end = now.addingTimeInterval(grace)
            }
        }
        revenue -= refund.taken.reduce(0) { $0 + $1.won } - refund.value
        fees -= refund.fee
        bought.back -= refund.amount
        bought.transferred -= refund.amount
        bought.coinsBack -= refund.coins - refund.charged
        bought.bonusBack -= refund.bonus + refund.charged
        bought.charged -= refund.charged
        purchases[refund.purchase] = bought
        payDebt(with: expireAgain(refund), at: now)
        return nil
    }

    /// Owed coins are paid in won, or written off; nil: all of them.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reduceDebt(_ coins: Int64?, for won: Int64? = nil) -> String? {
        guard debt > 0, coins ?? debt <= debt else { return "exceedsDebt" }
        let coins = coins ?? debt
        if won == nil {
            writtenOff += coins
            isWrittenOff = true
        }
        debt -= coins
        revenue += won ?? 0
        bank += won ?? 0
        return nil
    }

    /// Coins of a debt that was paid whole, in coins or won, are the user's if they come back.
    private mutating func endDebt() {
        if !isWrittenOff { paidOff.merge(owedNow, uniquingKeysWith: +) }
        (owedNow, isWrittenOff) = ([:], false)
    }

    /// How many bonus coins are due after so many paid ones went back in all: those in the wallet, those that expired, and
    /// those that are neither and are not forgiven.
    private func bonusDue(
        of bought: Purchase, gone: Int64, lots name: String, isRefund: Bool, forgives: Bool, at now: Date
    ) -> (there: Int64, lapsed: Int64, missing: Int64) {
        guard bought.bonus > 0, let lot = lots.first(where: { $0.purchase == name && $0.isBonus }) else {
            return (0, 0, 0)
        }
        let pending = refunds.values.first { $0.purchase == name && $0.status == "pending" }
        let settled = bought.bonusBack + (pending.map { $0.bonus + $0.charged } ?? 0)
        let due = max(0, part(of: bought.bonus, min(gone, bought.coins), of: bought.coins) - settled)
        // A refund takes only what can be used, and leaves what expired alone.
        let isLate = isRefund && (lot.end ?? .distantFuture) <= now
        let there = min(due, isLate ? 0 : lot.free)
        let lapsed = min(due - there, lot.expired + (isLate ? lot.free : 0))
        let held = lot.held - (pending?.bonus ?? 0)
        let used = max(0, bought.bonus - settled - lot.free - lot.expired - held)
        return (there, lapsed, max(0, due - there - lapsed - (forgives ? used : 0)))
    }

    /// The gateway gave the money back.
    package mutating func completeRefund(_ name: String, at now: Date = .distantPast) {
        guard let refund = refunds[name], refund.status == "pending" else { return }
        takeSetAside(name, refund)
        settle(refund.purchase, freezes: false, at: now)
    }

    /// The coins that a refund set aside are gone.
    private mutating func takeSetAside(_ name: String, _ begun: Refund) {
        var refund = begun
        refund.status = "completed"
        refunds[name] = refund
        var less: Int64 = 0
        for place in lots.indices where lots[place].purchase == refund.purchase {
            if lots[place].isBonus {
                lots[place].held -= refund.bonus
                if refund.bonus > 0 { refund.taken.append(Use(lot: place, coins: refund.bonus, won: 0)) }
                continue
            }
            var others = lots[place]
            others.won = max(0, others.won - refund.lapsedWon)
            others.held -= refund.lapsed
            let charged = min(refund.charged, refund.coins - refund.lapsed)
            let kept = min(lots[place].won, share(others, charged) + refund.lapsedCharged)
            lots[place].held -= refund.coins
            lots[place].won -= kept
            let back = lots[place].free + lots[place].held == 0 ? lots[place].won : min(lots[place].won, refund.value)
            lots[place].won -= back
            less = kept + back
            refund.taken.append(Use(lot: place, coins: refund.coins, won: less))
        }
        refunds[name] = refund
        revenue += less - refund.value
        fees += refund.fee
        purchases[refund.purchase]?.back += refund.value - refund.fee
        purchases[refund.purchase]?.coinsBack += refund.coins - refund.charged
        purchases[refund.purchase]?.bonusBack += refund.bonus + refund.charged
        purchases[refund.purchase]?.charged += refund.charged
    }

    /// The gateway refused.
    package mutating func releaseRefund(_ name: String, at now: Date) {
        guard let refund = refunds[name], refund.status == "pending" else { return }
        refunds[name]?.status = "refused"
        setAside(-refund.coins, -refund.bonus, of: refund.purchase)
        payDebt(with: expireAgain(refund), at: now)
    }

    /// Of the coins that a refund gave back, those that had expired expire again.
    ///
    /// - Returns: the others.
    private mutating func expireAgain(_ refund: Refund) -> [(lot: Int, coins: Int64)] {
        let own = lots.indices.filter { lots[$0].purchase == refund.purchase }
        if let paid = own.first(where: { !lots[$0].isBonus }) {
            expire(refund.lapsed, at: paid, worth: refund.lapsedWon)
        }
        return own.map { place in
            (lot: place, coins: lots[place].isBonus ? refund.bonus : refund.coins - refund.lapsed)
        }
    }

    private mutating func setAside(_ coins: Int64, _ bonus: Int64, of purchase: String) {
        for place in lots.indices where lots[place].purchase == purchase {
            lots[place].free -= lots[place].isBonus ? bonus : coins
            lots[place].held += lots[place].isBonus ? bonus : coins
        }
    }

    /// So much of a payment is cancelled at the gateway in all.
    package mutating func clawBack(
        _ name: String, cancelled: Int64, forgives: Bool = false, freezes: Bool = false, at now: Date
    ) {
        let isFrozen = isFrozen(name)
        guard takeBack(name, cancelled: cancelled, forgives: forgives, at: now) else { return }
        settle(name, freezes: isFrozen || freezes, at: now)
    }

    /// The gateway shows a dispute of a payment.
    ///
    /// - Returns: whether that is news; nil: there is no such payment.
    package mutating func dispute(
        _ name: String, _ beginning: Date, isResolved: Bool, freezes: Bool, at now: Date
    ) -> Bool? {
        guard purchases[name] != nil else { return nil }
        let before = disputes[name]?[beginning]
        if before == nil { disputes[name, default: [:]][beginning] = "open" }
        let isOpen = before ?? "open" == "open"
        if isOpen, isResolved { disputes[name]?[beginning] = "won" }
        let contradictsBooking = before == "lost" && booked[name]?.keys.contains(beginning) == true
        // A loss that a person booked is contradicted once.
        let isContradicted =
            isResolved && (isOpen || contradictsBooking)
            && resolved[name, default: []].insert(beginning).inserted && contradictsBooking
        let isSettled = settle(name, freezes: freezes, at: now)
        return isSettled || isContradicted || disputes[name]?[beginning] != before
    }

    /// A person says how a dispute ended.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func decide(
        _ name: String, _ beginning: Date, isWon: Bool, forgives: Bool, grace: Double = 0, at now: Date
    ) -> String? {
        guard let purchase = purchases[name], let before = disputes[name]?[beginning] else { return "noSuchDispute" }
        if isWon, before == "lost", let loss = booked[name]?[beginning] {
            return winBack(name, beginning, loss, grace: grace, at: now)
        }
        guard before == "open" || before == "won" && !isWon else { return "disputeDecided" }
        let isRefunding = refunds.values.contains {
            $0.purchase == name && ["pending", "approved"].contains($0.status)
        }
        guard isWon || !isRefunding else { return "refundInProgress" }
        let isFrozen = isFrozen(name)
        if !isWon {
            let isTaken = takeBack(name, cancelled: purchase.amount, forgives: forgives, at: now)
            booked[name, default: [:]].updateValue(isTaken ? lastLoss : nil, forKey: beginning)
        }
        disputes[name]?[beginning] = isWon ? "won" : "lost"
        settle(name, freezes: isFrozen, at: now)
        return nil
    }

    /// What a dispute took comes back: it was booked as lost, and is won after all.
    private mutating func winBack(
        _ name: String, _ beginning: Date, _ loss: Loss?, grace: Double, at now: Date
    ) -> String? {
        if let loss {
            guard booked[name]?.count == 1 else { return "disputeNotReversible" }
            let isFrozen = isFrozen(name)
            guard giveBack(loss, of: name, grace: grace, at: now) else { return "disputeNotReversible" }
            booked[name]?[beginning] = nil
            disputes[name]?[beginning] = "won"
            settle(name, freezes: isFrozen, at: now)
            return nil
        }
        booked[name]?.removeValue(forKey: beginning)
        disputes[name]?[beginning] = "won"
        settle(name, freezes: false, at: now)
        return nil
    }

    /// What is still owed, or was written off, is owed no more.
    ///
    /// What was paid comes back as coins of the payment, bought ones first, for the won that the loss took out of revenue.
    private mutating func giveBack(_ loss: Loss, of name: String, grace: Double, at now: Date) -> Bool {
        guard var purchase = purchases[name] else { return false }
        let owed = (bought: loss.owed[false] ?? 0, given: loss.owed[true] ?? 0)
        let open = min(owed.bought + owed.given, debt)
        let noted = purchase.owed - paidOff[name, default: 0] - owedAgain[name, default: 0]
        let off = max(0, min(owed.bought + owed.given - open, noted - open, writtenOff))
        let paid = owed.bought + owed.given - open - off
        let back = [false: min(paid, owed.bought), true: paid - min(paid, owed.bought)]
        let own = lots.indices.filter { lots[$0].purchase == name }
        func coins(_ place: Int) -> Int64 {
            (loss.lots[place].map { $0.free + $0.lapsed } ?? 0) + (back[lots[place].isBonus] ?? 0)
        }
        for place in own {
            let all = lots[place].isBonus ? purchase.bonus : purchase.coins
            guard coins(place) + lots[place].free + lots[place].held + lots[place].expired <= all else { return false }
        }

        var usable: [(lot: Int, coins: Int64)] = []
        var revenueBack = loss.won
        for place in own where coins(place) > 0 {
            let gone = loss.lots[place] ?? (0, 0, 0, 0)
            let used = loss.won - gone.won - gone.breakage
            var won = gone.won + gone.breakage
            if !lots[place].isBonus, used > 0, let bought = back[false], bought > 0 {
                won += max(
                    0,
                    min(
                        part(of: used, bought, of: owed.bought), part(of: purchase.amount, bought, of: purchase.coins),
                        purchase.amount - lots[place].won - lots[place].breakage - won))
            }
            revenueBack -= won
            usable.append((place, coins(place) - gone.lapsed))
            lots[place].free += coins(place)
            lots[place].won += won
            if grace > 0, coins(place) > gone.lapsed, let end = lots[place].end, end <= now {
                lots[place].end = now.addingTimeInterval(grace)
            }
        }
        revenue += revenueBack
        purchase.back -= loss.won
        purchase.coinsBack -= loss.coins
        purchase.bonusBack -= loss.bonus
        purchase.charged -= loss.charged
        purchase.returned += usable.reduce(0) { $0 + $1.coins }
        purchases[name] = purchase
        writtenOff -= off
        if open + off > 0 {
            // What earlier losses of the payment made a debt of stays.
            paidOff[name] = purchase.owed - (owedAgain[name] ?? 0) - min(noted - off, loss.earlier.noted)
            owedNow[name] = min(owedNow[name] ?? 0, loss.earlier.owed)
        }
        debt -= open
        for place in own {
            let gone = loss.lots[place] ?? (0, 0, 0, 0)
            guard gone.lapsed > 0 else { continue }
            expire(gone.lapsed, at: place, worth: lots[place].isBonus ? nil : gone.breakage)
        }
        payDebt(with: usable, at: now)
        return true
    }

    private func isFrozen(_ name: String) -> Bool { frozen.keys.contains { lots[$0].purchase == name } }

    /// Disputes of a payment of which the gateway cancelled the last won are lost; the coins of a payment with an open
    /// one can be frozen.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    private mutating func settle(_ name: String, freezes: Bool, at now: Date) -> Bool {
        guard let purchase = purchases[name] else { return false }
        var open = (disputes[name] ?? [:]).filter { $0.value == "open" }
        let isLost = purchase.back == purchase.amount && purchase.back > purchase.transferred && !open.isEmpty
        if isLost {
            for beginning in open.keys { disputes[name]?[beginning] = "lost" }
            open = [:]
        }
        if !open.isEmpty { return (freezes && freeze(name, at: now)) || isLost }
        let returned = unfreeze(name)
        payDebt(with: returned, at: now)
        return isLost || !returned.isEmpty
    }

    private mutating func freeze(_ name: String, at now: Date) -> Bool {
        let places = lots.indices.filter {
            lots[$0].purchase == name && lots[$0].free > 0 && (lots[$0].end ?? .distantFuture) > now
        }
        for place in places {
            frozen[place, default: 0] += lots[place].free
            lots[place].held += lots[place].free
            lots[place].free = 0
        }
        return !places.isEmpty
    }

    private mutating func unfreeze(_ name: String) -> [(lot: Int, coins: Int64)] {
        let returned = frozen.filter { lots[$0.key].purchase == name }.map { (lot: $0.key, coins: $0.value) }
        for (place, coins) in returned {
            frozen[place] = nil
            lots[place].held -= coins
            lots[place].free += coins
        }
        return returned
    }

    /// - Returns: whether anything was left to take.
    private mutating func takeBack(_ name: String, cancelled: Int64, forgives: Bool, at now: Date) -> Bool {
        guard var purchase = purchases[name] else { return false }
        let cancelled = min(cancelled, purchase.amount)
        let pending = refunds.values.first { $0.purchase == name && $0.status == "pending" }
        let twice = max(0, cancelled + purchase.transferred - purchase.amount)
        let won = cancelled - twice - (purchase.back - purchase.transferred) - (pending.map { $0.value - $0.fee } ?? 0)
        guard won > 0, let paid = lots.firstIndex(where: { $0.purchase == name && !$0.isBonus }) else { return false }
        _ = unfreeze(name)
        let before = lots
        let most = purchase.coins - (pending.map { $0.coins - $0.charged } ?? 0)
        let coins = max(
            0, min(part(of: purchase.coins, purchase.back + won, of: purchase.amount), most) - purchase.coinsBack)
        let unused = takeBack(coins, of: name, isBonus: false, for: won)

        // Paid coins are charged one by one, and each is one more that went.
        var gone = purchase.coinsBack + purchase.charged + (pending?.coins ?? 0) + coins
        func bonusDue(_ gone: Int64) -> (there: Int64, lapsed: Int64, missing: Int64) {
            self.bonusDue(of: purchase, gone: gone, lots: name, isRefund: false, forgives: forgives, at: now)
        }
        let spare = (lots[paid].end ?? .distantFuture) > now ? lots[paid].free : 0
        var charged: Int64 = 0
        while charged < spare && bonusDue(gone + 1).missing > charged {
            charged += 1
            gone += 1
        }
        let bonus = bonusDue(gone)
        let kept = share(lots[paid], charged)
        lots[paid].free -= charged
        lots[paid].won -= kept
        let lapsed = takeBack(bonus.there + bonus.lapsed, of: name, isBonus: true, for: 0)
        debt += bonus.missing - charged
        revenue += kept - (won - unused.won)
        purchase.back += won
        purchase.coinsBack += coins
        purchase.bonusBack += bonus.there + bonus.lapsed + bonus.missing
        purchase.charged += charged
        let owed = unused.owed + lapsed.owed + bonus.missing - charged
        let earlier = (
            noted: purchase.owed - paidOff[name, default: 0] - owedAgain[name, default: 0], owed: owedNow[name] ?? 0
        )
        purchase.owed += owed
        owedNow[name, default: 0] += owed
        purchases[name] = purchase
        lastLoss = Loss(
            won: won, coins: coins, bonus: bonus.there + bonus.lapsed + bonus.missing, charged: charged,
            owed: [false: unused.owed, true: lapsed.owed + bonus.missing - charged], earlier: earlier)
        for place in lots.indices where lots[place].purchase == name {
            lastLoss?.lots[place] = (
                before[place].free - lots[place].free, before[place].expired - lots[place].expired,
                before[place].won - lots[place].won, before[place].breakage - lots[place].breakage
            )
        }
        payDebt(at: now)
        return true
    }

    /// What the wallet does not have of the coins, and what did not expire of them either, becomes debt.
    ///
    /// - Returns: the won that were still deferred, or recognised for expired coins; and what became debt.
    private mutating func takeBack(
        _ coins: Int64, of name: String, isBonus: Bool, for won: Int64
    ) -> (won: Int64, owed: Int64) {
        guard let place = lots.firstIndex(where: { $0.purchase == name && $0.isBonus == isBonus }) else {
            return (0, 0)
        }
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
        let owed = coins - taken - lapsed
        debt += owed
        lots[place].expired -= lapsed
        let rest = max(0, won - less)
        let unearned = lots[place].expired == 0 ? lots[place].breakage : min(lots[place].breakage, rest)
        lots[place].breakage -= unearned
        return (less + unearned, owed)
    }

    private func share(_ lot: Lot, _ coins: Int64) -> Int64 { part(of: lot.won, coins, of: lot.free + lot.held) }

    /// Rounded down; no part of nothing.
    private func part(of amount: Int64, _ part: Int64, of whole: Int64) -> Int64 {
        whole == 0 ? 0 : Int64((Double(amount) * Double(part) / Double(whole) + 1e-7).rounded(.down))
    }
}
