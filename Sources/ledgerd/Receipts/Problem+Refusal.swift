import Ledger
import PGVerifier

// The one place where what the gateway, the verdict and the ledger say becomes a problem's code.

extension Problem.Code {
    /// What the verdict refused.
    init(_ reason: RefusalReason) {
        self =
            switch reason {
            case .paymentNotFound: .paymentNotFound
            case .paymentFailed: .paymentFailed
            case .paymentCancelled: .paymentCancelled
            case .paymentPartiallyCancelled: .paymentPartiallyCancelled
            case .merchantUIDMismatch: .merchantUIDMismatch
            case .amountMismatch: .amountMismatch
            case .currencyMismatch: .currencyMismatch
            case .testPayment: .testPayment
            case .receiptBelongsToAnotherUser: .receiptBelongsToAnotherUser
            case .orderNotFound: .orderNotFound
            case .orderBelongsToAnotherUser: .orderBelongsToAnotherUser
            case .orderAlreadyCredited: .orderAlreadyCredited
            case .orderCancelled: .orderCancelled
            case .orderExpired: .orderExpired
            }
    }

    /// What the ledger refused.
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .paymentBelongsToAnotherUser: .receiptBelongsToAnotherUser
            case .merchantUIDAlreadyCredited: .merchantUIDAlreadyCredited
            case .paymentHasAnotherMerchantUID: .merchantUIDMismatch
            case .idempotencyKeyReused: .idempotencyKeyReused
            case .noSuchPurchase, .noSuchHold: .notFound
            case .insufficientCoins: .insufficientCoins
            case .holdClosed: .holdClosed
            case .holdExpired: .holdExpired
            case .exceedsHold: .exceedsHold
            case .alreadySettled: .alreadySettled
            case .exceedsPayment: .exceedsPayment
            }
    }

    /// What kept the ledger from answering.
    init(_ error: LedgerError) {
        self =
            switch error.code {
            case .unavailable, .outcomeUnknown, .schema: .databaseUnavailable
            case .overloaded: .overloaded
            case .shuttingDown: .shuttingDown
            case .invalid: .invalidRequest
            default: .internal
            }
    }
}
