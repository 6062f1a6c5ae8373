package import Foundation
import Postgres

extension Settlements {
    /// The payments that explain what all gateways owe, in the order in which they were paid.
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
        try await reading {
            let asOf =
                if let cursor { cursor.asOf.date } else { try await committedMoment(moment) }
            return try await pools.reads.withConnection { connection in
                try await connection.transaction(mode: "ISOLATION LEVEL REPEATABLE READ READ ONLY") { connection in
                    let carried = try connection.run(CarryingAccounts.all).map { ($0.name, $0.ids) }
                    let accounts = receivables + carried
                    let ids = accounts.flatMap(\.ids)
                    let (found, balances) = try connection.pipeline(
                        OutstandingPayment.list(asOf: asOf, accounts: ids, after: cursor, limit: limit),
                        OutstandingPayment.balances(asOf: asOf, accounts: ids))
                    return OutstandingPage(asOf: asOf, accounts: owed(balances, on: accounts), found, limit: limit)
                }
            }
        }
    }

    private func owed(
        _ balances: [Int64: Int64], on accounts: [(name: String, ids: [Int64])]
    ) -> [OwedBalance] {
        accounts.map { name, ids in OwedBalance(account: name, balance: ids.reduce(0) { $0 + (balances[$1] ?? 0) }) }
            .filter { $0.account == SystemAccount.gatewayReceivable.rawValue || $0.balance != 0 }
    }

    /// The moment, or now, after everything recorded up to now is committed.
    private func committedMoment(_ moment: Date?) async throws -> Date {
        let now = try await pools.reads.withConnection { try await $0.waitForBatches() }
        return moment ?? now
    }
}

extension OutstandingPage {
    fileprivate init(asOf: Date, accounts: [OwedBalance], _ found: [OutstandingPayment], limit: Int) {
        let shown = Array(found.prefix(limit))
        let next = shown.last.map {
            OutstandingCursor(asOf: CursorMoment(asOf), paidAt: CursorMoment($0.paidAt), id: $0.purchaseID)
        }
        self.init(asOf: asOf, accounts: accounts, payments: shown, next: found.count > limit ? next : nil)
    }
}
