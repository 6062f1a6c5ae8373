import Foundation

/// An account and its totals.
///
/// `debits` and `credits` only grow; the balance is the normal side's total less the other's.
struct Account: Sendable, Equatable {
    let id: Int64
    let stripe: Stripe
    let code: AccountCode
    /// The user whose account it is; nil for a system account.
    let owner: UserID?
    let currency: Currency
    let normalSide: Side
    var debits: Int64 = 0
    var credits: Int64 = 0
    /// The number of its last posting.
    var seq: Int64 = 0
    /// When its last posting was recorded.
    var postedAt: Date?

    /// What the account holds, on its normal side.
    var balance: Int64 {
        switch normalSide {
        case .debit: debits - credits
        case .credit: credits - debits
        }
    }
}
