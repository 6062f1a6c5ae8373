import Foundation
import Ledger
import PGVerifier

/// What a store sold for nothing.
extension ReceiptSaga {
    /// Gives what a store sold for nothing; its bonus coins live as long as those of purchases there.
    func give(_ payment: GatewayPayment, _ sale: Sale, at now: Date) -> Step {
        if let seenAmount, seenAmount != 0 { return .end(.refused(.changedMeanwhile)) }
        guard let coins = sale.allCoins else { return .end(.refused(.accountFull)) }
        let lifetime = rules.lifetimes.lifetimes(of: sale, at: payment.gateway).bonus
        return .perform(.giveFree(coins, until: lifetime.map { CoinExpiry(after: $0, from: now).moment }, payment))
    }

    func end(_ free: FreeCredit, isRepeat: Bool) -> Step {
        free.user == user
            ? .end(.given(free, isRepeat: isRepeat)) : .end(.refused(.payment(.receiptBelongsToAnotherUser)))
    }

    func afterGiving(_ given: FreeCredit.Given) throws(LedgerError) -> Step {
        switch given {
        case .given(let free, let isRepeat): return end(free, isRepeat: isRepeat)
        // It belongs to a user who was forgotten, so whoever presents it is another one.
        case .toNobody, .refused(.userForgotten): return .end(.refused(.payment(.receiptBelongsToAnotherUser)))
        case .refused(.accountFull): return .end(.refused(.accountFull))
        case .refused: throw .unexpected("the ledger refused a free purchase for an unexpected reason")
        }
    }
}
