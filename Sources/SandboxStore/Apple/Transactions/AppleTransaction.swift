import FoundationEssentials
import SandboxSupport

/// A purchase as the App Store knows it.
struct AppleTransaction: Sendable {
    /// A refund, or a family member's share that was taken back.
    struct Revocation: Sendable {
        let date: Date
        /// 1 for an issue within the app, 0 for another reason.
        let reason: Int
        /// REFUND_FULL, REFUND_PRORATED, FAMILY_REVOKE; nil as before December 2025.
        let type: String?
        /// Of the whole quantity, in thousandths of a percent; nil as before December 2025.
        let percentage: Int?
        /// Its place among all revocations.
        let sequence: Int
    }

    let id: String
    let originalID: String
    let orderID: String
    let environment: AppleEnvironment
    let bundleID: String
    let productID: String
    let type: String
    let quantity: Int
    /// The total in milliunits of the currency.
    let price: Int
    let currency: String
    let storefront: String
    let customer: String
    let ownership: String
    let purchasedAt: Date
    let offerCode: String?
    /// Members that replace those of the payload, such as values that no client knows yet; null removes one.
    let replacements: [String: JSONValue]
    let defect: SigningDefect
    var appAccountToken: String?
    var finishedAt: Date?
    var revocation: Revocation?
    /// How many more look-ups do not find it.
    var lateLookups: Int
    /// What the shop said about its consumption, oldest first.
    var consumption: [JSONValue] = []
    /// Its place among all changes, by which histories are paged.
    var sequence = 0

    var isFamilyShared: Bool { ownership == "FAMILY_SHARED" }

    /// One for each customer and app, kept over reinstalls and refunds.
    var appTransactionID: String { Self.appTransactionID(of: customer, in: environment) }

    static func appTransactionID(of customer: String, in environment: AppleEnvironment) -> String {
        let hash = "\(customer) \(environment.rawValue)".utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) {
            $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        return "7" + String(hash % 100_000_000_000_000_000 + 100_000_000_000_000_000)
    }

    /// The product type as filters of the history name it.
    var productType: String {
        switch type {
        case "Consumable": "CONSUMABLE"
        case "Non-Consumable": "NON_CONSUMABLE"
        case "Auto-Renewable Subscription": "AUTO_RENEWABLE"
        case "Non-Renewing Subscription": "NON_RENEWABLE"
        default: type
        }
    }

    /// The payload that is signed at `now` (JWSTransactionDecodedPayload).
    func payload(signedAt now: Date) -> JSONValue {
        var members: [String: JSONValue] = [
            "transactionId": .string(id), "originalTransactionId": .string(originalID),
            "bundleId": .string(bundleID), "productId": .string(productID), "type": .string(type),
            "quantity": .int(quantity), "price": .int(price), "currency": .string(currency),
            "storefront": .string(storefront), "storefrontId": .string(Self.storefrontIDs[storefront] ?? "143441"),
            "environment": .string(environment.rawValue), "inAppOwnershipType": .string(ownership),
            "purchaseDate": .int(purchasedAt.milliseconds), "originalPurchaseDate": .int(purchasedAt.milliseconds),
            "signedDate": .int(now.milliseconds), "transactionReason": .string("PURCHASE"),
            "appTransactionId": .string(appTransactionID),
        ]
        members["appAccountToken"] = appAccountToken.map(JSONValue.string)
        if let offerCode {
            members["offerType"] = .int(3)
            members["offerDiscountType"] = .string("ONE_TIME")
            members["offerIdentifier"] = .string(offerCode)
        }
        if let revocation {
            members["revocationDate"] = .int(revocation.date.milliseconds)
            members["revocationReason"] = .int(revocation.reason)
            members["revocationType"] = revocation.type.map(JSONValue.string)
            members["revocationPercentage"] = revocation.percentage.map(JSONValue.int)
        }
        for (name, value) in replacements { members[name] = value == .null ? nil : value }
        return .object(members)
    }

    private static let storefrontIDs = ["KOR": "143466", "USA": "143441", "JPN": "143462"]
}
