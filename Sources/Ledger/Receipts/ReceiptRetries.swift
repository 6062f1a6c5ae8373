import Foundation
import Postgres

/// The receipts that wait for the gateway, shared by all processes on the database.
public struct ReceiptRetries: Sendable {
    /// The most receipts of one user that may wait: invented ones must not fill the table while the gateway is away.
    public static let mostPerUser: Int64 = 32

    /// What became of a kept receipt in the end.
    public enum Decision: String, Sendable {
        /// It is a purchase now.
        case credited
        /// The gateway, the shop or the ledger said no.
        case refused
        /// The gateway never decided.
        case abandoned
    }

    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Keeps a receipt, to be asked again after `delay`.
    ///
    /// One that is kept already is not kept twice.
    ///
    /// - Returns: false when the user has too many waiting; it was not kept.
    public func keep(
        _ payment: PaymentIdentity, of user: UserID, because reason: String, askAgainAfter delay: Duration
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pool.run(WaitingReceipt.keep(payment, of: user, because: reason, askAgainAfter: delay)) == 1
        }
    }

    /// Takes receipts that are due, and puts their next turn `lease` ahead, so that no other process takes them
    /// meanwhile and a crash only delays them.
    public func takeDue(limit: Int, lease: Duration) async throws(LedgerError) -> [WaitingReceipt] {
        try await reading { try await pool.run(WaitingReceipt.takeDue(limit: limit, lease: lease)) }
    }

    /// Has the receipt asked again after `delay`.
    public func postpone(
        _ receipt: WaitingReceipt, because reason: String, by delay: Duration
    ) async throws(LedgerError) {
        try await reading { _ = try await pool.run(receipt.postpone(because: reason, by: delay)) }
    }

    /// Ends the receipt's waiting.
    public func decide(
        _ receipt: WaitingReceipt, _ decision: Decision, because reason: String
    ) async throws(LedgerError) {
        try await reading { _ = try await pool.run(receipt.decide(decision, because: reason)) }
    }

    /// How many receipts wait, of all users.
    public func waiting() async throws(LedgerError) -> Int {
        try await reading { try await pool.run(WaitingReceipt.count).first ?? 0 }
    }
}
