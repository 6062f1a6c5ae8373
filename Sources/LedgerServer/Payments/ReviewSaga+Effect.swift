import Ledger
import PGVerifier

/// What a review does, and what comes of it.
extension ReviewSaga {
    enum Effect: Hashable, Sendable {
        case askGateway(Receipt)
        case findPurchase(GatewayPayment)
        case listRefunds(GatewayPayment, Purchase)
        /// Complete refunds that are recorded as refused but were carried out, one after the other.
        case completeRefund(CompleteRefund, rest: [CompleteRefund], isCompleted: Bool, GatewayPayment, Purchase)
        case clawBack(ClawBack, GatewayPayment, isCompleted: Bool)
        /// Find the claw-back that the books have of a refund that the store took back.
        case findClawBack(GatewayPayment, Purchase)
        /// Ask the store after that was read: its answer is not older than what was read.
        case askAgain(Receipt, ReversibleClawBack, Purchase)
        case reverseClawBack(ReverseClawBack, GatewayPayment)
        /// Ask a store whose total may fall once more, after the books changed.
        case confirm(Receipt, Purchase, then: Review)
        /// Find what the payment gave, which a store sold for nothing.
        ///
        /// The review is what was done before; nil: nothing.
        case findFree(GatewayPayment, then: Review?)
        /// Void coins that a store took back, or grant what it gave again.
        case changeFree(FreePurchaseChange, GatewayPayment)
        /// Ask a store whose total may fall once more, after the coins changed.
        case askAboutFree(Receipt, then: Review)
        /// Record the payment's disputes, one after the other.
        case recordDispute(RecordDispute, rest: [RecordDispute], GatewayPayment, Purchase, then: Review)
        /// Make the purchase's pending refund due at once.
        case expedite(Purchase, GatewayPayment)
        case findOrder(GatewayPayment)
        /// Credit the payment as if its user, by its order or its data, had presented it.
        case credit(GatewayPayment, Receipt, to: UserID)
        /// Decide the payment's waiting receipts with the gateway's response, without another request, and make those due
        /// that may have another name of the payment.
        case decideWaiting(GatewayPayment, then: Review?)
        /// Let a receipt wait again that was refused because the payment was not paid.
        case takeUpAgain(GatewayPayment)
        /// End a problem of a purchase that the gateway's answer disproves.
        case endFinding(Finding.Kind, GatewayPayment, of: Purchase, then: Review)
        /// Find what the store had given back when a person gave back by hand what it took back.
        case findSettled(GatewayPayment, Purchase, then: Review)
        /// Store a finding for finance, under the name that the purchase has if it is about one.
        case note(Finding.Kind, GatewayPayment, of: Purchase?, then: Review)
        case resolveFinding(GatewayPayment)
    }

    enum Event: Sendable {
        case payment(GatewayPayment)
        case gatewayFailed(GatewayError)
        case gatewayOff
        case purchase(Purchase?)
        /// In the order in which they were requested.
        case refunds([Refund])
        case refundDecided(Answer<RefundDecided>)
        case clawedBack(Answer<ClawedBack>)
        case clawBackFound(ReversibleClawBack?)
        case clawBackReversed(Answer<ClawBackReversed>)
        case disputeRecorded(Answer<DisputeRecorded>)
        case freeFound(FreePurchases.Known)
        case freeChanged(FreePurchases.Changed)
        /// Whether the purchase has a pending refund.
        case expedited(Bool)
        case order(Order?)
        case receipt(ReceiptSaga.Outcome)
        /// Whether there were waiting receipts.
        case waitingDecided(Bool)
        /// Whether there is such a receipt.
        case takenUpAgain(Bool)
        case settled(Int64?)
        case stored
    }
}
