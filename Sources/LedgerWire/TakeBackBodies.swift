public import Foundation

/// A request to take back spends of a purchase and refund it.
public struct TakeBackRequest: Codable, Hashable, Sendable {
    /// The journal entries of the spends and captures, each once.
    ///
    /// - Count: `1...50`
    /// - Items: `unique`
    public var spends: [Member.ID]
    /// The reason; the gateway may show it to the buyer.
    public var reason: Member.Text
    /// The bank account for the money, for payment methods of the gateway that can't return it.
    public var account: RefundAccount?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case spends, reason
        case account = "refund_account"
    }

    /// Creates a request.
    public init(spends: [Int64], reason: String, account: RefundAccount? = nil) {
        self.spends = spends
        self.reason = reason
        self.account = account
    }
}

/// Spends that were taken back, and the refund of their purchase.
public struct TakeBackBody: Codable, Hashable, Sendable {
    /// The posted reversals, in the order of the request.
    ///
    /// - Count: `1...50`
    public let reversals: [ReversalBody]
    /// The refund in its present state.
    public let refund: RefundBody
    /// The user's balance now.
    public let balance: BalanceBody

    /// Creates it from its members.
    public init(reversals: [ReversalBody], refund: RefundBody, balance: BalanceBody) {
        self.reversals = reversals
        self.refund = refund
        self.balance = balance
    }
}

/// A preview of taking back spends of a purchase and refunding it.
public struct TakeBackQuoteBody: Codable, Hashable, Sendable {
    /// The id of the purchase.
    public let purchaseID: Member.ID
    /// The spends and captures of the purchase that can come back, newest first.
    ///
    /// - Count: `...200`
    public let spends: [TakeBackSpendBody]
    /// The coins that would come back; 0 if the request would be refused.
    public let returned: Member.Natural
    /// The number of paid coins that the refund would take.
    public let coins: Member.Natural
    /// The number of bonus coins that the refund would take.
    public let bonusCoins: Member.Natural
    /// The number of paid coins that would be charged for used bonus coins.
    public let bonusCharged: Member.Natural
    /// The fee that we would keep, in minor units of the currency.
    public let fee: Member.Natural
    /// The money that the payer would get, in minor units of the currency; 0 if the request would be refused.
    public let amount: Member.Natural
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// What the payer would get of a payment in a foreign currency; nil if it was in the currency of the books, or if the
    /// request would be refused.
    public let foreign: RefundBody.Foreign?
    /// The paid coins of the purchase that would not be refunded; nil: none.
    public let missing: Missing?
    /// Whether the request would be carried out now.
    public let isPossible: Bool
    /// The code of the problem; nil: it is possible.
    public let reason: String?

    /// The paid coins of a purchase that would not be refunded, by why.
    public struct Missing: Codable, Hashable, Sendable {
        /// They are in spends or captures that are not chosen.
        public let notChosen: Member.Natural
        /// They are on hold, have expired, paid a debt, or are in spends before the listed ones.
        public let notInWallet: Member.Natural

        private enum CodingKeys: String, CodingKey {
            case notChosen = "not_chosen"
            case notInWallet = "not_in_wallet"
        }

        /// Creates it from its members.
        public init(notChosen: Int64, notInWallet: Int64) {
            self.notChosen = notChosen
            self.notInWallet = notInWallet
        }
    }

    private enum CodingKeys: String, CodingKey {
        case spends, returned, coins, fee, amount, currency, foreign, missing, reason
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case bonusCharged = "bonus_charged"
        case isPossible = "possible"
    }

    /// Creates it from its members.
    public init(
        purchaseID: Int64, spends: [TakeBackSpendBody], returned: Int64, coins: Int64, bonusCoins: Int64,
        bonusCharged: Int64, fee: Int64, amount: Int64, currency: String, missing: Missing?, isPossible: Bool,
        reason: String?, foreign: RefundBody.Foreign? = nil
    ) {
        self.purchaseID = purchaseID
        self.spends = spends
        self.returned = returned
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.bonusCharged = bonusCharged
        self.fee = fee
        self.amount = amount
        self.currency = currency
        self.missing = missing
        self.isPossible = isPossible
        self.reason = reason
        self.foreign = foreign
    }
}

/// A spend or capture of a purchase's coins that can come back.
public struct TakeBackSpendBody: Codable, Hashable, Sendable {
    /// The id of its journal entry.
    public let id: Member.ID
    /// The coins that would come back.
    public let coins: Member.ID
    /// Those of them that are of the purchase; the others go back into the lots that they came from.
    public let ofPurchase: Member.ID
    /// The provider who would lose the coins; nil: nobody.
    public let provider: String?
    /// Why the coins were spent, if it was told.
    public let reason: String?
    /// When they were spent.
    public let recordedAt: Date
    /// Whether it is among those of the preview.
    public let isChosen: Bool

    private enum CodingKeys: String, CodingKey {
        case id, coins, provider, reason
        case ofPurchase = "of_purchase"
        case recordedAt = "recorded_at"
        case isChosen = "chosen"
    }

    /// Creates it from its members.
    public init(
        id: Int64, coins: Int64, ofPurchase: Int64, provider: String?, reason: String?, recordedAt: Date,
        isChosen: Bool
    ) {
        self.id = id
        self.coins = coins
        self.ofPurchase = ofPurchase
        self.provider = provider
        self.reason = reason
        self.recordedAt = recordedAt
        self.isChosen = isChosen
    }
}
