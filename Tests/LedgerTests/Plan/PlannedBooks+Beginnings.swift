@testable import Ledger

// Records as they were before a plan changed them, which lists new ones as they end.

extension Account {
    /// The account as it was before its first posting.
    init(emptied account: Account) {
        self.init(
            id: account.id, stripe: account.stripe, code: account.code, owner: account.owner,
            currency: account.currency, normalSide: account.normalSide)
    }
}

extension Purchase {
    /// As it was when nothing of it had gone back.
    var begun: Purchase {
        var purchase = self
        purchase.status = .credited
        purchase.refundedAmount = 0
        purchase.refundedCoins = 0
        purchase.refundedBonusCoins = 0
        purchase.chargedCoins = 0
        purchase.transferred = 0
        return purchase
    }
}

extension Hold {
    /// As it was when it was placed.
    var begun: Hold {
        var hold = self
        hold.status = .open
        hold.captured = 0
        hold.released = 0
        hold.closedAt = nil
        return hold
    }
}
