import Ledger
import LedgerWire
import PGVerifier

// Converts refusals and errors of the verdict and the ledger to problem codes. No other file does this.

extension Problem.Code {
    /// The code of a refusal by the verdict.
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

    /// The code of a refusal by the ledger.
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .paymentBelongsToAnotherUser: .receiptBelongsToAnotherUser
            case .merchantUIDAlreadyCredited: .merchantUIDAlreadyCredited
            case .paymentHasAnotherMerchantUID: .merchantUIDMismatch
            case .idempotencyKeyReused: .idempotencyKeyReused
            case .noSuchPurchase, .noSuchHold, .noSuchRefund, .noSuchRedemption, .noSuchPayout, .noSuchDispute:
                .notFound
            case .disputeDecided: .disputeDecided
            case .disputeNotReversible: .disputeNotReversible
            case .alreadyReversed: .alreadyReversed
            case .exceedsRedemption: .exceedsRedemption
            case .tooManyLots: .tooManyLots
            case .insufficientCoins: .insufficientCoins
            case .alreadyExpired: .alreadyExpired
            case .holdClosed: .holdClosed
            case .holdExpired: .holdExpired
            case .exceedsHold: .exceedsHold
            case .nothingToRefund: .nothingToRefund
            case .exceedsRefundable: .exceedsRefundable
            case .refundNotApproved: .refundNotApproved
            case .refundNotPaid: .refundNotPaid
            case .exceedsDebt: .exceedsDebt
            case .refundInProgress: .refundInProgress
            case .userInDebt: .userInDebt
            // Only the console tells the ledger what a person saw and may do alone.
            case .changedMeanwhile: .changedMeanwhile
            case .exceedsOwnLimit: .exceedsOwnLimit
            // Refusals of settlement lines are stored with the line and never become problems.
            case .alreadySettled, .settledOtherwise, .exceedsPayment, .implausiblePayout: .internal
            case .payoutNotApproved: .payoutStatusConflict
            case .exceedsClaim: .exceedsClaim
            case .implausiblePaymentDate: .paymentDateImplausible
            case .monthNotOver: .periodNotOver
            case .monthClosed: .periodAlreadyClosed
            case .monthAdjusted: .monthAdjusted
            case .noAccountingPolicy: .noAccountingPolicy
            case .policyChanged: .policyChanged
            case .accountFull: .invalidRequest
            }
    }

    /// The code of an error of the ledger.
    init(_ error: LedgerError) {
        self =
            switch error.code {
            case .unavailable, .outcomeUnknown, .schema: .databaseUnavailable
            case .replicaUnavailable: .replicaUnavailable
            case .overloaded: .overloaded
            case .shuttingDown: .shuttingDown
            case .invalid: .invalidRequest
            default: .internal
            }
    }
}

extension Problem {
    /// The problem of a refusal by the ledger, with its numbers.
    init(_ refusal: Refusal) {
        let code = Code(refusal)
        switch refusal {
        case .insufficientCoins(let required, let available):
            self.init(
                code, "\(required) coins are required, but \(available) are available",
                members: ["required": .integer(required), "available": .integer(available)])
        case .exceedsHold(let required, let available):
            self.init(
                code, "the capture has \(required) coins, but the hold has \(available)",
                members: ["required": .integer(required), "available": .integer(available)])
        case .disputeDecided(let status): self.init(code, members: ["dispute_status": .string(status.rawValue)])
        case .noSuchDispute: self.init(code, "the dispute does not exist")
        case .holdClosed(let status): self.init(code, members: ["hold_status": .string(status.rawValue)])
        case .exceedsRefundable(let required, let available):
            self.init(
                code, "the refund has \(required) coins, but \(available) are refundable",
                members: ["required": .integer(required), "available": .integer(available)])
        case .exceedsRedemption(let required, let available):
            self.init(
                code, "the reversal has \(required) coins, but \(available) are left",
                members: ["required": .integer(required), "available": .integer(available)])
        case .tooManyLots(let required, let available, let limit):
            self.init(
                code,
                """
                the \(required) coins lie in more than \(limit) lots: move \(available) at most, and the rest in further \
                requests
                """,
                members: [
                    "required": .integer(required), "available": .integer(available), "limit": .integer(limit),
                ])
        case .payoutNotApproved(let status): self.init(code, status)
        case .refundNotApproved(let status), .refundNotPaid(let status):
            self.init(code, members: ["refund_status": .string(status.rawValue)])
        case .exceedsDebt(let required, let available):
            self.init(
                code, "the request has \(required) coins, but the user owes \(available)",
                members: ["required": .integer(required), "available": .integer(available)])
        case .exceedsClaim(let required, let available):
            self.init(
                code, "the payment has \(required) won, but the claim is \(available)",
                members: ["required": .integer(required), "available": .integer(available)])
        case .exceedsOwnLimit(let required, let available):
            self.init(code, members: ["required": .integer(required), "available": .integer(available)])
        case .monthClosed(let until): self = .alreadyClosed(until: until)
        case .userInDebt(let debt): self.init(code, members: ["debt": .integer(debt)])
        case .accountFull: self.init(code, "the totals of an account would exceed their maximum")
        case .noSuchHold: self.init(code, "the hold does not exist")
        case .noSuchPayout: self.init(code, "the payout does not exist")
        case .noSuchPurchase: self.init(code, "the purchase does not exist")
        case .noSuchRefund: self.init(code, "the refund does not exist")
        default: self.init(code)
        }
    }
}

extension ProblemCode {
    // People in the console see these codes, and clients of the API do not: only a person decides by what they saw.

    /// What the act is about has changed since the person saw it.
    static let changedMeanwhile = ProblemCode(
        "changed_meanwhile", 409, "It has changed since you opened the page: nothing was done. Open the page again.")
    /// Others came first, and together it is more than one person may do alone.
    static let exceedsOwnLimit = ProblemCode(
        "exceeds_own_limit", 409,
        "With what was done before, another person has to approve it: nothing was done. Open the page again.")
}
