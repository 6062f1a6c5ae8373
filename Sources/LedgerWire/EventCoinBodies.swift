public import Foundation

// What events of a user are about, as it was then.

/// A credited payment.
public struct EventPurchaseBody: Codable, Hashable, Sendable {
    /// The purchase id.
    public let id: Int64
    /// The gateway of the payment: ``Member/Gateway``.
    public let gateway: String
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// The code of the product.
    public let product: String
    /// The amount paid, in minor units of the currency; of a payment in a foreign currency, its worth at the rate of the
    /// payment.
    public let amount: Int64
    /// The ISO 4217 code of the currency of the books.
    public let currency: String
    /// The number of paid coins.
    public let coins: Int64
    /// The number of bonus coins.
    public let bonusCoins: Int64
    /// When it was paid at the gateway.
    public let paidAt: Date
    /// What was paid in a foreign currency, as it is now; nil if the payment was in the currency of the books.
    public let foreign: PurchaseBody.Foreign?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency, coins, foreign
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case bonusCoins = "bonus_coins"
        case paidAt = "paid_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil, product: String,
        amount: Int64, currency: String, coins: Int64, bonusCoins: Int64, paidAt: Date,
        foreign: PurchaseBody.Foreign? = nil
    ) {
        self.id = id
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.product = product
        self.amount = amount
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.foreign = foreign
    }
}

/// What was taken back because the payment was cancelled at the gateway.
public struct EventClawBackBody: Codable, Hashable, Sendable {
    /// The cancelled amount, in minor units of the purchase's currency.
    public let amount: Int64
    /// Paid coins that were taken or are owed.
    public let coins: Int64
    /// Bonus coins that were taken or are owed.
    public let bonusCoins: Int64

    private enum CodingKeys: String, CodingKey {
        case amount, coins
        case bonusCoins = "bonus_coins"
    }

    /// Creates it from its members.
    public init(
        amount: Int64, coins: Int64, bonusCoins: Int64
    ) {
        self.amount = amount
        self.coins = coins
        self.bonusCoins = bonusCoins
    }
}

/// A hold.
public struct EventHoldBody: Codable, Hashable, Sendable {
    /// The hold id.
    public let id: Int64
    /// The coins that were held at first.
    public let coins: Int64
    /// The coins that the event held, captured or released.
    public let movedCoins: Int64
    /// When it was placed.
    public let placedAt: Date
    /// When the rest is released automatically.
    public let expiresAt: Date
    /// Who earned the captured coins; nil: nobody.
    public let provider: String?

    private enum CodingKeys: String, CodingKey {
        case id, coins, provider
        case movedCoins = "moved_coins"
        case placedAt = "placed_at"
        case expiresAt = "expires_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, coins: Int64, movedCoins: Int64, placedAt: Date, expiresAt: Date, provider: String? = nil
    ) {
        self.id = id
        self.coins = coins
        self.movedCoins = movedCoins
        self.placedAt = placedAt
        self.expiresAt = expiresAt
        self.provider = provider
    }
}

/// Coins that went from one user to another.
public struct EventGiftBody: Codable, Hashable, Sendable {
    /// The gift id, which the events of both users have.
    public let id: Int64
    /// The user who had the coins.
    public let from: String
    /// The user who has them now.
    public let to: String
    /// The purchase of the coins, if they came back for its refund.
    public let purchaseID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, from, to
        case purchaseID = "purchase_id"
    }

    /// Creates it from its members.
    public init(id: Int64, from: String, to: String, purchaseID: Int64? = nil) {
        self.id = id
        self.from = from
        self.to = to
        self.purchaseID = purchaseID
    }
}

/// What came back of a spend or capture.
public struct EventReversalBody: Codable, Hashable, Sendable {
    /// The id of the spend's or capture's journal entry.
    public let reverses: Int64
    /// The coins that came back.
    public let coins: Int64
    /// The reversed revenue, in won.
    public let amount: Int64
    /// Who lost the earned coins; nil: nobody.
    public let provider: String?

    /// Creates it from its members.
    public init(
        reverses: Int64, coins: Int64, amount: Int64, provider: String? = nil
    ) {
        self.reverses = reverses
        self.coins = coins
        self.amount = amount
        self.provider = provider
    }
}

/// A refund.
public struct EventRefundBody: Codable, Hashable, Sendable {
    /// The refund id.
    public let id: Int64
    /// Paid coins to take back, including those charged for used bonus coins.
    public let coins: Int64
    /// Bonus coins to take back.
    public let bonusCoins: Int64
    /// The amount that the payer gets, in minor units of the currency.
    public let amount: Int64
    /// The fee that is kept, in minor units of the currency.
    public let fee: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The reason that the caller gave.
    public let reason: String
    /// Why the gateway refused.
    public let refusal: RefundBody.GatewayRefusal?
    /// The gateway's id of the cancellation.
    public let cancellationID: String?
    /// `bank_transfer` if finance pays by bank transfer; nil: the gateway returns the money.
    ///
    /// - Values: `bank_transfer`
    public let method: String?
    /// When the bank paid it.
    public let paidAt: Date?
    /// What the bank's statement says of the payment.
    public let bankReference: String?
    /// When the money came back to our bank.
    public let repaidAt: Date?
    /// What the bank's statement says of the repayment.
    public let repaymentReference: String?

    private enum CodingKeys: String, CodingKey {
        case id, coins, amount, fee, currency, reason, refusal, method
        case bonusCoins = "bonus_coins"
        case cancellationID = "cancellation_id"
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
        case repaidAt = "repaid_at"
        case repaymentReference = "repayment_reference"
    }

