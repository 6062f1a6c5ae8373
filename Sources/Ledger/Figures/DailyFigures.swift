package import Foundation
import Postgres

/// What happened in the books in a span of time, usually a day, by the time of recording.
///
/// Returned coins and money are subtracted.
package struct DailyFigures: Sendable, Equatable {
    /// The start of the span.
    package let from: Date
    /// The end of the span, which is not in it.
    package let to: Date
    /// Paid coins issued, less those that refunds and claw-backs took back.
    package let coinsSold: Int64
    /// Bonus coins issued, less those that were taken back.
    package let coinsPromoted: Int64
    /// Coins redeemed, or captured for providers, less those that reversals gave back.
    package let coinsSpent: Int64
    package let coinsExpired: Int64
    /// Won recognised for spent coins; of captures for a provider whose agent we are, the commission.
    package let revenue: Int64
    /// Won recognised for expired coins.
    package let breakage: Int64
    /// Won kept of refunds.
    package let refundFees: Int64
    /// Won owed to users for unused coins, at the end of the span.
    package let liability: Int64
}

/// The VAT that was booked in a span of time, in won; returned VAT is subtracted.
package struct BookedVAT: Sendable, Equatable {
    /// What is owed to the tax office, also for coins that are not used yet.
    package let output: Int64
    /// What the tax office owes us for the gateway's fees.
    package let input: Int64
}

/// Reads figures for finance from the balances after postings, so that a year costs about as much as a day.
package struct Figures: Sendable {
    let pools: Pools
    let chart: SystemChart
    private let known = KnownBalances()

    init(_ pools: Pools, chart: SystemChart) {
        self.pools = pools
        self.chart = chart
    }

    /// The figures between each two neighbouring moments, which are ascending.
    ///
    /// The balances of a moment that is an hour ago never change, so they are looked up once.
    package func between(_ moments: [Date], now: Date) async throws(LedgerError) -> [DailyFigures] {
        let balances = try await balances(at: moments, now: now)
        return zip(moments, moments.map { balances[$0] ?? Balances() }).adjacentPairs { start, end in
            func change(_ account: SystemAccount) -> Int64 { end.1[account] - start.1[account] }
            return DailyFigures(
                from: start.0, to: end.0, coinsSold: change(.coinsIssued), coinsPromoted: change(.coinsPromotions),
                coinsSpent: change(.coinsRedeemed) + end.1.earnings - start.1.earnings,
                coinsExpired: change(.coinsExpired),
                revenue: change(.revenue) + change(.commission),
                breakage: change(.breakage), refundFees: change(.refundFees), liability: end.1[.deferredRevenue])
        }
    }

    /// The VAT that was booked from a moment until now, by the time of recording.
    ///
    /// The balances at the moment are looked up once; those of now are in the accounts.
    package func vat(since start: Date, now: Date) async throws(LedgerError) -> BookedVAT {
        let before = try await balances(at: [start], now: now)[start] ?? Balances()
        let present = try await accounts()
        func change(_ account: SystemAccount) -> Int64 {
            (present.first { $0.account == account }?.balance ?? 0) - before[account]
        }
        return BookedVAT(output: change(.vatPayable), input: change(.vatInput))
    }

    /// The balances at a moment.
    fileprivate struct Balances {
        var accounts: [SystemAccount: Int64] = [:]
        /// The coins of all providers.
        var earnings: Int64 = 0

        subscript(account: SystemAccount) -> Int64 { accounts[account] ?? 0 }
    }

    private func balances(at moments: [Date], now: Date) async throws(LedgerError) -> [Date: Balances] {
        var balances = await known.balances
        let asked = moments.filter { balances[$0] == nil }
        guard !asked.isEmpty else { return balances }
        let accounts = Self.accounts.map { account in (account, chart.ids(of: account)) }
        let (found, earnings) = try await reading {
            try await pools.reads.withConnection { connection in
                try await connection.pipeline(
                    Self.balances(of: accounts.flatMap(\.1), before: asked), Self.earnings(before: asked))
            }
        }
        for (place, moment) in asked.enumerated() {
            var sums = Balances(earnings: earnings[place])
            for (account, ids) in accounts {
                sums.accounts[account] = ids.reduce(0) { $0 + (found[place][$1] ?? 0) }
            }
            balances[moment] = sums
            if moment < now.addingTimeInterval(-3600) { await known.keep(sums, at: moment) }
        }
        return balances
    }

    private static let accounts: [SystemAccount] = [
        .coinsIssued, .coinsPromotions, .coinsRedeemed, .coinsExpired, .revenue, .commission, .breakage, .refundFees,
        .deferredRevenue, .vatPayable, .vatInput,
    ]
}

/// Balances at past moments that no later entry can change.
private actor KnownBalances {
    private(set) var balances: [Date: Figures.Balances] = [:]
    /// About three years of days.
    private let most = 1200

    func keep(_ sums: Figures.Balances, at moment: Date) {
        if balances.count >= most { balances.removeAll() }
        balances[moment] = sums
    }
}

extension Figures {
    /// The balances of accounts after what was recorded before each of the moments, by account.
    fileprivate static func balances(of accounts: [Int64], before moments: [Date]) -> PostgresQuery<[[Int64: Int64]]> {
        let count = moments.count
        return PostgresQuery<[(Int64, Int64, Int64)]>(
            """
            SELECT place, posting.account_id, posting.balance
            FROM unnest($1::int8[]) AS asked (account_id)
            CROSS JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS moment (instant, place)
            JOIN posting ON posting.account_id = asked.account_id
                AND posting.seq = posting_seq_as_of(asked.account_id, instant - interval '1 microsecond')
            """, [accounts, moments]
        ) { row in (try row[0], try row[1], try row[2]) }
        .map { rows in
            var balances = [[Int64: Int64]](repeating: [:], count: count)
            for (place, account, balance) in rows { balances[Int(place) - 1][account] = balance }
            return balances
        }
    }

    /// The coins of all providers after what was recorded before each of the moments.
    ///
    /// There can be many providers. Only those that earned since a moment are looked up.
    fileprivate static func earnings(before moments: [Date]) -> PostgresQuery<[Int64]> {
        PostgresQuery(
            """
            SELECT coalesce(sum(CASE WHEN account.posted_at < instant THEN account.balance ELSE posting.balance END), 0)
                ::bigint
            FROM unnest($1::timestamptz[]) WITH ORDINALITY AS moment (instant, place)
            LEFT JOIN account ON account.owner IS NOT NULL AND account.code LIKE 'earnings:%'
            LEFT JOIN posting ON posting.account_id = account.id AND posting.seq = CASE
                WHEN account.posted_at >= instant
                THEN posting_seq_as_of(account.id, instant - interval '1 microsecond') END
            GROUP BY place ORDER BY place
            """, [moments])
    }
}

extension Sequence {
    /// The results of a closure for each two neighbours.
    fileprivate func adjacentPairs<Result>(_ transform: (Element, Element) -> Result) -> [Result] {
        zip(self, dropFirst()).map(transform)
    }
}
