package import FoundationEssentials

/// A payment gateway: each can look payments up.
///
/// What else a gateway can do are its abilities: ``RegistersOrders``, ``CancelsPayments``, ``ListsChanges``,
/// ``ListsPayments``, ``ChargesBillingKeys``, ``ListsNotifications``, ``SignsReceipts``, ``FinishesPurchases``, ``TellsRefunds``,
/// ``TakesRefundsBack``, ``AnswersRefundQuestions``, ``TellsTaxFreeRest``, ``FindsMailedOrders``. Callers ask ``Gateways`` for the gateways with an ability, so a
/// gateway without it needs no code for it.
package protocol PaymentGateway: Sendable {
    /// The name of the gateway in payment records; stored, so it must not change.
    static var name: String { get }

    /// The receipt of a recorded payment.
    ///
    /// - Parameters:
    ///   - paymentID: the gateway's id of the payment.
    ///   - merchantUID: the merchant's id of the order.
    /// - Throws: the rule that a recorded identifier breaks.
    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt

    /// Asks the gateway for the payment that `receipt` names.
    ///
    /// The result is that payment, with any status, amount and order. Judge it with
    /// ``verdict(receipt:payment:expectation:policy:)``.
    ///
    /// - Throws: ``GatewayError``; only one with ``GatewayError/isDefinite`` is a statement about the payment.
    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment
}

extension PaymentGateway {
    /// The name of the gateway in payment records.
    package var name: String { Self.name }
}

/// A gateway at which the amount of an order is registered.
package protocol RegistersOrders: PaymentGateway {
    /// Registers the amount of an order, before its payment window opens.
    ///
    /// Registering the same amount again succeeds. Registration prevents wrong payments, but proves nothing about a
    /// payment.
    ///
    /// - Throws: ``GatewayError``; definite if another amount is registered, or the order is already paid.
    func register(_ order: OrderAmount) async throws(GatewayError)
}

