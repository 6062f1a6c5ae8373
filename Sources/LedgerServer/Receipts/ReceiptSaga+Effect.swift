import Foundation
import Ledger
import PGVerifier

/// What a receipt does next, and what came of it.
extension ReceiptSaga {
    enum Effect: Hashable, Sendable {
        case findPurchase
        case readBalance(Purchase)
        /// Find what the purchase gave, if a store sold it for nothing.
        case findFree
        case askGateway
        /// Find what the payment can be for, and the users who presented it.
        case findSales(GatewayPayment)
        /// Find the purchase of the payment's order, which the payment may have credited under another name.
        case findCredited(GatewayPayment, else: Objection)
        /// Keep the payment's name as a further one of the purchase, and resolve the finding under it.
        case keepName(GatewayPayment, Purchase)
        /// Store that another user presents the payment too.
        case storeClaim(GatewayPayment)
        /// Store a finding for finance.
        case note(Finding.Kind, GatewayPayment, then: AfterNote)
        case credit(CreditPurchase, GatewayPayment)
        /// Give the coins of what a store sold for nothing.
        case giveFree(Coins, until: Date?, GatewayPayment)
        case keep(WaitReason)
    }

    /// Why a payment is not credited, unless it is credited under another name.
    enum Objection: Hashable, Sendable {
        case wait(WaitReason)
        case refuse(CreditRefusal)
        /// Another user presented the payment too.
        case claimedBySeveral

        /// Whether it depends on the purchase of the order, or tells it.
        var isAboutPurchase: Bool {
            switch self {
            case .claimedBySeveral, .refuse(.payment(.orderAlreadyCredited)), .refuse(.merchantUIDAlreadyCredited): true
            case .wait, .refuse: false
            }
        }
    }

    /// What follows a stored finding.
    enum AfterNote: Hashable, Sendable {
        case refuse(CreditRefusal)
        case credit(Sale)
        case wait(WaitReason)
    }

    enum Event: Sendable {
        case purchase(Purchase?)
        case balance(Balance)
        case payment(GatewayPayment)
        case gatewayFailed(GatewayError)
        case gatewayOff
        /// The claims are those of a payment without an order.
        case sales(PossibleSales, [Claim])
        case stored
        case credited(Answer<Credited>)
        case freeFound(FreeCredit?)
        case freeGiven(FreeCredit.Given)
        /// False: the user has too many waiting receipts.
        case kept(Bool)
    }

    /// The result of a receipt.
    enum Outcome: Sendable {
        /// The payment is credited, now or before.
        case credited(Credited, isRepeat: Bool)
        /// A store sold it for nothing: it gave bonus coins, now or before.
        case given(FreeCredit, isRepeat: Bool)
        /// The gateway has not decided, or is unavailable: retry later.
        case waiting(WaitReason)
        /// The payment is not credited.
        case refused(CreditRefusal)
    }
}
