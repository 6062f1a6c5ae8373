/// The ledger's own accounts.
///
/// Every stripe has one of each.
///
/// `docs/accounting.md` describes them.
package enum SystemAccount: String, CaseIterable, Sendable {
    /// What the payment gateways collected and have not paid out yet.
    case gatewayReceivable = "gateway:receivable"
    /// The same of the App Store.
    case appStoreReceivable = "app-store:receivable"
    /// The same of Google Play.
    case googlePlayReceivable = "google-play:receivable"
    /// What was paid for coins that are not used yet: a liability.
    case deferredRevenue = "coins:deferred-revenue"
    /// What was paid for coins that were used.
    case revenue = "revenue:coins"
    /// What was paid for coins that expired unused.
    case breakage = "revenue:breakage"
    /// What of ``deferredRevenue`` was recognised before its coins expire: its contra account.
    case expectedBreakage = "coins:expected-breakage"
    /// The revenue of ``expectedBreakage``.
    case expectedBreakageRevenue = "revenue:expected-breakage"
    /// The deferred revenue of bonus coins, beside ``deferredRevenue``; negative if that account defers too much.
    case deferredBonus = "coins:deferred-bonus"
    /// The revenue that ``deferredBonus`` brings forward or puts off.
    case bonusAllocation = "revenue:bonus-allocation"
    /// Fees kept from refunded payments.
    case refundFees = "revenue:refund-fees"
    /// What we keep of captures for providers whose agent we are.
    case commission = "revenue:commission"
    /// What providers get of captures where we are the principal.
    case providerCosts = "cost:providers"
    /// Taxes withheld from payouts to providers.
    case withholding = "tax:withholding-payable"
    /// Output VAT that we owe to the tax office.
    case vatPayable = "tax:vat-payable"
    /// Output VAT that was paid ahead for coins that are not used yet: the contra account of ``vatPayable``.
    case vatDeferred = "tax:vat-deferred"
    /// Input VAT of the gateway's fees, which the tax office owes us.
    case vatInput = "tax:vat-input"
    /// What we owe for approved refunds by bank transfer.
    case refundsPayable = "refunds:payable"
    /// The gateway's fees.
    case gatewayFees = "gateway:fees"
    /// What the gateway has paid out to our bank account.
    case bank = "bank"
    /// All paid coins issued.
    case coinsIssued = "coins:issued"
    /// All bonus coins issued.
    case coinsPromotions = "coins:promotions"
    /// Coins that users have spent.
    case coinsRedeemed = "coins:redeemed"
    /// Coins that expired.
    case coinsExpired = "coins:expired"
    /// Owed coins that were written off.
    case coinsWrittenOff = "coins:written-off"
    /// Coins on their way from a user of one stripe to one of another; zero over all stripes (``Gift``, ``MergeUsers``).
    case clearingCoins = "clearing:coins"
    /// The deferred won of coins that are given.
    case clearingWon = "clearing:won"

    /// What the account counts.
    package var currency: Currency {
        switch self {
        case .gatewayReceivable, .appStoreReceivable, .googlePlayReceivable, .deferredRevenue, .revenue, .breakage,
            .refundFees, .commission, .providerCosts, .withholding, .vatPayable, .vatDeferred, .vatInput,
            .refundsPayable, .gatewayFees, .bank, .expectedBreakage, .expectedBreakageRevenue, .deferredBonus,
            .bonusAllocation, .clearingWon:
            .won
        case .coinsIssued, .coinsPromotions, .coinsRedeemed, .coinsExpired, .coinsWrittenOff, .clearingCoins: .coin
        }
    }

    /// The side that increases the balance.
    package var normalSide: Side {
        switch self {
        case .gatewayReceivable, .appStoreReceivable, .googlePlayReceivable, .gatewayFees, .providerCosts, .vatDeferred,
            .vatInput, .bank, .coinsIssued, .coinsPromotions, .coinsWrittenOff, .expectedBreakage:
            .debit
        case .deferredRevenue, .revenue, .breakage, .refundFees, .commission, .withholding, .vatPayable,
            .refundsPayable, .coinsRedeemed, .coinsExpired, .expectedBreakageRevenue, .deferredBonus, .bonusAllocation,
            .clearingCoins, .clearingWon:
            .credit
        }
    }
}

/// A user's accounts, all in coins.
///
/// Each is opened when it is first needed.
package enum UserAccount: CaseIterable, Sendable {
    /// Paid coins in the wallet.
    case paid
    /// Bonus coins in the wallet.
    case bonus
    /// Paid coins that are held.
    case heldPaid
    /// Bonus coins that are held.
    case heldBonus
    /// Coins that the user owes: they were spent, and then their payment was cancelled.
    case debt

    /// The side that increases the balance.
    package var normalSide: Side { self == .debt ? .debit : .credit }

    /// What stands before and after the user's id in the account's code.
    fileprivate var affixes: (prefix: String, suffix: String) {
        switch self {
        case .paid: ("wallet:", ":paid")
        case .bonus: ("wallet:", ":bonus")
        case .heldPaid: ("held:", ":paid")
        case .heldBonus: ("held:", ":bonus")
        case .debt: ("debt:", "")
        }
    }

    /// SQL for a value of a user's account, in a table or alias named `account`, by its code; NULL: it is no user's.
    ///
    /// - Parameter value: the SQL of the value, for an account and its place in ``allCases``.
    static func inSQL(_ value: (_ account: UserAccount, _ place: Int) -> String) -> String {
        let cases = allCases.enumerated().map { place, account in
            "WHEN account.code LIKE '\(account.affixes.prefix)%\(account.affixes.suffix)' THEN \(value(account, place))"
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }

    /// The account with this code; nil: it is no user's.
    init?(_ code: AccountCode) {
        // Bytes: a user's id may begin with a mark that joins the colon before it.
        let text = code.rawValue.utf8
        let found = Self.allCases.first { account in
            let (prefix, suffix) = account.affixes
            return text.starts(with: prefix.utf8) && text.reversed().starts(with: suffix.utf8.reversed())
        }
        guard let found else { return nil }
        self = found
    }
}

/// An account's unique name, such as `coins:issued/3` or `wallet:<user>:paid`.
package struct AccountCode: Hashable, Sendable {
    package let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    /// The code of a system account in a stripe.
    package static func system(_ account: SystemAccount, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "\(account.rawValue)/\(stripe.number)")
    }

    /// The code of a user's account.
    ///
    /// The prefix and suffix are fixed, so two users never have the same code.
    package static func user(_ account: UserAccount, of user: UserID) -> AccountCode {
        AccountCode(rawValue: "\(account.affixes.prefix)\(user.rawValue)\(account.affixes.suffix)")
    }

    /// The code of the account of what a provider earned from the users of a stripe.
    ///
    /// There is one in each stripe, because a journal entry belongs to one stripe and a provider serves users of all
    /// stripes.
    package static func earnings(of provider: UserID, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "earnings:\(provider.rawValue)/\(stripe.number)")
    }

    /// The code of the account of the won that are owed to a provider in a stripe.
    package static func payable(of provider: UserID, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "payable:\(provider.rawValue)/\(stripe.number)")
    }

    /// Compares bytes, as the database does.
    package static func == (left: AccountCode, right: AccountCode) -> Bool {
        ExactText(left.rawValue) == ExactText(right.rawValue)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }
}
