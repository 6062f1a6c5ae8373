import CivilTime
import Foundation
import Ledger
import LedgerServer

/// What the books moved on each day of a period, by the time at which it is effective, as in the reports.
///
/// It is read from the sums of days (``AccountDays``), so a year costs about as much as a week.
struct DailyBooks: Sendable {
    let days: [CivilDate]
    let coinsSold: [Int64]
    let bonusGiven: [Int64]
    let coinsSpent: [Int64]
    let coinsExpired: [Int64]
    /// Won recognised for spent coins; of captures for a provider whose agent we are, the commission.
    let revenue: [Int64]
    let breakage: [Int64]
    /// Won owed to users for unused coins at the end of each day.
    let liability: [Int64]
    /// Whether entries are missing that should be in the sums by now.
    let isBehind: Bool

    private static let accounts = [
        "coins:issued", "coins:promotions", "coins:redeemed", "coins:expired", "earnings", "revenue:coins",
        "revenue:commission", "revenue:breakage", "coins:deferred-revenue",
    ]

    /// Reads the days from `first` to before `end`.
    ///
    /// - Parameter now: as for ``AccountDays/upToDate(daysOf:from:to:in:at:)``.
    static func read(
        from books: AccountDays, first: CivilDate, end: CivilDate, in timeZone: TimeZone, at now: Date
    ) async throws -> DailyBooks {
        DailyBooks(
            try await books.upToDate(daysOf: accounts, from: first, to: end, in: timeZone, at: now), first: first,
            end: end)
    }

    init(_ sums: AccountDays.Sums, first: CivilDate, end: CivilDate) {
        let (moved, opening) = (sums.days, sums.totals)
        isBehind = sums.isBehind
        let numbers = first.daysSince1970..<max(first.daysSince1970, end.daysSince1970)
        let byName = Dictionary(grouping: moved) { $0.account.name }
        func flow(_ names: String...) -> [Int64] {
            var flow = [Int64](repeating: 0, count: numbers.count)
            for name in names {
                for row in byName[name] ?? [] where numbers.contains(row.day.daysSince1970) {
                    flow[Int(row.day.daysSince1970 - numbers.lowerBound)] &+= row.moved.net(of: name)
                }
            }
            return flow
        }
        days = numbers.map { CivilDate(daysSince1970: $0) }
        coinsSold = flow("coins:issued")
        bonusGiven = flow("coins:promotions")
        coinsSpent = flow("coins:redeemed", "earnings")
        coinsExpired = flow("coins:expired")
        revenue = flow("revenue:coins", "revenue:commission")
        breakage = flow("revenue:breakage")
        let deferred = "coins:deferred-revenue"
        var level = opening.first { $0.account.name == deferred }?.opening.net(of: deferred) ?? 0
        liability = flow(deferred).map { change in
            level &+= change
            return level
        }
    }

    /// The last days, and as many before them.
    func split(last count: Int) -> (before: Range<Int>, period: Range<Int>) {
        let start = max(0, days.count - count)
        return (0..<start, start..<days.count)
    }
}

extension ChainTotal {
    /// The balance of an account with these sums, on its normal side.
    func net(of account: String) -> Int64 { net(on: BookAccount.named(account)?.normalSide ?? .debit) }

    /// - Parameter side: the side that increases the balance.
    func net(on side: Side) -> Int64 { side == .debit ? debits &- credits : credits &- debits }
}
