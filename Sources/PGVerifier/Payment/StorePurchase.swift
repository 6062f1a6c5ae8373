package import FoundationEssentials

/// What an app store sold, in one type for all stores.
///
/// A purchase in a store is judged by its products and its state. Its price is the store's: one that differs from the
/// shop's is no reason to refuse who has paid.
package struct StorePurchase: Hashable, Sendable {
    /// A product and how many of it.
    package struct Item: Hashable, Sendable {
        /// The store's id of the product.
        package let productID: String
        package let quantity: Int64
        /// Whether the store knows that it was used up; nil: it doesn't tell.
        package let isConsumed: Bool?

        package init(productID: String, quantity: Int64, isConsumed: Bool? = nil) {
            self.productID = productID
            self.quantity = quantity
            self.isConsumed = isConsumed
        }
    }

    /// All of it, in thousandths of a percent.
    package static let whole: Int64 = 100_000

    /// The app that sold it: its bundle id or package.
    package let app: String

    package let items: [Item]

    /// What the buyer paid for all of it, in thousandths of the currency's unit; 0: nothing, as with a code of an offer.
    ///
    /// The store's reports, and not this, say what it pays out.
    package let price: Int64

    /// The part that the store gave back, in thousandths of a percent; 0: none.
    package let refundedPart: Int64

    /// Whether it is used up, as coins are; nil: the store doesn't tell, and the shop uses it up or not.
    package var isConsumable: Bool?

    /// The store's country; nil: not reported.
    package let storefront: String?

    /// Whether somebody else than the buyer has it, through the family.
    package let isFamilyShared: Bool

    /// The user's token that the app passed with the purchase; nil: none.
    package let accountToken: UUID?

    /// Whether the store knows that the buyer got it; nil: it doesn't tell.
    ///
    /// Google Play gives the money back of what it is not told about within three days.
    package let isAcknowledged: Bool?

    /// When the store said all this; of two descriptions, the later is the newer.
    package let toldAt: Date

    package init(
        app: String, items: [Item], price: Int64, refundedPart: Int64 = 0, isConsumable: Bool?, storefront: String?,
        isFamilyShared: Bool, accountToken: UUID?, isAcknowledged: Bool? = nil, toldAt: Date
    ) {
        self.app = app
        self.items = items
        self.price = price
        self.refundedPart = refundedPart
        self.isConsumable = isConsumable
        self.storefront = storefront
        self.isFamilyShared = isFamilyShared
        self.accountToken = accountToken
        self.isAcknowledged = isAcknowledged
        self.toldAt = toldAt
    }
}
