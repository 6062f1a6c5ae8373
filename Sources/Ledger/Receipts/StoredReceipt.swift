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

extension ReceiptRetries {
    /// The stored receipt with this id.
    package func find(stored id: Int64) async throws(LedgerError) -> StoredReceipt? {
        try await reading { try await pools.writes.run(StoredReceipt.find(id)) }
    }

    /// Makes a waiting receipt due now.
    ///
    /// Who is working on it can't end it any more if another worker takes it: the answer may be older.
    ///
    /// - Returns: whether it waits.
    package func askNow(_ id: Int64) async throws(LedgerError) -> Bool {
        try await reading {
            let update = PostgresQuery<Int>.affected(
                """
                UPDATE receipt_retry SET next_attempt_at = least(next_attempt_at, now())
                WHERE id = $1 AND status = 'waiting'
                """, [id])
            return try await pools.work.run(update) == 1
        }
    }

    /// Abandons a waiting receipt before its time, and adds a note on its user in the same transaction: the gateway is not
    /// asked again.
    ///
    /// It keeps the reason for which it waited. As every abandoned receipt it waits again if its payment is paid after all
    /// (``takeUpAgain(_:)``).
    ///
    /// - Parameters:
    ///   - note: its text for the receipt.
    ///   - person: who writes it.
    /// - Returns: whether it waited.
    package func abandon(
        _ id: Int64, noting note: @Sendable (StoredReceipt) -> String, by person: String
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.work.withConnection { connection in
                try await connection.transaction { connection in
                    guard try connection.run(StoredReceipt.abandon(id)) == 1,
                        let receipt = try connection.run(StoredReceipt.find(id))
                    else { return false }
                    // One note each time that it waited.
                    let key = "stop-receipt/\(id)/\(receipt.decidedAt?.timeIntervalSince1970 ?? 0)"
                    let add = CustomerNotes.insert(note(receipt), on: receipt.user, key: key, by: person, named: person)
                    _ = try connection.run(add)
                    return true
                }
            }
        }
    }
}

extension StoredReceipt {
    /// Ends the waiting, if it waits.
    fileprivate static func abandon(_ id: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE receipt_retry SET status = 'abandoned', lease_holder = NULL, decided_at = now()
            WHERE id = $1 AND status = 'waiting'
            """, [id])
    }

    fileprivate static func find(_ id: Int64) -> PostgresQuery<StoredReceipt?> {
        .first("SELECT \(columns) FROM receipt_retry WHERE id = $1", [id])
    }

    private static let columns = """
        id, \(UserAliases.now("receipt_retry.user_id")), gateway, imp_uid, merchant_uid, payment_id, status, reason, attempts, claimed_at, created_at,
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
