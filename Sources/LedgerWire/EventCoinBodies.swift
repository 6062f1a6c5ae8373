public import Foundation

// What events of a user are about, as it was then.

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
