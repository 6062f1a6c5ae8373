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

    /// Totals beyond it are not added to: far above what a shop can sell, and so far below what an integer can hold that
    /// neither a batch nor the sum of a user's accounts can overflow.
    static let fullTotal = Int64.max / 16

    /// Whether nothing more is posted to it.
    var isFull: Bool { max(debits, credits) > Self.fullTotal }

    /// What the account holds, on its normal side.
    var balance: Int64 {
        switch normalSide {
        case .debit: debits - credits
        case .credit: credits - debits
        }
    }
}
