package import Foundation
import Postgres

/// The most that may move in an hour before a finding asks a person why; nil: no limit.
///
/// A caller that holds a stolen token, or a service that repeats itself, shows in the first hour.
package struct HourlyLimits: Sendable, Equatable {
    /// Won that are added to what is owed for unused coins.
    package var liability: Int64?
    /// Bonus coins that are given, by grants and with purchases.
    package var bonus: Int64?
    /// Coins that are spent, or captured for providers.
    package var spends: Int64?

    package init(liability: Int64? = nil, bonus: Int64? = nil, spends: Int64? = nil) {
        self.liability = liability
        self.bonus = bonus
        self.spends = spends
    }

    /// The hours before the one that runs that are looked at.
    static let hoursBack = 24

    package var isEmpty: Bool { self == Self() }

    /// What of an hour is above the limits.
    ///
    /// - Parameter before: what was owed for unused coins at the start of the hour.
    func excesses(of hour: DailyFigures, owedBefore before: Int64) -> [HourlyExcess] {
        let measured: [(Finding.Kind, Int64, limit: Int64?)] = [
            (.liabilityAboveLimit, hour.liability - before, liability),
            (.bonusAboveLimit, hour.coinsPromoted, bonus),
            (.spendsAboveLimit, hour.coinsSpent, spends),
        ]
        return measured.compactMap { kind, moved, limit in
            guard let limit, moved > limit else { return nil }
            return HourlyExcess(kind: kind, hour: hour.from, measured: moved, limit: limit)
        }
    }
}

/// An hour in which more moved than a limit allows.
package struct HourlyExcess: Sendable, Equatable {
    package let kind: Finding.Kind
    /// The start of the hour.
    package let hour: Date
    /// What moved in the hour when it was last looked at; what came back is subtracted.
    package let measured: Int64
    /// The limit when the finding was made.
    package let limit: Int64
}

extension Findings {
    /// Makes a finding of each hour in which more moved than a limit allows, by the time of recording.
    ///
    /// It looks at the hour that runs and those of the day before, so that it also sees what moved just before ledgerd was
    /// stopped. The balances of past hours are looked up once. An hour is one finding of a kind: it has the most that was
    /// measured. Nothing but a person ends it, because what went wrong has gone wrong when the hour is over. It then has what
    /// the person saw, and is opened again when at least as much as the limit has moved since.
    ///
    /// - Returns: what is above a limit now.
    @discardableResult
    package func note(above limits: HourlyLimits, at now: Date) async throws(LedgerError) -> [HourlyExcess] {
        guard !limits.isEmpty else { return [] }
        let hour = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 3600).rounded(.down) * 3600)
        let starts = (-HourlyLimits.hoursBack - 1...0).map { hour + 3600 * Double($0) }
        let hours = try await figures.between(starts + [now], now: now)
        let found = zip(hours, hours.dropFirst()).flatMap { before, hour in
            limits.excesses(of: hour, owedBefore: before.liability)
        }
        guard !found.isEmpty else { return [] }
        try await reading { _ = try await pools.writes.run(HourlyExcess.note(found)) }
        return found
    }
}

extension HourlyExcess {
    fileprivate static func note(_ excesses: [HourlyExcess]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO finding AS known (kinds, hour, measured, hour_limit)
            SELECT ARRAY[kind], hour, measured, hour_limit
            FROM unnest($1::text[], $2::timestamptz[], $3::int8[], $4::int8[]) AS found (kind, hour, measured, hour_limit)
            ORDER BY kind, hour
            ON CONFLICT (kinds, hour) WHERE hour IS NOT NULL DO UPDATE
            SET measured = excluded.measured, resolved_at = NULL
            WHERE known.measured < excluded.measured
                AND (known.resolved_at IS NULL OR excluded.measured - known.measured >= known.hour_limit)
            """,
            [excesses.map(\.kind.rawValue), excesses.map(\.hour), excesses.map(\.measured), excesses.map(\.limit)])
    }
}
