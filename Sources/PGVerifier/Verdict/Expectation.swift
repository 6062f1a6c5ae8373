/// What a payment must be worth to be credited.
public enum Expectation: Hashable, Sendable {
    /// No order was made beforehand: the amount must be the price of something for sale.
    case offers([Offer])
}
