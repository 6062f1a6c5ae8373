package import FoundationEssentials

/// The part of a product version that the verdict needs.
package struct Offer: Hashable, Sendable {
    /// The seller's key of this version; the verdict only returns it.
    package var id: Int64

    /// The price in minor units.
    package var price: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// The start of its sale.
    package var activeFrom: Date

    /// The end of its sale; nil if unknown.
    package var activeUntil: Date?

    /// An offer, sold in `activeFrom ..< activeUntil`.
    package init(id: Int64, price: Int64, currency: String, activeFrom: Date, activeUntil: Date? = nil) {
        self.id = id
        self.price = price
        self.currency = currency
        self.activeFrom = activeFrom
        self.activeUntil = activeUntil
    }
}
