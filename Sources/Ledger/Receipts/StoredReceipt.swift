package import Foundation
package import Postgres

/// A receipt that could not be decided when it was presented, and what became of it.
package struct StoredReceipt: Sendable, Equatable, Identifiable {
    /// What became of it.
    package enum Status: String, Sendable, CaseIterable {
        /// The gateway is asked again.
        case waiting
        /// The payment was credited.
        case credited
        /// The gateway, the shop or the ledger refused it.
        case refused
        /// The gateway did not decide in time.
        case abandoned
    }

    package let id: Int64
    /// Who presented it.
    package let user: UserID
    package let payment: PaymentIdentity
    package let status: Status
    /// Why it waits, or why it was decided.
    package let reason: String
    /// How often the gateway was asked again since ``createdAt``.
    package let attempts: Int64
    /// When the user presented the payment first.
    package let claimedAt: Date
    /// When it began to wait.
    package let createdAt: Date
    /// When the gateway is asked next; nil: it is decided.
    package let nextAttemptAt: Date?
    /// When it was decided; nil: it waits.
    package let decidedAt: Date?
}

extension ReceiptRetries {
    /// The user's stored receipts, the latest first.
    ///
    /// - Parameter status: only receipts with this status; nil: all.
    package func list(
        of user: UserID, _ status: StoredReceipt.Status? = nil, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<StoredReceipt, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                StoredReceipt.history(of: user, status, after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }
}

extension ReceiptRetries {
    /// The receipts that wait, of all users, oldest first.
    ///
    /// - Parameter reason: only receipts that wait for this reason; nil: all.
    package func listWaiting(
        because reason: String? = nil, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<StoredReceipt, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(StoredReceipt.waiting(because: reason, after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }
}

extension StoredReceipt {
    private static let columns = """
        id, user_id, gateway, imp_uid, merchant_uid, payment_id, status, reason, attempts, claimed_at, created_at,
        CASE WHEN status = 'waiting' THEN next_attempt_at END, decided_at
        """

    /// Waiting receipts, oldest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func waiting(
        because reason: String?, after cursor: After<Int64>?, limit: Int
    ) -> PostgresQuery<[StoredReceipt]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM receipt_retry
            WHERE status = 'waiting' AND id > $1 AND ($2::text IS NULL OR reason = $2)
            ORDER BY id
            LIMIT $3
            """,
            [cursor?.id ?? 0, reason, Int64(limit + 1)])
    }

    /// A user's receipts, the latest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func history(
        of user: UserID, _ status: Status?, after cursor: After<Int64>?, limit: Int
    ) -> PostgresQuery<[StoredReceipt]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM receipt_retry
            WHERE user_id = $1 AND id < $2 AND ($3::text IS NULL OR status = $3)
            ORDER BY id DESC
            LIMIT $4
            """,
            [user.rawValue, cursor?.id ?? Int64.max, status?.rawValue, Int64(limit + 1)])
    }
}

extension StoredReceipt: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> StoredReceipt {
        try row.make(at: &column, StoredReceipt.init)
    }
}

extension StoredReceipt.Status: PostgresRawRepresentable {}
