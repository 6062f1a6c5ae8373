/// The result of comparing a payment at the gateway with the books.
package enum ReconciliationKind: String, Sendable, Codable, CaseIterable {
    /// The books and the gateway agree.
    ///
    /// They also agree when the whole payment was cancelled before it was credited.
    case matched
    /// The payment is paid at the gateway, and no coins were credited.
    case paidNotCredited = "paid_not_credited"
    /// Coins were credited, but the gateway does not know the payment or has it as not paid.
    case creditedNotPaid = "credited_not_paid"
    /// The credited amount or currency is not the paid one.
    case amountDiffers = "amount_differs"
    /// More was cancelled at the gateway than was taken back in the books.
    case cancelledNotClawedBack = "cancelled_not_clawed_back"
    /// More was taken back in the books than was cancelled at the gateway.
    case refundedNotCancelled = "refunded_not_cancelled"
    /// The same money went back by bank transfer and at the gateway.
    case refundedTwice = "refunded_twice"
    /// The gateway decided a dispute for the shop, and the books still have it as lost.
    case wonNotGivenBack = "won_not_given_back"
    /// The gateway has not decided: the payment is not paid yet, or a cancellation is in progress.
    case waiting
    /// The gateway's data about the payment can't be read.
    case unreadable

    /// Whether the books and the gateway differ.
    package var isDifference: Bool { self != .matched && self != .waiting }

    /// Whether the gateway's records may settle the difference.
    package var isHealable: Bool { self == .paidNotCredited || self == .cancelledNotClawedBack }
}

/// What was done about a difference.
package enum ReconciliationOutcome: String, Sendable, Codable, CaseIterable {
    /// The payment was credited.
    case credited
    /// The cancelled part was clawed back.
    case clawedBack = "clawed_back"
    /// A user presented the receipt. It is credited when the gateway confirms the payment.
    case receiptWaits = "receipt_waits"
    /// The gateway's records do not settle the difference. A person has to decide.
    case needsPerson = "needs_person"

    /// Whether the difference is fixed.
    package var isHealed: Bool { self == .credited || self == .clawedBack }
}
