package import FoundationEssentials

/// The expected payment.
package enum Expectation: Hashable, Sendable {
    /// No order exists: the amount must be the price of an offer.
    case offers([Offer])
    /// An order exists for the payment's `merchant_uid`: it has the amount and the user.
    case order(ExpectedOrder)
    /// Orders are required, and none exists for the payment's `merchant_uid`.
    case noOrder
    /// A store sold it: what it bought follows from the store's product, and its price decides nothing.
    case store(StoreSale)
}

/// What the seller knows of what a store sold.
package enum StoreSale: Hashable, Sendable {
    /// The store's product is none of the seller's, as far as anybody has said.
    case unknownProduct
    /// It was paid in a currency that the books do not have.
    case notBookable
    /// The seller's key of the item; the verdict only returns it.
    case offer(Int64)
}

/// The part of an order that the verdict needs.
package struct ExpectedOrder: Hashable, Sendable {
    /// The state of an order.
    package enum State: Hashable, Sendable, CaseIterable {
        /// The order can be paid.
        case open
        /// Another payment of the order was credited.
        case credited
    }

    /// The order id, which is also the payment's.
    package var merchantUID: String

    /// The amount, in minor units.
    package var amount: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// The seller's key of the ordered item; the verdict only returns it.
    package var offerID: Int64

    /// The user who ordered.
    package var user: String

    /// When the order expires; nil for never.
    package var expiresAt: Date?

    /// The state of the order.
    package var state: State

    /// An order.
    package init(
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
package struct Bookkeeping: Hashable, Sendable {
    /// To whom the payment is already credited.
    package enum CreditState: Hashable, Sendable, CaseIterable {
        /// To nobody.
        case no
        /// To the user who presents the receipt.
        case toPresenter
        /// To another user.
        case toAnother
    }

    /// The presenter of the receipt; nil without one, as with a webhook: then the order's user gets the coins.
    package var presenter: String?

    /// To whom the payment is already credited.
    package var credited: CreditState

    /// The state of the books.
    package init(presenter: String? = nil, credited: CreditState = .no) {
        self.presenter = presenter
        self.credited = credited
    }
}
