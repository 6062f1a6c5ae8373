import Ledger
import LedgerWire
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
            case .noSuchPurchase, .noSuchHold, .noSuchRefund: .notFound
            case .insufficientCoins: .insufficientCoins
            case .alreadyExpired: .alreadyExpired
            case .holdClosed: .holdClosed
            case .holdExpired: .holdExpired
            case .exceedsHold: .exceedsHold
            case .nothingToRefund: .nothingToRefund
            case .exceedsRefundable: .exceedsRefundable
            case .refundInProgress: .refundInProgress
            case .userInDebt: .userInDebt
            // What is refused of a settlement stands in its line, and is nobody's problem.
            case .alreadySettled, .settledOtherwise, .exceedsPayment, .implausiblePayout: .internal
            case .accountFull: .invalidRequest
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

extension Problem {
    /// What the ledger refused, with the numbers it says.
    init(_ refusal: Refusal) {
        let code = Code(refusal)
        switch refusal {
        case .insufficientCoins(let required, let available):
            self.init(
                code, "\(required) coins are required, \(available) can be spent",
                members: ["required": .integer(required), "available": .integer(available)])
        case .exceedsHold(let required, let available):
            self.init(
                code, "\(required) coins are to be captured, \(available) are set aside",
                members: ["required": .integer(required), "available": .integer(available)])
        case .holdClosed(let status): self.init(code, members: ["hold_status": .string(status.rawValue)])
        case .exceedsRefundable(let required, let available):
            self.init(
                code, "\(required) coins are to be given back, \(available) can be",
                members: ["required": .integer(required), "available": .integer(available)])
        case .userInDebt(let debt): self.init(code, members: ["debt": .integer(debt)])
        case .accountFull: self.init(code, "an account's totals can't grow any further")
        case .noSuchHold: self.init(code, "there is no such hold")
        case .noSuchPurchase: self.init(code, "there is no such purchase")
        case .noSuchRefund: self.init(code, "there is no such refund")
        default: self.init(code)
        }
    }
}
