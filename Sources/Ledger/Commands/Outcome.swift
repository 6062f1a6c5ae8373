/// What became of a command.
///
/// A refusal is an outcome, not an error: it is the ledger's definite answer.
public enum Outcome: Sendable, Equatable, Codable {
    /// The purchase is in the ledger.
    case credited(Credited)
    /// The coins were given.
    case granted(Granted)
    /// What the gateway cancelled is taken back.
    case clawedBack(ClawedBack)
    /// The coins were used up.
    case spent(Spent)
    /// The coins are set aside.
    case holdPlaced(HoldPlaced)
    /// Coins that were set aside were taken.
    case holdCaptured(HoldCaptured)
    /// Coins that were set aside were given back; or they were not, for the time of the hold was not up.
    case holdVoided(HoldVoided)
    /// What the wallet had of a lot is expired, and how much that was.
    case lotExpired(LotExpired)
    /// What was owed is paid, as far as there were coins, and how many that were.
    case debtPaid(DebtPaid)
    /// The coins are set aside for the refund.
    case refundBegun(RefundBegun)
    /// The refund is completed or refused, now or since before.
    case refundDecided(RefundDecided)
    /// What the gateway paid out is booked.
    case settled(Settled)
    /// The ledger will not do it, and nothing was moved.
    case refused(Refusal)
}

/// A purchase that is in the ledger.
public struct Credited: Sendable, Equatable, Codable {
    /// The purchase.
    public let purchase: Purchase
    /// The user's balance right after the command.
    public let balance: Balance

    /// Names a purchase that is in the ledger.
    public init(purchase: Purchase, balance: Balance) {
        self.purchase = purchase
        self.balance = balance
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
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A purchase of which the gateway took payment back.
public struct ClawedBack: Sendable, Equatable, Codable {
    /// The purchase as it is now.
    public let purchase: Purchase
    /// Bought coins taken back by this command.
    public let coins: Int64
    /// Given coins taken back by this command.
    public let bonusCoins: Int64
    /// The user's balance right after the command.
    public let balance: Balance
}

/// Coins that were used up.
public struct Spent: Sendable, Equatable, Codable {
    /// The journal entry that records it.
    public let journalEntryID: Int64
    /// How many coins.
    public let coins: Int64
    /// Where they came from, and the won recognised for them.
    public let lots: [LotUse]
    /// The user's balance right after the command.
    public let balance: Balance
}

/// Coins that are set aside.
public struct HoldPlaced: Sendable, Equatable, Codable {
    /// The hold.
    public let hold: Hold
    /// Where its coins came from.
    public let lots: [LotUse]
    /// The user's balance right after the command.
    public let balance: Balance
}

/// Coins that were set aside and were taken.
public struct HoldCaptured: Sendable, Equatable, Codable {
    /// The hold as it is now.
    public let hold: Hold
    /// The journal entry that records it.
    public let journalEntryID: Int64
    /// How many coins this capture took.
    public let coins: Int64
    /// Where they came from, and the won recognised for them.
    public let lots: [LotUse]
    /// Who earned them; nil: nobody, they are redeemed.
    public let provider: UserID?
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A hold that is closed, or was not to be closed yet.
public struct HoldVoided: Sendable, Equatable, Codable {
    /// The hold as it is now.
    public let hold: Hold
    /// How many coins this command gave back.
    public let coins: Int64
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A lot of which the wallet has nothing more, or which was not to expire yet.
public struct LotExpired: Sendable, Equatable, Codable {
    /// The lot.
    public let lotID: Int64
    /// How many coins this command took.
    public let coins: Int64
    /// The won they were bought for.
    public let amount: Int64
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A debt that is paid as far as there were coins.
public struct DebtPaid: Sendable, Equatable, Codable {
    /// How many coins this command took.
    public let coins: Int64
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A refund whose coins are set aside.
public struct RefundBegun: Sendable, Equatable, Codable {
    /// The refund.
    public let refund: Refund
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A refund that is completed or refused.
public struct RefundDecided: Sendable, Equatable, Codable {
    /// The refund as it is now.
    public let refund: Refund
    /// Its purchase as it is now.
    public let purchase: Purchase
    /// The user's balance right after the command.
    public let balance: Balance
}

/// A row of a statement of payouts that is booked.
public struct Settled: Sendable, Equatable, Codable {
    /// The row.
    public let row: SettlementRow
    /// The purchase as it is now.
    public let purchase: Purchase
}
