package import Foundation
import Postgres

extension Settlements {
    /// The payments that explain the balance of `gateway:receivable`, in the order in which they were paid.
    ///
    /// Their outstanding amounts add up to it.
    ///
    /// A page is read in one snapshot. All pages of a list are consistent while purchases continue, because the list's
    /// moment is fixed after everything recorded before it is committed: the first page waits for the running batches.
    ///
    /// - Parameter moment: later entries do not count; nil: now.
    package func listOutstanding(
        asOf moment: Date? = nil, after cursor: OutstandingCursor? = nil, limit: Int
    ) async throws(LedgerError) -> OutstandingPage {
        let accounts = receivableAccounts
        return try await reading {
            let asOf =
                if let cursor { cursor.asOf.date } else { try await committedMoment(moment) }
            return try await pools.reads.withConnection { connection in
                try await connection.transaction(mode: "ISOLATION LEVEL REPEATABLE READ READ ONLY") { connection in
                    let (found, balance) = try connection.pipeline(
                        OutstandingPayment.list(
                            asOf: asOf, accounts: accounts, after: cursor, limit: limit),
                        OutstandingPayment.balance(asOf: asOf, accounts: accounts))
                    return OutstandingPage(asOf: asOf, balance: balance, found, limit: limit)
                }
            }
        }
    }

    /// The moment, or now, after everything recorded up to now is committed.
    private func committedMoment(_ moment: Date?) async throws -> Date {
        let now = try await pools.reads.withConnection { try await $0.waitForBatches() }
        return moment ?? now
    }
}

extension OutstandingPage {
    fileprivate init(asOf: Date, balance: Int64, _ found: [OutstandingPayment], limit: Int) {
        let shown = Array(found.prefix(limit))
        let next = shown.last.map {
            OutstandingCursor(asOf: CursorMoment(asOf), paidAt: CursorMoment($0.paidAt), id: $0.purchaseID)
        }
        self.init(asOf: asOf, balance: balance, payments: shown, next: found.count > limit ? next : nil)
    }
}
