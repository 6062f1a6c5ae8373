package import FoundationEssentials

/// An order in Google Play: the money.
package struct GooglePlayOrder: Hashable, Sendable {
    /// The state of an order; new states can be added.
    package struct State: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let pending = State(rawValue: "PENDING")
        package static let processed = State(rawValue: "PROCESSED")
        /// Before any money was taken.
        package static let canceled = State(rawValue: "CANCELED")
        /// All of it is to be refunded.
        package static let pendingRefund = State(rawValue: "PENDING_REFUND")
        package static let partiallyRefunded = State(rawValue: "PARTIALLY_REFUNDED")
        package static let refunded = State(rawValue: "REFUNDED")
    }

    /// A product of the order.
    package struct Item: Hashable, Sendable {
        package let productID: String
        package let quantity: Int64
        /// What the buyer paid for all of them; nil: not reported.
        package let total: PlayMoney?
    }

    /// A refund of a part.
    package struct PartialRefund: Hashable, Sendable {
        package let createdAt: Date
        package let processedAt: Date?
        /// `PENDING`, `PROCESSED_SUCCESSFULLY`, or one that this version doesn't know.
        package let state: String
        package let total: PlayMoney
    }

    /// The refund of all that was left.
    package struct Refund: Hashable, Sendable {
        package let at: Date?
        /// `OTHER`, `CHARGEBACK`, or one that this version doesn't know; nil: not reported.
        package let reason: String?
    }

    /// The package of the app.
    package let app: String

    /// When Google was asked; of two descriptions of an order, the later is the newer.
    package let toldAt: Date

    package let id: GooglePlayOrderID
    package let token: PurchaseToken
    package let state: State

    /// What the buyer paid, with tax and without discounts; refunds don't reduce it.
    package let total: PlayMoney

    package let tax: PlayMoney?

    /// What the shop gets in the buyer's currency, after Google's fees, taxes and refunds; nil: not reported.
    package let revenue: PlayMoney?

    package let items: [Item]
    package let partialRefunds: [PartialRefund]

    /// Nil: not refunded whole.
    package let refund: Refund?

    package let createdAt: Date?
    package let processedAt: Date?
    package let canceledAt: Date?

    /// Two letters, such as `KR`; nil: not reported.
    package let country: String?
}

extension GooglePlayOrder {
    init(_ members: PlayMembers, app: String, toldAt: Date) throws(GatewayError) {
        guard let id = try members.orderID("orderId") else { throw PlayMembers.unusable("orderId") }
        guard let token = try members.token("purchaseToken") else { throw PlayMembers.unusable("purchaseToken") }
        guard let total = try members.money("total") else { throw PlayMembers.unusable("total") }
        (self.app, self.toldAt, self.id, self.token, self.total) = (app, toldAt, id, token, total)
        state = State(rawValue: try members.requiredText("state"))
        tax = try members.money("tax")
        revenue = try members.money("developerRevenueInBuyerCurrency")
        createdAt = try members.time("createTime")
        country = try members.object("buyerAddress")?.text("buyerCountry")
        var items: [Item] = []
        for item in try members.objects("lineItems") { items.append(try Item(item)) }
        self.items = items
        let history = try members.object("orderHistory")
        processedAt = try history?.object("processedEvent")?.time("eventTime")
        canceledAt = try history?.object("cancellationEvent")?.time("eventTime")
        var partialRefunds: [PartialRefund] = []
        for event in try history?.objects("partialRefundEvents") ?? [] {
            partialRefunds.append(try PartialRefund(event, currency: total.currency))
        }
        self.partialRefunds = partialRefunds
        refund = try Refund(history?.object("refundEvent"), of: state)
    }
}

extension GooglePlayOrder.Item {
    fileprivate init(_ members: PlayMembers) throws(GatewayError) {
        productID = try members.requiredText("productId")
        quantity = try members.object("oneTimePurchaseDetails")?.quantity("quantity") ?? 1
        total = try members.money("total")
    }
}

extension GooglePlayOrder.PartialRefund {
    fileprivate init(_ members: PlayMembers, currency: String) throws(GatewayError) {
        guard let createdAt = try members.time("createTime") else { throw PlayMembers.unusable("createTime") }
        guard let total = try members.object("refundDetails")?.money("total"), total.currency == currency else {
            throw PlayMembers.unusable("refundDetails")
        }
        self.createdAt = createdAt
        self.total = total
        processedAt = try members.time("processTime")
        state = try members.requiredText("state")
    }
}

extension GooglePlayOrder.Refund {
    /// The state says it, also without an event.
    fileprivate init?(_ event: PlayMembers?, of state: GooglePlayOrder.State) throws(GatewayError) {
        guard event != nil || state == .refunded else { return nil }
        at = try event?.time("eventTime")
        reason = try event?.text("refundReason")
    }
}
