import Ledger
import LedgerWire

extension SealBody {
    /// What clients read of a seal.
    init(_ kept: Seals.Kept) {
        let statement = kept.seal.statement
        self.init(
            id: kept.id, sealedAt: statement.sealedAt, entries: statement.entries, head: statement.head,
            keyID: kept.seal.publicKey.id)
    }
}
