/// What became of a command.
///
/// A refusal is an outcome, not an error: it is the ledger's definite answer.
public enum Outcome: Sendable, Equatable {
    /// The purchase is in the ledger, now or since before.
    case credited(Credited)
    /// The coins were given, now or before.
    case granted(Granted)
    /// The ledger will not do it, and nothing was moved.
    case refused(Refusal)

    /// Whether it was in the books before this command was performed.
    var isRepeat: Bool {
        switch self {
        case .credited(let credited): credited.isRepeat
        case .granted(let granted): granted.isRepeat
        case .refused: false
        }
    }
}

/// A purchase that is in the ledger.
public struct Credited: Sendable, Equatable {
    /// The purchase.
    public let purchase: Purchase
    /// The user's balance right after the command.
    public let balance: Balance
    /// Whether it was there already: by an earlier command, or by this one, if the reply to its commit was lost and it
    /// was then found.
    public let isRepeat: Bool

    /// Names a purchase that is in the ledger.
    public init(purchase: Purchase, balance: Balance, isRepeat: Bool) {
        self.purchase = purchase
        self.balance = balance
        self.isRepeat = isRepeat
    }
}

/// Coins that were given.
public struct Granted: Sendable, Equatable, Codable {
    /// The journal entry that records it.
    public let journalEntryID: Int64
    /// The lot that the coins came in.
    public let lotID: Int64
    /// How many coins.
    public let coins: Int64
    /// Whether they were there already: by an earlier command with the same key, or by this one, if the reply to its
    /// commit was lost and it was then found.
    public var isRepeat: Bool

    enum CodingKeys: String, CodingKey {
        case journalEntryID = "journal_entry_id"
        case lotID = "lot_id"
        case coins
        case isRepeat = "is_repeat"
    }
}

/// Why the ledger will not do what a command asks.
public enum Refusal: Sendable, Equatable {
    /// The payment was credited to another user.
    case paymentBelongsToAnotherUser
    /// Another payment with the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The payment was credited under another `merchant_uid`.
    case paymentHasAnotherMerchantUID
    /// The idempotency key was used for another command or other content.
    case idempotencyKeyReused
}
