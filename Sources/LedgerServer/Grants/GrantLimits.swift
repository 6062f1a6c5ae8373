import CivilTime
import Foundation
package import Ledger
import Timing

/// The limits of grants.
package struct GrantLimits: Sendable {
    /// The maximum number of coins of one grant; nil: no limit.
    let perGrant: Int64?
    /// The maximum number of coins that one caller can grant per day; nil: no limit.
    let perDay: Int64?
    /// The most coins of a campaign that needs no second person.
    let perPerson: Int64
    /// The time zone of days.
    let timeZone: TimeZone

    init(_ values: SettingValues) throws(ConfigurationError) {
        perGrant = try values[Settings.coins.grantLimit]
        perDay = try values[Settings.coins.grantDailyLimit]
        perPerson = Int64(try values[Settings.console.grantLimit])
        timeZone = try values[Settings.books.timeZone]
    }

    /// Checks the coins of one grant.
    ///
    /// - Throws: `grant_limit_exceeded`.
    package func check(_ coins: Coins) throws(Problem) {
        guard let perGrant, coins.count > perGrant else { return }
        throw Problem.grantLimitExceeded(coins.count, available: perGrant, "in one grant")
    }

    /// Checks the coins of each user of a campaign, and adds its budget to the caller's count of the day.
    ///
    /// - Throws: `grant_limit_exceeded`.
    func check(_ draft: CampaignDraft, by caller: UserID, in ledger: Ledger) async throws {
        try check(draft.mostPerUser)
        guard perDay != nil, let key = draft.key(of: caller) else { return }
        try await count(draft.budget, key, in: ledger, now: Time.current.now)
    }

    /// Checks a grant and adds it to the caller's count of the day.
    ///
    /// - Throws: `grant_limit_exceeded`; `idempotency_key_reused` for a key that was counted with other coins.
    func check(_ coins: Coins, _ key: CallerKey, in ledger: Ledger, now: Date = Time.current.now) async throws {
        try check(coins)
        try await count(coins, key, in: ledger, now: now)
    }

    private func count(_ coins: Coins, _ key: CallerKey, in ledger: Ledger, now: Date) async throws {
        guard let perDay else { return }
        let day = CivilDate(of: now, in: timeZone).description
        switch try await ledger.grantCounts.count(coins, under: key, on: day, within: perDay) {
        case .counted: break
        case .tooMany(let available): throw Problem.grantLimitExceeded(coins.count, available: available, "today")
        case .keyReused:
            // A grant that was counted and not booked has no recorded time.
            let use = try await ledger.firstUse(of: key)
            throw use == nil ? Problem.keyReused(for: Grant.name, at: nil) : Problem.keyReused(use)
        }
    }
}

extension Problem {
    static func grantLimitExceeded(
        _ coins: Int64, available: Int64, _ when: String, of what: String = "grant"
    ) -> Problem {
        Problem(
            .grantLimitExceeded, "the \(what) has \(coins) coins, but \(available) are allowed \(when)",
            members: ["required": .integer(coins), "available": .integer(available)])
    }
}
