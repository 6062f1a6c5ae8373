public import Foundation

/// What a product of a store is of ours.
public struct StoreProductBody: Codable, Hashable, Sendable {
    /// The store: the gateway of its purchases.
    ///
    /// - Values: `app-store`, `google-play`
    public let store: String
    /// The app that sells it: its bundle id or package.
    public let app: String
    /// The store's id of the product.
    public let productID: String
    /// The code of the product of ours.
    public let product: String
    /// The caller who set it: `sub` of the token.
    public let setBy: String
    /// When it was set.
    public let setAt: Date

    private enum CodingKeys: String, CodingKey {
        case store, app, product
        case productID = "product_id"
        case setBy = "set_by"
        case setAt = "set_at"
    }

    /// Creates it from its members.
    public init(store: String, app: String, productID: String, product: String, setBy: String, setAt: Date) {
        self.store = store
        self.app = app
        self.productID = productID
        self.product = product
        self.setBy = setBy
        self.setAt = setAt
    }
}

/// The products of stores that are products of ours, by store, app and id.
public struct StoreProductsBody: Codable, Hashable, Sendable {
    /// The products.
    public let storeProducts: [StoreProductBody]

    private enum CodingKeys: String, CodingKey {
        case storeProducts = "store_products"
    }

    /// Creates a response with products.
    public init(storeProducts: [StoreProductBody]) {
        self.storeProducts = storeProducts
    }
}

/// A request to say what a product of a store is of ours.
public struct StoreProductRequest: Codable, Hashable, Sendable {
    /// The code of the product of ours.
    public var product: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case product
    }

    /// Creates a request.
    public init(product: String) {
        self.product = product
    }
}

/// What an app passes with a user's purchases in stores, so that they name the user.
public struct StoreAccountBody: Codable, Hashable, Sendable {
    /// For the App Store: `appAccountToken` of StoreKit, a UUID.
    public let appAccountToken: String
    /// For Google Play: `setObfuscatedAccountId` of the Billing Library.
    public let obfuscatedAccountID: String

    private enum CodingKeys: String, CodingKey {
        case appAccountToken = "app_account_token"
        case obfuscatedAccountID = "obfuscated_account_id"
    }

    /// Creates it from its members.
    public init(appAccountToken: String, obfuscatedAccountID: String) {
        self.appAccountToken = appAccountToken
        self.obfuscatedAccountID = obfuscatedAccountID
    }
}
