import Foundation

/// An account and its totals.
///
/// `debits` and `credits` only grow. The balance is the total of the normal side minus the total of the other side.
struct Account: Sendable, Equatable {
    let id: Int64
    let stripe: Stripe
    let code: AccountCode
    /// The user that owns the account; nil: a system account.
    let owner: UserID?
    let currency: Currency
    let normalSide: Side
    var debits: Int64 = 0
    var credits: Int64 = 0
    /// The number of the account's last posting.
    var seq: Int64 = 0
    /// When the last posting was recorded.
    var postedAt: Date?

    /// The limit of an account's totals.
    ///
    /// It is far above what a shop can sell, and so far below `Int64.max` that neither a batch nor the sum of a user's
    /// accounts can overflow.
    static let fullTotal = Int64.max / 16

    /// Whether the account is over ``fullTotal``: nothing more is posted to it.
    var isFull: Bool { max(debits, credits) > Self.fullTotal }

    /// The balance, positive on the normal side.
    var balance: Int64 {
        switch normalSide {
        case .debit: debits - credits
        case .credit: credits - debits
        }
    }
}
