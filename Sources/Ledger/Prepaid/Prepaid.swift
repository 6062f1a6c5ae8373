import CivilTime
package import Foundation
import Postgres
import Timing

/// Prepaid means: what users have paid for and not used, and what is kept apart for them.
///
/// `docs/prepaid.md` says which article of the law each figure follows.
package struct Prepaid: Sendable {
    private let pools: Pools
    private let figures: Figures

    init(_ pools: Pools, figures: Figures) {
        self.pools = pools
        self.figures = figures
    }

    /// Enters what a custodian held.
    ///
    /// - Parameter key: of the request: one that is sent twice is one balance.
    /// - Returns: nil when another balance has the key.
    package func enter(
        _ draft: CustodyBalanceDraft, key: String, by caller: String
    ) async throws(LedgerError) -> CustodyEntered? {
        let add = CustodyBalance.add(draft, key: key, by: caller)
        return try await reading {
            if let entered = try await pools.writes.run(add) { return entered }
            // A repeat that waited for the first request does not see its row; another statement does.
            return try await pools.writes.run(add)
        }
    }

    /// When the caller entered a balance under a key; nil: no such balance.
    package func entered(under key: String, by caller: String) async throws(LedgerError) -> Date? {
        try await reading { try await pools.writes.run(CustodyBalance.entered(under: key, by: caller)) }
    }

    /// The custody balances, the last entered first.
    package func listBalances(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<CustodyBalance, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(CustodyBalance.list(before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// What must be kept apart now, and what is.
    package func safeguard(
        _ rules: PrepaidRules, at now: Date = Time.current.now
    ) async throws(LedgerError) -> Safeguard {
        // An empty span, whose end has the balance.
        let outstanding = try await figures.between([now, now], now: now).first?.liability ?? 0
        return try await reading {
            try await pools.reads.withConnection { connection in
                let (bonus, custody) = try await connection.pipeline(Self.bonusCoins, CustodyBalance.latest)
                return Safeguard(
                    outstanding: outstanding, bonusCoins: bonus,
                    required: rules.safeguarded(outstanding: outstanding, bonusCoins: bonus), custody: custody)
            }
        }
    }

    /// The figures that are compared with the law's limits.
    ///
    /// Issued won are counted purchase by purchase, by the time of payment.
    ///
    /// - Parameter timeZone: of the quarters, which are those of the calendar year.
    package func status(
        _ rules: PrepaidRules, at now: Date = Time.current.now, in timeZone: TimeZone
    ) async throws(LedgerError) -> PrepaidStatus {
        let quarters = Self.quarters(until: now, in: timeZone)
        let figures = try await figures.between(quarters, now: now)
        let yearAgo = Self.yearBefore(now, in: timeZone)
        let bounds = Set(quarters + [yearAgo]).sorted()
        let sales = try await self.figures.sales(between: bounds)
        func issued(_ from: Date, _ to: Date) -> Int64 {
            sales.reduce(0) { $0 + ($1.day >= from && $1.day < to && $1.currency == .won ? $1.amount : 0) }
        }
        return PrepaidStatus(
            at: now, safeguard: try await safeguard(rules, at: now),
            quarters: figures.map {
                .init(from: $0.from, to: $0.to, outstanding: $0.liability, issued: issued($0.from, $0.to))
            },
            issuedInTwelveMonths: issued(yearAgo, now), rules: rules)
    }

    /// Opens the finding about custody if too little is kept apart, and resolves it if enough is.
    package func updateFinding(_ safeguard: Safeguard) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(safeguard.isShort ? Self.openFinding : Self.closeFinding) }
    }
}

extension Prepaid {
    private static let bonusCoins = PostgresQuery<Int64>.one(
        "SELECT coalesce(sum(remaining + held), 0)::bigint FROM lot WHERE is_open AND kind = 'bonus'")

    private static let openFinding = PostgresQuery<Int>.affected(
        """
        INSERT INTO finding (kinds) VALUES ('{custody_short}')
        ON CONFLICT (kinds) WHERE kinds = '{custody_short}' DO UPDATE SET resolved_at = NULL
        WHERE finding.resolved_at IS NOT NULL
        """)

    private static let closeFinding = PostgresQuery<Int>.affected(
        "UPDATE finding SET resolved_at = now() WHERE kinds = '{custody_short}' AND resolved_at IS NULL")

    /// The starts of the quarters from January of the year before, and the moment.
    private static func quarters(until now: Date, in zone: TimeZone) -> [Date] {
        let year = CivilDate(of: now, in: zone).year
        let starts = [year - 1, year].flatMap { year in
            [1, 4, 7, 10].compactMap { CivilDate(year: year, month: $0, day: 1) }
        }.map { Date(timeIntervalSince1970: Double(zone.startOfDay($0.daysSince1970))) }
        return starts.filter { $0 < now } + [now]
    }

    /// The same time of day a year before, to the second; 28 February for 29 February.
    private static func yearBefore(_ now: Date, in zone: TimeZone) -> Date {
        let today = CivilDate(of: now, in: zone)
        let before =
            CivilDate(year: today.year - 1, month: today.month, day: today.day)
            ?? CivilDate(daysSince1970: today.daysSince1970 - 366)
        func start(_ day: CivilDate) -> Double { Double(zone.startOfDay(day.daysSince1970)) }
        return Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down) - start(today) + start(before))
    }
}
