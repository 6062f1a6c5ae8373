package import Foundation
package import Postgres

/// The thresholds of a user's available coins, or of the ledger for all users without thresholds of their own.
///
/// A change of coins that crosses one is the event ``EventType/balanceFellBelow`` or ``EventType/balanceRoseAbove``. The database
/// writes it with the entry that does it (`record_balance_crossings`), so no act needs to know of thresholds.
package struct BalanceAlert: Sendable, Equatable {
    /// The most thresholds in each direction.
    package static let most = 10

    /// A user whose coins fall from one of these or more to less gets an event; ascending.
    package let below: [Int64]
    /// A user whose coins rise from one of these or less to more gets an event; ascending.
    package let above: [Int64]
    /// The caller.
    package let setBy: String
    package let setAt: Date
}

/// Whose thresholds they are.
package enum BalanceAlertOwner: Sendable, Equatable {
    /// Those of all users without thresholds of their own.
    case ledger
    case user(UserID)

    /// As it is stored: no user's id is empty.
    fileprivate var name: String {
        switch self {
        case .ledger: ""
        case .user(let user): user.rawValue
        }
    }
}

/// Keeps the thresholds.
package struct BalanceAlerts: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The thresholds; nil: there are none, and a user has those of the ledger.
    package func find(of owner: BalanceAlertOwner) async throws(LedgerError) -> BalanceAlert? {
        try await reading { try await pools.lookups.run(BalanceAlert.find(of: owner.name)) }
    }

    /// Sets the thresholds in place of others, for entries from now on.
    ///
    /// - Parameters:
    ///   - below: at most ``BalanceAlert/most`` coins of at least 1; without any, falling coins are no event.
    ///   - above: likewise of rising ones.
    package func set(
        below: [Coins], above: [Coins], of owner: BalanceAlertOwner, by caller: String
    ) async throws(LedgerError) -> BalanceAlert {
        func ascending(_ thresholds: [Coins]) -> [Int64] { Set(thresholds.map(\.count)).sorted() }
        let set = BalanceAlert.set(ascending(below), ascending(above), of: owner.name, by: caller)
        return try await reading { try await pools.writes.run(set) }
    }

    /// Removes the thresholds; a user has those of the ledger from now on.
    package func remove(of owner: BalanceAlertOwner) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(BalanceAlert.remove(of: owner.name)) }
    }
}

extension BalanceAlert: PostgresReadable {
    private static let columns = "below, above, set_by, set_at"

    fileprivate static func find(of owner: String) -> PostgresQuery<BalanceAlert?> {
        .first("SELECT \(columns) FROM balance_alert WHERE owner = $1", [owner])
    }

    fileprivate static func set(
        _ below: [Int64], _ above: [Int64], of owner: String, by caller: String
    ) -> PostgresQuery<BalanceAlert> {
        .one(
            """
            INSERT INTO balance_alert (owner, below, above, set_by) VALUES ($1, $2, $3, $4)
            ON CONFLICT (owner) DO UPDATE
            SET below = excluded.below, above = excluded.above, set_by = excluded.set_by, set_at = excluded.set_at
            RETURNING \(columns)
            """, [owner, below, above, caller])
    }

    fileprivate static func remove(of owner: String) -> PostgresQuery<Int> {
        .affected("DELETE FROM balance_alert WHERE owner = $1", [owner])
    }

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> BalanceAlert {
        try row.make(at: &column, BalanceAlert.init)
    }
}
