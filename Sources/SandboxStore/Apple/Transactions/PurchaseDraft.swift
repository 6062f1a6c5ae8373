import FoundationEssentials
import SandboxSupport

/// A purchase that the control API makes.
struct PurchaseDraft: Sendable {
    let transactionID: String?
    let orderID: String?
    /// Whether the App Store tells the shop.
    let isAnnounced: Bool
    private let originalID: String?
    private let environment: AppleEnvironment
    private let bundleID: String?
    private let productID: String
    private let type: String
    private let quantity: Int
    private let price: Int
    private let currency: String
    private let storefront: String
    private let customer: String
    private let appAccountToken: String?
    private let ownership: String
    private let purchasedAt: Date?
    private let offerCode: String?
    private let lateLookups: Int
    private let defect: SigningDefect
    private let replacements: [String: JSONValue]

    /// The price of one, in milliunits.
    private static let unitPrice = 1_200_000

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(
            body,
            known: [
                "product_id", "type", "quantity", "price", "currency", "storefront", "environment", "customer",
                "app_account_token", "ownership", "purchased_at", "offer_code", "transaction_id",
                "original_transaction_id", "order_id", "bundle_id", "late_lookups", "signing", "payload", "notify",
            ])
        guard let productID = try members.text("product_id") else {
            throw ControlError(.badRequest, "product_id", "is missing")
        }
        self.productID = productID
        type = try members.text("type") ?? "Consumable"
        quantity = try members.integer("quantity", in: 1...10) ?? 1
        offerCode = try members.text("offer_code")
        price =
            try members.integer("price", in: 0...1_000_000_000_000)
            ?? (offerCode == nil ? Self.unitPrice * quantity : 0)
        currency = try members.text("currency") ?? "KRW"
        storefront = try members.text("storefront") ?? "KOR"
        environment = try members.choice("environment", of: AppleEnvironment.self) ?? .production
        customer = try members.text("customer") ?? "customer-1"
        appAccountToken = try members.text("app_account_token")
        if let appAccountToken, UUID(uuidString: appAccountToken) == nil {
            throw ControlError(.badRequest, "app_account_token", "must be a UUID, as the App Store ignores all else")
        }
        ownership = try members.text("ownership") ?? "PURCHASED"
        purchasedAt = try members.time("purchased_at")
        transactionID = try members.digits("transaction_id")
        originalID = try members.digits("original_transaction_id")
        orderID = try members.text("order_id")
        bundleID = try members.text("bundle_id")
        lateLookups = try members.integer("late_lookups", in: 0...1000) ?? 0
        defect = try members.choice("signing", of: SigningDefect.self) ?? .none
        replacements = try members.object("payload") ?? [:]
        isAnnounced = try members.flag("notify") ?? true
    }

    func transaction(id: String, orderID: String, bundleID: String, now: Date) -> AppleTransaction {
        AppleTransaction(
            id: id, originalID: originalID ?? id, orderID: orderID, environment: environment,
            bundleID: self.bundleID ?? bundleID, productID: productID, type: type, quantity: quantity, price: price,
            currency: currency, storefront: storefront, customer: customer, ownership: ownership,
            purchasedAt: purchasedAt ?? now, offerCode: offerCode, replacements: replacements, defect: defect,
            appAccountToken: appAccountToken?.lowercased(), lateLookups: lateLookups)
    }
}

extension ControlMembers {
    /// A text of 1 to 20 digits.
    func digits(_ name: String) throws(ControlError) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ControlError(.badRequest, name, "must be 1 to 20 digits")
        }
        return text
    }

    /// The members of an object.
    func object(_ name: String) throws(ControlError) -> [String: JSONValue]? {
        guard let value = value(name) else { return nil }
        guard case .object(let members) = value else {
            throw ControlError(.badRequest, name, "must be a JSON object")
        }
        return members
    }
}
