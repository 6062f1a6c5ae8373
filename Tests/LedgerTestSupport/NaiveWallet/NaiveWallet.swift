package import Foundation

/// A second, simple implementation of one user's wallet, written from docs/accounting.md: plain lists, no journal, no
/// accounts.
///
/// Random histories must end with the same coins and won in the ledger as here.
package struct NaiveWallet: Sendable {
    /// Coins that were acquired together.
    package struct Lot: Sendable, Equatable {
        /// Whether they are bonus coins.
        package var isBonus: Bool
        /// The purchase that they are part of.
        package var purchase: String?
        /// When they were acquired.
        package var acquiredAt: Date
        /// When what is left expires.
        package var expiresAt: Date?
        /// Coins in the wallet.
        package var remaining: Int64
        /// Coins held.
        package var held: Int64 = 0
        /// Won not yet recognised.
        package var won: Int64
        /// Coins that expired.
        package var expired: Int64 = 0
        /// Won recognised for those.
        package var breakage: Int64 = 0
        /// Whether all that was in the wallet of a grant was voided once: what comes back later is voided, too.
        package var isVoided = false
        /// Whether they are of a campaign whose coins can't be given away.
        package var isFixed = false
    }

    /// Coins that are held.
    package struct Hold: Sendable, Equatable {
        /// The lots, and how many coins of each are still held.
        package var parts: [(lot: Int, coins: Int64)]
        /// When it ends.
        package var expiresAt: Date
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
        package var refundedAmount: Int64 = 0
        /// Of those, won that go back by bank transfer.
        package var transferred: Int64 = 0
        /// Paid coins that were taken back.
        package var refundedCoins: Int64 = 0
        /// Bonus coins that were taken back, also those that were charged or became debt.
        package var refundedBonusCoins: Int64 = 0
        /// Paid coins charged for used bonus coins.
        package var charged: Int64 = 0
        /// Coins that became debt.
        package var owed: Int64 = 0
        /// Coins that were used and came back.
        package var returned: Int64 = 0
        /// Whether coins of it were given to others: nothing here knows how they come back.
        package var isGiven = false
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
    struct Loss: Equatable {
        var won: Int64 = 0
        var coins: Int64 = 0
        var bonus: Int64 = 0
        var charged: Int64 = 0
        /// Coins that became debt: bonus coins (`true`) and paid ones.
        var owed: [Bool: Int64] = [:]
        /// What earlier losses of the payment had made a debt of, and what of that was owed.
        var earlier: (noted: Int64, owed: Int64) = (0, 0)
        /// What was taken of each lot: remaining coins, expired ones, won, and won of expired ones.
        var lots: [Int: (remaining: Int64, lapsed: Int64, won: Int64, breakage: Int64)] = [:]

        static func == (one: Self, other: Self) -> Bool {
            one.won == other.won && one.coins == other.coins && one.bonus == other.bonus
        }
    }

    /// In the order in which they were acquired.
    package internal(set) var lots: [Lot] = []
    /// By the caller's name of them.
    package internal(set) var holds: [String: Hold] = [:]
    /// What spends and captures took, in the order of use; by the caller's name of them.
    package internal(set) var uses: [String: [Use]] = [:]
    /// By the caller's name of them.
    package internal(set) var purchases: [String: Purchase] = [:]
    /// By the caller's name of them.
    package internal(set) var refunds: [String: Refund] = [:]
    /// How each dispute stands, by purchase and beginning: `open`, `won`, `lost`.
    package internal(set) var disputes: [String: [Date: String]] = [:]
    /// What disputes took that a person booked as lost, by purchase and beginning; nil: nothing was left to take.
    var booked: [String: [Date: Loss?]] = [:]
    /// What claw-backs took that no person booked and no store took back, by purchase, the last at the end.
    var standing: [String: [Loss]] = [:]
    /// What the last claw-back took.
    var lastLoss: Loss?
    /// The beginnings of disputes that the gateway has resolved, by purchase; not of those that it settled otherwise.
    var resolved: [String: Set<Date>] = [:]
    /// Coins that are frozen for disputes, by lot.
    var frozen: [Int: Int64] = [:]
    /// Won that were kept when payments were refunded.
    package internal(set) var fees: Int64 = 0
    /// Coins owed.
    package internal(set) var debt: Int64 = 0 {
        didSet { if debt == 0, oldValue > 0 { endDebt() } }
    }
    /// Coins that became the present debt, by purchase, and whether some of it was written off.
    var owedNow: [String: Int64] = [:]
    /// Coins of debts that were paid whole, by purchase.
    var paidOff: [String: Int64] = [:]
    /// Written-off coins that were owed again and paid, by purchase.
    var owedAgain: [String: Int64] = [:]
    var isWrittenOff = false
    /// Owed coins that were written off.
    package internal(set) var writtenOff: Int64 = 0
    /// Coins that were granted and not voided.
    package internal(set) var granted: Int64 = 0
    /// Won that reached the bank for owed coins, less those that were paid for refunds.
    package internal(set) var bank: Int64 = 0
    /// Won recognised for coins that were used, less what was taken back.
    package internal(set) var revenue: Int64 = 0
    /// Coins that were captured for each provider.
    package internal(set) var earned: [String: Int64] = [:]

    /// An empty wallet.
    package init() {}

    /// Paid coins in the wallet.
    package var paid: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? 0 : $1.remaining) } }
    /// Bonus coins in the wallet.
    package var bonus: Int64 { lots.reduce(0) { $0 + ($1.isBonus ? $1.remaining : 0) } }
    /// Coins that are held.
    package var held: Int64 { lots.reduce(0) { $0 + $1.held } }
    /// Won not yet recognised.
    package var deferred: Int64 { lots.reduce(0) { $0 + $1.won } }
    /// Won recognised for coins that expired.
    package var breakage: Int64 { lots.reduce(0) { $0 + $1.breakage } }
    /// Won that the gateway has taken and not given back.
    package var receivable: Int64 { purchases.values.reduce(0) { $0 + $1.amount - $1.refundedAmount + $1.transferred } }
    /// Won that are owed for approved refunds.
    package var payable: Int64 { refunds.values.reduce(0) { $0 + ($1.status == "approved" ? $1.amount : 0) } }

    /// What can be spent at a moment.
    package func available(at now: Date) -> Int64 {
        debt > 0 ? 0 : usable(at: now).reduce(0) { $0 + lots[$1].remaining }
    }

    /// Whether nothing is owed beside coins that can be used, and of payments that went back whole nothing is left but
    /// what is held, or was held and was owed for.
    package func isSound(at now: Date) -> Bool {
        guard debt == 0 || usable(at: now).isEmpty else { return false }
        return purchases.allSatisfy { name, purchase in
            let own = lots.filter { $0.purchase == name }
            let left = own.reduce(0) { $0 + $1.remaining }
            return purchase.refundedAmount < purchase.amount || own.contains { $0.held > 0 }
                || left <= purchase.owed + purchase.returned
        }
    }

    /// The places of the usable lots in the order of use: earliest expiry, bonus before paid, oldest first.
    func usable(at now: Date) -> [Int] {
        inOrder(lots.indices.filter { lots[$0].remaining > 0 && (lots[$0].expiresAt ?? .distantFuture) > now })
    }

    func inOrder(_ places: [Int]) -> [Int] {
        places.sorted { one, other in
            let (first, second) = (lots[one], lots[other])
            let ends = (first.expiresAt ?? .distantFuture, second.expiresAt ?? .distantFuture)
            if ends.0 != ends.1 { return ends.0 < ends.1 }
            if first.isBonus != second.isBonus { return first.isBonus }
            if first.acquiredAt != second.acquiredAt { return first.acquiredAt < second.acquiredAt }
            return one < other
        }
    }
}

