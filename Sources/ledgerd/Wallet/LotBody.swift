import Ledger
import LedgerWire

extension LotBody {
    /// What clients read of a lot.
    init(_ lot: Lot) {
        self.init(
            id: lot.id, user: lot.user.rawValue, kind: lot.kind.rawValue, coins: lot.coins, remaining: lot.remaining,
            held: lot.held, amount: lot.amount, purchaseID: lot.purchaseID, issuer: lot.issuer,
            acquiredAt: lot.acquiredAt, expiresAt: lot.expiresAt)
    }
}

extension LotUseBody {
    /// What clients read of coins that an act used.
    init(_ use: LotUse) {
        self.init(lotID: use.lotID, kind: use.kind.rawValue, coins: use.coins, amount: use.amount)
    }
}
