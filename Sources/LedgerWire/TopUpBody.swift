public import Foundation

/// A user's consent to automatic top-up.
public struct TopUpRequest: Codable, Hashable, Sendable {
    /// The gateway that charges.
    public var gateway: Member.Gateway
    /// The gateway's name of the user's card: V1's `customer_uid`, V2's `billingKey`.
    ///
    /// No response has it.
    ///
    /// - Length: `1...200`
    /// - Pattern: `^[^\u0000-\u001F\u007F-\u009F]*$`
    public var billingKey: String
    /// The code of the product to sell.
    ///
    /// A charge sells it as it is on sale then.
    public var product: Member.Text
    /// A spend or capture that leaves fewer available coins starts a charge.
    public var threshold: Member.Amount
    /// The most won that may be charged in a month of the ledger's time zone.
    public var monthlyLimit: Member.Amount

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case gateway, product, threshold
        case billingKey = "billing_key"
        case monthlyLimit = "monthly_limit"
    }

    /// Creates a consent.
    public init(gateway: String, billingKey: String, product: String, threshold: Int64, monthlyLimit: Int64) {
        self.gateway = gateway
        self.billingKey = billingKey
        self.product = product
        self.threshold = threshold
        self.monthlyLimit = monthlyLimit
    }
}

/// A pause of automatic top-up.
public struct PauseTopUpRequest: Codable, Hashable, Sendable {
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates a pause.
    public init(reason: String) { self.reason = reason }
}

/// A user's consent to automatic top-up, in force or the last one, with its latest charges.
public struct TopUpBody: Codable, Hashable, Sendable {
    /// The id of the consent.
    public let id: Member.ID
    /// The id of the user.
    public let user: String
    /// `active`: spends and captures start charges; `paused`: none starts until it is resumed; `revoked`: it has ended.
    ///
    /// - Values: `active`, `paused`, `revoked`
    public let status: String
    /// Why it is paused or revoked; nil: it is active.
    public let reason: String?
    /// The gateway that charges.
    public let gateway: Member.Gateway
    /// The code of the product that is sold.
    public let product: String
    /// A spend or capture that leaves fewer available coins starts a charge.
    public let threshold: Int64
    /// The most won that may be charged in a month of the ledger's time zone.
    public let monthlyLimit: Int64
    /// Failed charges in a row.
    public let failures: Member.Natural
    /// No charge starts before, because of a failure or a limit; nil: nothing has made it rest.
    public let restsUntil: Date?
    /// When it was stored.
    public let agreedAt: Date
    /// The caller who stored it: `sub` of the token.
    public let setBy: String
    /// Who last paused, resumed or revoked it; nil if nobody did, or if ledgerd paused it.
    public let changedBy: String?
    /// When it was revoked; nil: it is in force.
    public let endedAt: Date?
    /// The user's latest charges, also of earlier consents, newest first.
    ///
    /// - Count: `...10`
    public let charges: [TopUpChargeBody]

    private enum CodingKeys: String, CodingKey {
        case id, user, status, reason, gateway, product, threshold, failures, charges
        case monthlyLimit = "monthly_limit"
        case restsUntil = "rests_until"
        case agreedAt = "agreed_at"
        case setBy = "set_by"
        case changedBy = "changed_by"
        case endedAt = "ended_at"
    }

    /// Creates a consent as it is.
    public init(
        id: Int64, user: String, status: String, reason: String?, gateway: String, product: String, threshold: Int64,
        monthlyLimit: Int64, failures: Int64, restsUntil: Date?, agreedAt: Date, setBy: String, changedBy: String?,
        endedAt: Date?, charges: [TopUpChargeBody]
    ) {
        self.id = id
        self.user = user
        self.status = status
        self.reason = reason
        self.gateway = gateway
        self.product = product
        self.threshold = threshold
        self.monthlyLimit = monthlyLimit
        self.failures = failures
        self.restsUntil = restsUntil
        self.agreedAt = agreedAt
        self.setBy = setBy
        self.changedBy = changedBy
        self.endedAt = endedAt
        self.charges = charges
    }
}

/// A charge of automatic top-up.
public struct TopUpChargeBody: Codable, Hashable, Sendable {
    /// The id of the charge.
    public let id: Member.ID
    /// `waiting`: its outcome is not known yet; `credited`: its payment is credited; `failed`: the gateway did not charge;
    /// `dropped`: the gateway was not asked.
    ///
    /// - Values: `waiting`, `credited`, `failed`, `dropped`
    public let status: String
    /// Why it waits, or what came of it.
    ///
    /// - Known values: `started`, `gateway_unavailable`, `charge_refused`, `paid`, `declined`, `unknown`, `not_credited`,
    ///   `revoked`, `paused`, `rests`, `debt`, `enough_coins`, `product_not_on_sale`, `daily_limit`, `monthly_limit`
    public let reason: String
    /// The journal entry of the spend or capture that started it.
    public let journalEntryID: Member.ID
    /// The order that is charged; nil: the gateway was never asked.
    public let merchantUID: String?
    /// The won of the order.
    public let amount: Int64?
    /// When it was started.
    public let startedAt: Date
    /// When it ended; nil: it waits.
    public let decidedAt: Date?
    /// The purchase that its payment became.
    public let purchaseID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, status, reason, amount
        case journalEntryID = "journal_entry_id"
        case merchantUID = "merchant_uid"
        case startedAt = "started_at"
        case decidedAt = "decided_at"
        case purchaseID = "purchase_id"
    }

    /// Creates a charge.
    public init(
        id: Int64, status: String, reason: String, journalEntryID: Int64, merchantUID: String?, amount: Int64?,
        startedAt: Date, decidedAt: Date?, purchaseID: Int64?
    ) {
        self.id = id
        self.status = status
        self.reason = reason
        self.journalEntryID = journalEntryID
        self.merchantUID = merchantUID
        self.amount = amount
        self.startedAt = startedAt
        self.decidedAt = decidedAt
        self.purchaseID = purchaseID
    }
}
