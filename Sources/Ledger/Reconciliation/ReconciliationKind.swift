/// What comparing a payment at the gateway with the books comes to.
package enum ReconciliationKind: String, Sendable, Codable, CaseIterable {
    /// The books say what the gateway says.
    ///
    /// That is also so where neither has anything: all of it was cancelled before it was credited.
    case matched
    /// The gateway holds money for which no coins were credited.
    case paidNotCredited = "paid_not_credited"
    /// Coins were credited, and the gateway knows no such payment or says that it was not paid.
    case creditedNotPaid = "credited_not_paid"
    /// It was credited as another amount, or in another currency, than was paid.
    case amountDiffers = "amount_differs"
    /// More of it was cancelled at the gateway than was taken back here.
    case cancelledNotClawedBack = "cancelled_not_clawed_back"
    /// More of it was taken back here than was cancelled at the gateway.
    case refundedNotCancelled = "refunded_not_cancelled"
    /// The gateway has not decided: it is not paid yet, or a cancellation is under way.
    case waiting
    /// What the gateway says of it can't be read, so nothing is known of it there.
    case unreadable

    /// Whether the books and the gateway say different things.
    package var isDifference: Bool { self != .matched && self != .waiting }

    /// Whether the gateway's word may decide what is to be done about it.
    package var isHealable: Bool { self == .paidNotCredited || self == .cancelledNotClawedBack }
}

/// What was done about a difference.
package enum ReconciliationOutcome: String, Sendable, Codable, CaseIterable {
    /// It is credited now.
    case credited
    /// What was cancelled is taken back now.
    case clawedBack = "clawed_back"
    /// Somebody has presented it, and its receipt waits for the gateway: it is credited when the gateway confirms it.
    case receiptWaits = "receipt_waits"
    /// The gateway's word does not decide it: a person has to.
    case needsPerson = "needs_person"

    /// Whether nothing is left to be done.
    package var isHealed: Bool { self == .credited || self == .clawedBack }
}
