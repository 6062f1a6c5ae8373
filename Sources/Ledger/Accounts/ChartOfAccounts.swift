/// The ledger's own accounts, one of each in every stripe.
///
/// `docs/accounting.md` tells what each is for.
package enum SystemAccount: String, CaseIterable, Sendable {
    /// What the gateway has taken for us and not yet paid out.
    case gatewayReceivable = "gateway:receivable"
    /// What was paid for coins that are not yet used: a liability.
    case deferredRevenue = "coins:deferred-revenue"
    /// What was paid for coins that were used.
    case revenue = "revenue:coins"
    /// What was paid for coins that expired unused.
    case breakage = "revenue:breakage"
    /// What was kept of payments that were given back.
    case refundFees = "revenue:refund-fees"
    /// What the gateway keeps for its service.
    case gatewayFees = "gateway:fees"
    /// What has reached our bank.
    case bank = "bank"
    /// Paid coins ever issued.
    case coinsIssued = "coins:issued"
    /// Bonus coins ever given.
    case coinsPromotions = "coins:promotions"
    /// Coins that users have spent.
    case coinsRedeemed = "coins:redeemed"
    /// Coins that expired.
    case coinsExpired = "coins:expired"

    /// What it counts.
    package var currency: Currency {
        switch self {
        case .gatewayReceivable, .deferredRevenue, .revenue, .breakage, .refundFees, .gatewayFees, .bank: .won
        case .coinsIssued, .coinsPromotions, .coinsRedeemed, .coinsExpired: .coin
        }
    }

    /// The side that increases it.
    package var normalSide: Side {
        switch self {
        case .gatewayReceivable, .gatewayFees, .bank, .coinsIssued, .coinsPromotions: .debit
        case .deferredRevenue, .revenue, .breakage, .refundFees, .coinsRedeemed, .coinsExpired: .credit
        }
    }
}

/// A user's accounts, all in coins, each opened when it is first needed.
package enum UserAccount: CaseIterable, Sendable {
    /// Coins that were bought and can be spent.
    case paid
    /// Coins that were given and can be spent.
    case bonus
    /// Bought coins that are held for someone.
    case heldPaid
    /// Given coins that are held for someone.
    case heldBonus
    /// Coins that were spent although their payment was taken back.
    case debt

    /// The side that increases it.
    package var normalSide: Side { self == .debt ? .debit : .credit }
}

/// An account's unique name: `coins:issued/3`, `wallet:<user>:paid`.
package struct AccountCode: Hashable, Sendable {
    /// As the database holds it.
    package let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    /// A system account's in one stripe.
    package static func system(_ account: SystemAccount, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "\(account.rawValue)/\(stripe.number)")
    }

    /// A user's.
    ///
    /// Only the user's part varies between a fixed beginning and end, so no two users' codes can meet.
    package static func user(_ account: UserAccount, of user: UserID) -> AccountCode {
        switch account {
        case .paid: AccountCode(rawValue: "wallet:\(user.rawValue):paid")
        case .bonus: AccountCode(rawValue: "wallet:\(user.rawValue):bonus")
        case .heldPaid: AccountCode(rawValue: "held:\(user.rawValue):paid")
        case .heldBonus: AccountCode(rawValue: "held:\(user.rawValue):bonus")
        case .debt: AccountCode(rawValue: "debt:\(user.rawValue)")
        }
    }

    /// What a provider has earned of the users of one stripe.
    ///
    /// Striped like the system accounts, for a journal entry lies within one stripe, and a provider serves users of all.
    package static func earnings(of provider: UserID, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "earnings:\(provider.rawValue)/\(stripe.number)")
    }

    /// Byte by byte, as the database compares.
    package static func == (left: AccountCode, right: AccountCode) -> Bool {
        ExactText(left.rawValue) == ExactText(right.rawValue)
    }

    /// Of the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }
}
