package import Foundation
import Postgres

/// Counts each user's receipts that the gateway did not know.
///
/// All processes share the counts.
package struct ReceiptRefusals: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// A user's count in the current window.
    package struct Count: Sendable, Equatable {
        /// Receipts refused in the window.
        package let refused: Int64
        /// When the window ends.
        ///
        /// The count then starts at zero.
        package let endsAt: Date
    }

    /// Counts a refused receipt of a user.
    ///
    /// - Parameter window: the length of a window, which begins with its first refusal.
    package func add(of user: UserID, window: Duration) async throws(LedgerError) -> Count {
        try await reading {
            try await pools.writes.run(
                .one(
                    """
                    INSERT INTO receipt_refusal AS known (user_id, window_ends_at, refused)
                    VALUES ($1, now() + $2 * interval '1 millisecond', 1)
                    ON CONFLICT (user_id) DO UPDATE
                    SET refused = CASE WHEN known.window_ends_at > now() THEN known.refused ELSE 0 END + 1,
                        window_ends_at = CASE WHEN known.window_ends_at > now()
                            THEN known.window_ends_at ELSE excluded.window_ends_at END
                    RETURNING refused, window_ends_at
                    """,
                    [user.rawValue, window.milliseconds]
                ) { row in try row.make(Count.init) })
        }
    }

    /// Deletes counts whose window has ended.
    ///
    /// - Returns: how many were deleted; `limit` when there may be more.
    package func purge(limit: Int) async throws(LedgerError) -> Int {
        try await reading {
            try await pools.writes.run(
                .one("SELECT purge_receipt_refusals($1)", [Int64(limit)]))
        }
    }
}
