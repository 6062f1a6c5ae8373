package import Foundation
import Postgres

extension Settlements {
    /// The payments that explain what `gateway:receivable` holds: each with what is still to come of it, together the
    /// account's balance.
    ///
    /// A page is read from one snapshot. All pages of a list say the same while purchases go on, because its moment is
    /// fixed when nothing that was recorded before can still be committed: the first page waits for the batches that are
    /// under way.
    ///
    /// - Parameter moment: what was recorded later does not count; nil: now.
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
                            asOf: asOf, accounts: accounts, after: cursor?.id ?? 0, limit: limit),
                        OutstandingPayment.balance(asOf: asOf, accounts: accounts))
                    return OutstandingPage(asOf: asOf, balance: balance, found, limit: limit)
                }
            }
        }
    }

    /// The moment, or now, when all that was recorded until now is committed.
    private func committedMoment(_ moment: Date?) async throws -> Date {
        let now = try await pools.reads.withConnection { try await $0.waitForBatches() }
        return moment ?? now
    }
}

extension OutstandingPage {
    fileprivate init(asOf: Date, balance: Int64, _ found: [OutstandingPayment], limit: Int) {
        let shown = Array(found.prefix(limit))
        let next = shown.last.map { OutstandingCursor(asOf: CursorMoment(asOf), id: $0.purchaseID) }
        self.init(asOf: asOf, balance: balance, payments: shown, next: found.count > limit ? next : nil)
    }
}