    /// Creates it from its members.
    public init(
        id: Int64, coins: Int64, bonusCoins: Int64, amount: Int64, fee: Int64, currency: String, reason: String,
        refusal: RefundBody.GatewayRefusal? = nil, cancellationID: String? = nil, method: String? = nil,
        paidAt: Date? = nil, bankReference: String? = nil, repaidAt: Date? = nil, repaymentReference: String? = nil
    ) {
        self.id = id
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.amount = amount
        self.fee = fee
        self.currency = currency
        self.reason = reason
        self.refusal = refusal
        self.cancellationID = cancellationID
        self.method = method
        self.paidAt = paidAt
        self.bankReference = bankReference
        self.repaidAt = repaidAt
        self.repaymentReference = repaymentReference
    }
}

/// A lot.
public struct EventLotBody: Codable, Hashable, Sendable {
    /// The lot id.
    public let id: Int64
    /// `paid` or `bonus`.
    public let kind: String
    /// The coins of the lot at first.
    public let coins: Int64
    /// What was paid for them, in won.
    public let amount: Int64
    /// When it expires; nil: never.
    public let expiresAt: Date?
    /// The service that granted it.
    public let issuer: String?

    private enum CodingKeys: String, CodingKey {
        case id, kind, coins, amount, issuer
        case expiresAt = "expires_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, kind: String, coins: Int64, amount: Int64, expiresAt: Date? = nil, issuer: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.coins = coins
        self.amount = amount
        self.expiresAt = expiresAt
        self.issuer = issuer
    }
}

/// A threshold that a user's available coins crossed.
public struct EventCrossingBody: Codable, Hashable, Sendable {
    /// The threshold.
    public let threshold: Int64
    /// The available coins before the entry.
    public let before: Int64
    /// The available coins after it.
    public let available: Int64
    /// The journal entry that changed them, whose event comes before.
    public let journalEntryID: Int64

    private enum CodingKeys: String, CodingKey {
        case threshold, before, available
        case journalEntryID = "journal_entry_id"
    }
}

/// A user's consent to automatic top-up, and a charge of it.
///
/// Only events about a charge have its members.
public struct EventTopUpBody: Codable, Hashable, Sendable {
    /// The id of the consent.
    public let id: Int64
    /// The gateway that charges.
    public let gateway: Member.Gateway
    /// The code of the product that is sold.
    public let product: String
    /// A spend or capture that leaves fewer available coins starts a charge.
    public let threshold: Int64
    /// The most won that may be charged in a month of the ledger's time zone.
    public let monthlyLimit: Int64
    /// Why it is paused or revoked, or why the charge failed or was kept back; nil: there is no reason to tell.
    public let reason: String?
    /// The charge.
    public let chargeID: Int64?
    /// The order that was charged; nil: the gateway was never asked.
    public let merchantUID: String?
    /// The won of the order.
    public let amount: Int64?
    /// The purchase that the payment became.
    public let purchaseID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, threshold, reason, amount
        case monthlyLimit = "monthly_limit"
        case chargeID = "charge_id"
        case merchantUID = "merchant_uid"
        case purchaseID = "purchase_id"
    }
}

/// A campaign.
public struct EventCampaignBody: Codable, Hashable, Sendable {
    /// The id of the campaign.
    public let id: Int64
    /// The name of the campaign, which its grants have as their issuer.
    public let name: String
    /// The status of the campaign.
    ///
    /// - Values: `waiting`, `active`, `paused`, `ended`, `voiding`, `voided`
    public let status: String
    /// Why it is paused, or was voided; `budget_met` if its budget is used up.
    public let reason: String?
    /// The coins of a user who has no number of their own.
    public let coins: Int64
    /// The most coins of all users.
    public let budget: Int64
    /// The users who have got coins.
    public let users: Member.Natural
    /// The coins that were given.
    public let given: Member.Natural
    /// The coins that were voided.
    public let voided: Member.Natural
}

/// A merge of a user into another one.
public struct EventMergeBody: Codable, Hashable, Sendable {
    /// The id that refers to the user from now on.
    public let formerID: String
    /// Whether the user's id was new.
    public let newUser: Bool
    /// The coins that moved, in the wallet and on hold.
    public let coins: Int64
    /// The owed coins that moved.
    public let debt: Int64
    /// The caller who merged them.
    public let mergedBy: String
    /// The reason.
    public let reason: String

    private enum CodingKeys: String, CodingKey {
        case coins, debt, reason
        case formerID = "former_id"
        case newUser = "new_user"
        case mergedBy = "merged_by"
    }
}

/// A request to forget a user, which is done.
public struct EventForgettingBody: Codable, Hashable, Sendable {
    /// The id of the request.
    public let id: Int64
}

/// An order.
public struct EventOrderBody: Codable, Hashable, Sendable {
    /// The order id.
    public let id: Int64
    /// The gateway of its payment.
    public let gateway: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// The code of the product.
    public let product: String
    /// The price, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// When it expired.
    public let expiredAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency
        case merchantUID = "merchant_uid"
        case expiredAt = "expired_at"
    }
}

/// A receipt that is stored.
public struct EventReceiptBody: Codable, Hashable, Sendable {
    /// The gateway of the payment: ``Member/Gateway``.
    public let gateway: String
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// Why it waits, or why it was refused.
    public let reason: String

    private enum CodingKeys: String, CodingKey {
        case gateway, reason
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
    }
}
