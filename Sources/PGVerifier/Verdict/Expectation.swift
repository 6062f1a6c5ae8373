public import FoundationEssentials

/// The expected payment.
public enum Expectation: Hashable, Sendable {
    /// No order exists: the amount must be the price of an offer.
    case offers([Offer])
    /// An order exists under the payment's `merchant_uid`: it tells amount and user.
    case order(ExpectedOrder)
    /// Orders are required, and none exists under the payment's `merchant_uid`.
    case noOrder
}

/// The part of an order that the verdict needs.
public struct ExpectedOrder: Hashable, Sendable {
    /// The state of an order.
    public enum State: Hashable, Sendable, CaseIterable {
        /// It can be paid.
        case open
        /// Another payment was credited for it.
        case credited
    }

    /// The order id, and so the payment's.
    public var merchantUID: String

    /// The amount, in minor units.
    public var amount: Int64

    /// ISO 4217 code, upper case.
    public var currency: String

    /// The seller's key of the ordered item; the verdict only returns it.
    public var offerID: Int64

    /// The user who ordered.
    public var user: String

    /// When the order expires; nil for never.
    public var expiresAt: Date?

    /// The state of the order.
    public var state: State

    /// An order.
    public init(
        merchantUID: String, amount: Int64, currency: String, offerID: Int64, user: String, expiresAt: Date? = nil,
        state: State = .open
    ) {
        self.merchantUID = merchantUID
        self.amount = amount
        self.currency = currency
        self.offerID = offerID
        self.user = user
        self.expiresAt = expiresAt
        self.state = state
    }
}

/// What the books know about a receipt and its presenter.
public struct Bookkeeping: Hashable, Sendable {
    /// To whom the payment is already credited.
    public enum Credited: Hashable, Sendable, CaseIterable {
        /// To nobody.
        case no
        /// To the user who presents the receipt.
        case toPresenter
        /// To another user.
        case toAnother
    }

    /// The presenter of the receipt; nil without one, as with a webhook: then the order's user gets the coins.
    public var presenter: String?

    /// To whom the payment is already credited.
    public var credited: Credited

    /// The knowledge of the books.
    public init(presenter: String? = nil, credited: Credited = .no) {
        self.presenter = presenter
        self.credited = credited
    }
}
