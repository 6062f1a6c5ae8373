import Postgres

/// Counts the coins that each caller granted on a day.
///
/// All processes share the counts.
package struct GrantCounts: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// What became of a grant.
    package enum Counted: Sendable, Equatable {
        /// It is counted, now or before.
        case counted
        /// Its caller would exceed the limit: only these coins may still be granted.
        case tooMany(available: Int64)
        /// Another number of coins is counted under its key.
        case keyReused
    }

    /// Counts a grant before it is posted, unless its caller would exceed `limit` coins on that day.
    ///
    /// The same key is counted once, and only for the coins that it was counted with: otherwise a key that was counted
    /// with one coin could grant any number. A grant stays counted if it is refused afterwards.
    ///
    /// - Parameter day: the day, such as `2026-01-31`.
    package func count(
        _ coins: Coins, under key: CallerKey, on day: String, within limit: Int64
    ) async throws(LedgerError) -> Counted {
        try await reading {
            try await pools.writes.withConnection { connection -> Counted in
                do {
                    return try await connection.transaction { connection -> Counted in
                        guard try connection.run(Self.note(coins, key, day)) == 1 else {
                            return try connection.run(Self.noted(key)).first == coins.count ? .counted : .keyReused
                        }
                        guard try connection.run(Self.add(coins, key, day, limit)) == 1 else { throw Full() }
                        return .counted
                    }
                } catch is Full {
                    let given = try await connection.run(Self.given(key, day)).first ?? 0
                    return .tooMany(available: max(0, limit - given))
                }
            }
        }
    }

    /// Whether a grant is counted under a key.
    func isCounted(_ key: CallerKey) async throws(LedgerError) -> Bool {
        try await reading { try await !pools.lookups.run(Self.noted(key)).isEmpty }
    }

    private struct Full: Error {}

    private static func note(_ coins: Coins, _ key: CallerKey, _ day: String) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO public.grant_counted (caller, key, day, coins) VALUES ($1, $2, $3::text::date, $4)
            ON CONFLICT (caller, key) DO NOTHING
            """, [key.caller.rawValue, key.text, day, coins.count])
    }

    /// The coins that are counted under a key.
    ///
    /// Concurrent grants under a key wait for the one that notes it, and see its coins.
    private static func noted(_ key: CallerKey) -> PostgresQuery<[Int64]> {
        PostgresQuery(
            "SELECT coins FROM public.grant_counted WHERE caller = $1 AND key = $2", [key.caller.rawValue, key.text])
    }

    /// Concurrent grants of a caller wait for the row's lock, and the second one sees the count of the first.
    private static func add(_ coins: Coins, _ key: CallerKey, _ day: String, _ limit: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO public.grant_day AS counted (caller, day, coins)
            SELECT $1, $2::text::date, $3 WHERE $3 <= $4
            ON CONFLICT (caller, day) DO UPDATE SET coins = counted.coins + excluded.coins
                WHERE counted.coins <= $4 - excluded.coins
            """, [key.caller.rawValue, day, coins.count, limit])
    }

    private static func given(_ key: CallerKey, _ day: String) -> PostgresQuery<[Int64]> {
        PostgresQuery(
            "SELECT coins FROM public.grant_day WHERE caller = $1 AND day = $2::text::date", [key.caller.rawValue, day])
    }
}
