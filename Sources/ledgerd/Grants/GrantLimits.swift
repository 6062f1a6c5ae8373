import CivilTime
import Foundation
import Ledger

/// How much a caller may give.
struct GrantLimits: Sendable {
    /// The most coins of one grant; nil: as many as one act can move.
    let perGrant: Int64?
    /// The most coins that one caller gives on a day; nil: any number.
    let perDay: Int64?
    /// Where days begin.
    let timeZone: TimeZone

    init(_ values: SettingValues) throws(ConfigurationError) {
        perGrant = try values[Settings.coins.grantLimit]
        perDay = try values[Settings.coins.grantDailyLimit]
        timeZone = try values[Settings.books.timeZone]
    }

    /// Counts a grant.
    ///
    /// - Throws: `grant_limit_exceeded`.
    func check(_ coins: Coins, _ key: CallerKey, in ledger: Ledger, now: Date = Date()) async throws {
        if let perGrant, coins.count > perGrant {
            throw Problem.grantLimitExceeded(coins.count, available: perGrant, "in one grant")
        }
        guard let perDay else { return }
        if let left = try await ledger.grantCounts.count(
            coins, under: key, on: CivilDate(of: now, in: timeZone).description, within: perDay)
        {
            throw Problem.grantLimitExceeded(coins.count, available: left, "today")
        }
    }
}

extension Problem {
    fileprivate static func grantLimitExceeded(_ coins: Int64, available: Int64, _ when: String) -> Problem {
        Problem(
            .grantLimitExceeded, "\(coins) coins are to be given, \(available) may be \(when)",
            members: ["required": .integer(coins), "available": .integer(available)])
    }
}
