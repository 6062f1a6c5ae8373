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

    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        perGrant = try values.value(ConfigurationKeys.grantLimit)
        perDay = try values.value(ConfigurationKeys.grantDailyLimit)
        timeZone = try values.required(ConfigurationKeys.timeZone)
    }

    /// Counts a grant.
    ///
    /// - Throws: `grant_limit_exceeded`.
    func check(_ coins: Coins, _ key: CallerKey, in ledger: Ledger, now: Date = Date()) async throws {
        if let perGrant, coins.count > perGrant {
            throw Problem.grantLimitExceeded(coins.count, available: perGrant, "in one grant")
        }
        guard let perDay else { return }
        if let left = try await ledger.grantCounts.count(coins, under: key, on: day(of: now), within: perDay) {
            throw Problem.grantLimitExceeded(coins.count, available: left, "today")
        }
    }

    private func day(of now: Date) -> String {
        let local = Int64(now.timeIntervalSince1970.rounded(.down)) + Int64(timeZone.secondsFromGMT(for: now))
        return CivilDate(daysSince1970: local.flooredDivision(by: 86_400).quotient).description
    }
}

extension Problem {
    fileprivate static func grantLimitExceeded(_ coins: Int64, available: Int64, _ when: String) -> Problem {
        Problem(
            .grantLimitExceeded, "\(coins) coins are to be given, \(available) may be \(when)",
            members: ["required": .integer(coins), "available": .integer(available)])
    }
}