extension NaiveWallet {
    /// A payment is credited.
    package mutating func purchase(
        _ name: String, coins: Int64, bonus: Int64, won: Int64, expiresAt: Date? = nil, bonusExpiresAt: Date? = nil,
        at now: Date
    ) {
        purchases[name] = Purchase(amount: won, coins: coins, bonus: bonus)
        lots.append(
            Lot(isBonus: false, purchase: name, acquiredAt: now, expiresAt: expiresAt, remaining: coins, won: won))
        if bonus > 0 {
            lots.append(
                Lot(isBonus: true, purchase: name, acquiredAt: now, expiresAt: bonusExpiresAt, remaining: bonus, won: 0)
            )
        }
        payDebt(at: now)
    }

    /// Bonus coins are granted.
    ///
    /// - Parameter isFixed: whether they can't be given away.
    package mutating func grant(coins: Int64, expiresAt: Date?, isFixed: Bool = false, at now: Date) {
        lots.append(
            Lot(isBonus: true, acquiredAt: now, expiresAt: expiresAt, remaining: coins, won: 0, isFixed: isFixed))
        granted += coins
        payDebt(at: now)
    }

    func share(_ lot: Lot, _ coins: Int64) -> Int64 { part(of: lot.won, coins, of: lot.remaining + lot.held) }

    /// Rounded down; no part of nothing.
    func part(of amount: Int64, _ part: Int64, of whole: Int64) -> Int64 {
        whole == 0 ? 0 : Int64((Double(amount) * Double(part) / Double(whole) + 1e-7).rounded(.down))
    }
}
