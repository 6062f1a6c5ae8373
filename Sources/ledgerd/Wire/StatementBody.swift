import Ledger
import LedgerWire

extension StatementEntryBody {
    /// What clients read of an act on a user's coins.
    init(_ entry: StatementEntry) {
        let movements = entry.movements.map {
            MovementBody(account: $0.account, coins: $0.coins, balance: $0.balance)
        }
        self.init(
            journalEntryID: entry.journalEntryID, kind: entry.kind, reference: entry.reference, reason: entry.reason,
            coins: entry.coins, balance: entry.balance, movements: movements, effectiveAt: entry.effectiveAt,
            recordedAt: entry.recordedAt)
    }
}
