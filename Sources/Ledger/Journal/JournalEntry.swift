import Foundation

/// One balanced record of an act: its postings' debits equal their credits in each currency.
///
/// Never changed.
struct JournalEntry: Sendable, Equatable {
    /// Which act it records.
    enum Kind: String, Sendable, CaseIterable {
        case purchase
        case grant
        case clawBack = "claw_back"
        case debtPayment = "debt_payment"
        case spend
        case hold
        case capture
        case void
        case expiry
        case refundHold = "refund_hold"
        case refundRelease = "refund_release"
        case refund
        case settlement
    }

    let id: Int64
    let stripe: Stripe
    let kind: Kind
    /// What it is about: `purchase:17`.
    let reference: String
    /// Why, in people's words, where the act asks for it.
    let reason: String?
    /// When it happened or, if that was closed already, the first moment that is open.
    let effectiveAt: Date
    /// When it happened, if that was closed already.
    let lateFor: Date?
    /// When we wrote it.
    let recordedAt: Date
    /// The entry that it takes back, whole or in part, if it does.
    let reverses: Int64?
}
