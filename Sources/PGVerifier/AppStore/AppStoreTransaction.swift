import Currencies
package import FoundationEssentials

/// A purchase in the App Store, as the store signed it.
package struct AppStoreTransaction: Hashable, Sendable {
    /// The kind of product; new kinds can be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let consumable = Kind(rawValue: "Consumable")
        package static let nonConsumable = Kind(rawValue: "Non-Consumable")
        package static let autoRenewable = Kind(rawValue: "Auto-Renewable Subscription")
        package static let nonRenewing = Kind(rawValue: "Non-Renewing Subscription")
    }

    /// Money that the store gave back.
    package struct Revocation: Hashable, Sendable {
        package let at: Date
        /// The part of the whole quantity, in thousandths of a percent: 100000 is all.
        package let percentage: Int64
        /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`, or one that this version doesn't know; nil: not reported.
        package let type: String?
        /// 1: because of an issue within the app, 0: otherwise; nil: not reported.
        package let reason: Int64?

        static let whole: Int64 = 100_000
    }

    package let id: TransactionID
    package let originalID: TransactionID
    package let environment: AppStoreEnvironment
    package let bundleID: String
    package let productID: String
    package let kind: Kind
    package let quantity: Int64

    /// `PURCHASED`, `FAMILY_SHARED`, or one that this version doesn't know.
    package let ownership: String

    /// Three letters, such as `KOR`; nil: not reported.
    package let storefront: String?

    /// What the buyer paid for the whole quantity, in thousandths of the currency's unit; nil: not reported.
    ///
    /// The store's reports, and not this, say what it pays out.
    package let price: Int64?

    /// ISO 4217 code, upper case, also one that is not known; nil: not reported.
    package let currency: String?

    /// What the app passed with the purchase; nil: nothing, or not a UUID.
    ///
    /// It can be set and replaced later.
    package let accountToken: UUID?

    /// One per Apple account and app; nil: not reported.
    package let appTransactionID: String?

    /// Why there was a discount, such as `FREE_TRIAL` or `ONE_TIME`; nil: none.
    package let offerDiscountType: String?

    package let purchasedAt: Date

    /// When the store said all this.
    ///
    /// Of two descriptions of a transaction, the later is the newer.
    package let signedAt: Date

    /// Nil: the purchase stands, also after a refund that was reversed.
    package let revocation: Revocation?

    /// Whether the buyer owns it; otherwise a member of the family shares it.
    package var isPurchased: Bool { ownership == "PURCHASED" }

    /// Names the purchase to the gateway.
    package var receipt: Receipt { .appStore(id) }
}

extension AppStoreTransaction {
    /// More than the store sells at once.
    private static let mostPieces: Int64 = 1000

    init(_ members: SignedMembers, environment: AppStoreEnvironment) throws(SignedDataError) {
        id = try Self.id("transactionId", in: members)
        originalID = try Self.id("originalTransactionId", in: members)
        self.environment = environment
        bundleID = try members.requiredText("bundleId")
        productID = try members.requiredText("productId")
        kind = Kind(rawValue: try members.requiredText("type"))
        quantity = try members.integer("quantity", in: 1...Self.mostPieces) ?? 1
        ownership = try members.requiredText("inAppOwnershipType")
        storefront = members.text("storefront")
        price = try members.integer("price", in: 0...Int64.max)
        currency = members.text("currency").flatMap(Currency.code(in:))
        accountToken = members.text("appAccountToken").flatMap(UUID.init(uuidString:))
        appTransactionID = members.text("appTransactionId")
        offerDiscountType = members.text("offerDiscountType")
        purchasedAt = try members.requiredTime("purchaseDate")
        signedAt = try members.requiredTime("signedDate")
        revocation = try Revocation(members)
    }

    private static func id(_ name: String, in members: SignedMembers) throws(SignedDataError) -> TransactionID {
        guard let id = try? TransactionID(members.requiredText(name)) else { throw members.unusable(name) }
        return id
    }
}

extension AppStoreTransaction.Revocation {
    /// Nil without a date: then nothing is revoked.
    fileprivate init?(_ members: SignedMembers) throws(SignedDataError) {
        guard let date = try members.time("revocationDate") else { return nil }
        at = date
        // Refunds of before December 2025 have a date only, and are whole.
        percentage = try members.integer("revocationPercentage", in: 0...Self.whole) ?? Self.whole
        type = members.text("revocationType")
        reason = try members.integer("revocationReason", in: 0...Int64.max)
    }
}
