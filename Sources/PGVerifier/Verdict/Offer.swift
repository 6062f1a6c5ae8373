package import FoundationEssentials

/// One version of something for sale: what the verdict needs to know of it, and no more.
package struct Offer: Hashable, Sendable {
    /// The seller's own key for this version; the verdict only hands it back.
    package var id: Int64

    /// The price in minor units.
    package var price: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// From when on it is sold.
    package var activeFrom: Date

    /// From when on it no longer is; nil while no end is known.
    package var activeUntil: Date?

    /// Describes an offer, sold in `activeFrom ..< activeUntil`.
    package init(id: Int64, price: Int64, currency: String, activeFrom: Date, activeUntil: Date? = nil) {
        self.id = id
        self.price = price
        self.currency = currency
        self.activeFrom = activeFrom
        self.activeUntil = activeUntil
    }
}
