/// The amount of an order.
public struct OrderAmount: Hashable, Sendable {
    /// The order; the payment id at V2.
    public var merchantUID: MerchantUID

    /// The amount, in minor units.
    public var amount: Int64

    /// ISO 4217 code, upper case.
    public var currency: String

    /// An order's amount.
    public init(merchantUID: MerchantUID, amount: Int64, currency: String) {
        self.merchantUID = merchantUID
        self.amount = amount
        self.currency = currency
    }
}
