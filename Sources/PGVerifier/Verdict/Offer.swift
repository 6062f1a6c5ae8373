public import FoundationEssentials

/// One version of something for sale: what the verdict needs to know of it, and no more.
public struct Offer: Hashable, Sendable {
    /// The seller's own key for this version; the verdict only hands it back.
    public var id: Int64

    /// The price in minor units.
    public var price: Int64

    /// ISO 4217 code, upper case.
    public var currency: String

    /// From when on it is sold.
    public var activeFrom: Date

    /// From when on it no longer is; nil while no end is known.
    public var activeUntil: Date?

    /// Describes an offer, sold in `activeFrom ..< activeUntil`.
    public init(id: Int64, price: Int64, currency: String, activeFrom: Date, activeUntil: Date? = nil) {
        self.id = id
        self.price = price
        self.currency = currency
        self.activeFrom = activeFrom
        self.activeUntil = activeUntil
    }
}
