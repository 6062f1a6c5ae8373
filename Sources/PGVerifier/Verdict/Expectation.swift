package import FoundationEssentials

/// What a payment must be worth to be credited.
package enum Expectation: Hashable, Sendable {
    /// No order was made beforehand: the amount must be the price of something for sale.
    case offers([Offer])
    /// An order was made beforehand, under the payment's `merchant_uid`: what it says is owed, and by whom.
    case order(ExpectedOrder)
    /// Orders are made beforehand, and there is none under the payment's `merchant_uid`.
    case noOrder
}

/// An order: what the verdict needs to know of it, and no more.
package struct ExpectedOrder: Hashable, Sendable {
    /// Where an order stands.
    package enum State: Hashable, Sendable, CaseIterable {
        /// It may be paid.
        case open
        /// Another payment was credited for it.
        case credited
    }

    /// The order's identifier, and so the payment's.
    package var merchantUID: String

    /// What is owed, in minor units.
    package var amount: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// The seller's own key of what was ordered; the verdict only hands it back.
    package var offerID: Int64

    /// Who ordered.
    package var user: String

    /// Until when the price is kept; nil for ever.
    package var expiresAt: Date?

    /// Where the order stands.
    package var state: State

    /// Describes an order.
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

/// What the books know beforehand of who presents a receipt, and of what became of it.
package struct Bookkeeping: Hashable, Sendable {
    /// To whom a payment is already credited.
    package enum Credited: Hashable, Sendable, CaseIterable {
        /// To nobody.
        case no
        /// To the user who presents the receipt.
        case toPresenter
        /// To another user.
        case toAnother
    }

    /// Who presents the receipt; nil when nobody does, as with a webhook, and the order's own user gets the coins.
    package var presenter: String?

    /// To whom the payment is already credited.
    package var credited: Credited

    /// States what the books know.
    package init(presenter: String? = nil, credited: Credited = .no) {
        self.presenter = presenter
        self.credited = credited
    }
}