/// A gateway that cancels payments when the merchant asks for it.
package protocol CancelsPayments: PaymentGateway {
    /// Whether the gateway carries out requests with the same ``CancellationKey`` once, even at the same time.
    ///
    /// Otherwise a request must not be repeated while an earlier one may still be carried out.
    var cancelsOncePerKey: Bool { get }

    /// Cancels a payment, whole or in part.
    ///
    /// Repeats the request within its time limit, if that is safe. No request is sent in the second half of the limit.
    /// A refusal is a result, not an error.
    ///
    /// - Throws: ``GatewayError`` when it is *unknown* whether the payment was cancelled, unless
    ///   ``GatewayError/mayHaveBeenCarriedOut`` is false: ask ``outcome(of:)`` later, or cancel again with the same
    ///   request.
    func cancel(_ request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome

    /// The outcome of a cancellation whose response was lost; nil if the gateway doesn't know it.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    func outcome(of request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome?
}

/// A gateway that charges a card that its user has registered, when the merchant asks for it.
package protocol ChargesBillingKeys: PaymentGateway {
    /// Asks to charge, once: the request is never repeated here.
    ///
    /// The payment itself, paid or failed, is what ``payments(ofOrder:)`` shows.
    ///
    /// - Throws: ``GatewayError`` when it is *unknown* whether the card was charged, unless
    ///   ``GatewayError/mayHaveBeenCarriedOut`` is false.
    func charge(_ charge: BillingKeyCharge) async throws(GatewayError) -> ChargeAnswer

    /// Every attempt to pay an order; none right after a request without an answer proves nothing.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment]
}

/// A gateway that lists what happened to payments in a period.
package protocol ListsChanges: PaymentGateway {
    /// The lists that are compared with the books, in this order.
    ///
    /// A run of the comparison stores the names, so they must not change.
    static var lists: [String] { get }

    /// A page of one of the ``lists`` for a period, at a place from the page before; nil for the first.
    ///
    /// - Throws: ``GatewayError`` if it can't be fetched.
    func page(of list: String, in period: Range<Date>, at place: String?) async throws(GatewayError) -> ListedPage
}

/// A gateway whose lists show every payment of a period, every change of one, or both.
package protocol ListsPayments: ListsChanges {
    /// Walks the payments of a period (both ends inclusive) with their cancellations, including test payments. Each
    /// payment occurs once.
    ///
    /// The time depends on the gateway: of the current status, so that a cancelled payment is found at its cancellation
    /// (PortOne V1), or of creation (PortOne V2).
    func payments(in period: ClosedRange<Date>) -> PaymentWalk
}

/// A gateway that lists the notifications that it sent, also those that did not arrive.
package protocol ListsNotifications: PaymentGateway {
    /// Its lists.
    var notificationLists: [NotificationList] { get }

    /// A page of the notifications of a period, at a place from the page before; nil for the first.
    ///
    /// - Throws: ``GatewayError`` if it can't be fetched.
    func notifications(
        of list: NotificationList, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> NotificationPage
}

/// A list of notifications.
package struct NotificationList: Hashable, Sendable {
    /// What the progress of a walk is stored under, so it must not change.
    package let name: String
    /// How many days it reaches back.
    package let days: Int

    package init(name: String, days: Int) {
        self.name = name
        self.days = days
    }
}

/// A page of notifications, each as the event that it was when it was sent, and the place of the next page.
package struct NotificationPage: Sendable {
    package let events: [WebhookEvent]
    /// Why others can't be read.
    package let unreadable: [GatewayError]
    /// The next place; nil at the end.
    package let next: String?

    package init(events: [WebhookEvent], unreadable: [GatewayError], next: String?) {
        self.events = events
        self.unreadable = unreadable
        self.next = next
    }
}

/// A gateway that signs receipts, so that a client can't make one.
package protocol SignsReceipts: PaymentGateway {
    /// The receipt in signed data that a client presents; nothing is asked for the payment itself.
    ///
    /// - Throws: ``SignedDataError``.
    func receipt(signed data: String) async throws(SignedDataError) -> SignedReceipt
}

/// A receipt that the gateway signed.
package struct SignedReceipt: Hashable, Sendable {
    package let receipt: Receipt
    /// Whether the payment is one of the test channel; the looked-up payment must be, too.
    package let isTest: Bool
}

/// A gateway that wants to be told that a purchase is delivered.
package protocol FinishesPurchases: PaymentGateway {
    /// After which time it gives the money back of a purchase that it is not told of; nil: never.
    static var finishedWithin: Duration? { get }

    /// Whether we tell it, and not the app.
    var finishes: Bool { get }

    /// Says that the purchase is delivered, after the books have it; safe to repeat.
    ///
    /// - Throws: ``GatewayError``; definite if the gateway does not want to be told.
    func finish(_ receipt: Receipt) async throws(GatewayError)
}

extension FinishesPurchases {
    package static var finishedWithin: Duration? { nil }
}

/// A gateway that lists no payments, and tells what it gave back of them.
package protocol TellsRefunds: PaymentGateway {
    /// How far back ``takenBack(in:)`` reaches.
    static var takenBackReach: Duration { get }

    /// What it took back, whole or in part, in the order in which its list had it.
    ///
    /// - Throws: ``GatewayError`` if the list can't be fetched.
    func takenBack(in period: Range<Date>) async throws(GatewayError) -> [TakenBack]

    /// The payments of orders, with what was given back while the buyer keeps the purchase; without those that it does not
    /// know, or that can't be read.
    ///
    /// - Throws: ``GatewayError`` if it can't be asked.
    func payments(ofOrders ids: [String]) async throws(GatewayError) -> [String: GatewayPayment]

    /// As ``payment(for:)``, of a payment that it has known: that it knows it no longer is no word about it.
    func payment(forKnown receipt: Receipt) async throws(GatewayError) -> GatewayPayment
}

/// A payment that a gateway took back, whole or in part.
package struct TakenBack: Hashable, Sendable {
    /// The same for the same act; short.
    package let id: String
    package let receipt: Receipt
}

/// A gateway that can take back what it gave back of a payment, so that the total also falls.
///
/// Elsewhere a smaller total is an answer that knows less.
package protocol TakesRefundsBack: PaymentGateway {
    /// As ``payment(for:)``, by a look-up that begins now: one that somebody else began can have read an older total.
    func presentPayment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment
}

/// A gateway that tells what is left of a payment, and which part of it has no VAT (면세).
package protocol TellsTaxFreeRest: PaymentGateway {
    /// What is left of a payment, by the gateway's own record at this moment; nil: the gateway does not tell it.
    ///
    /// The payment can be another gateway's.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked now.
    func taxFreeRest(of receipt: Receipt) async throws(GatewayError) -> TaxFreeRest?
}

/// A gateway whose buyers have an order id in their mail that names no payment elsewhere.
package protocol FindsMailedOrders: PaymentGateway {
    /// The payments of an order in a buyer's mail, as the gateway has them now; none if it knows no such order.
    ///
    /// - Throws: ``GatewayError``, also if one of them can't be read.
    func payments(ofMailedOrder id: String) async throws(GatewayError) -> [GatewayPayment]
}

/// The amount of an order.
package struct OrderAmount: Hashable, Sendable {
    /// The order; the payment id at V2.
    package var merchantUID: MerchantUID

    /// The amount, in minor units.
    package var amount: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// An order's amount.
    package init(merchantUID: MerchantUID, amount: Int64, currency: String) {
        self.merchantUID = merchantUID
        self.amount = amount
        self.currency = currency
    }
}
