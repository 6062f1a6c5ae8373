package import FoundationEssentials

/// A payment gateway, asked whether a receipt is true.
package protocol PaymentGateway: Sendable {
    /// The name under which its payments are recorded, such as `portone-v1`.
    var name: String { get }

    /// Asks the gateway for the payment that `receipt` names.
    ///
    /// The answer is about that payment, but may be any status, amount and order: judge it with
    /// ``verdict(receipt:payment:expectation:policy:)``.
    ///
    /// - Throws: ``GatewayError``; only one that ``GatewayError/isDefinite`` says anything about the payment.
    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment
}

/// What a merchant asks of a gateway beyond whether a receipt is true.
package protocol MerchantGateway: PaymentGateway {
    /// Pins the amount that may be paid for an order, before its payment window opens.
    ///
    /// Registering the same amount again succeeds. It spares a wrong payment, and proves nothing about one made: judge
    /// that as ever.
    ///
    /// - Throws: ``GatewayError``; definite when another amount is registered, or the order is paid already.
    func register(_ order: OrderAmount) async throws(GatewayError)

    /// Cancels a payment, whole or in part, so that its buyer gets the money back.
    ///
    /// Repeated while its time lasts, under the gateway's own protection: at most one cancellation comes of it. What
    /// the gateway refuses is a result, not an error.
    ///
    /// - Throws: ``GatewayError`` when it is *unknown* whether the payment was cancelled: ask
    ///   ``outcome(of:)`` later, or cancel again with the very same request.
    func cancel(_ request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome

    /// What became of a cancellation whose answer was lost; nil when the gateway knows nothing of it.
    ///
    /// - Throws: ``GatewayError`` when the gateway can't be asked.
    func outcome(of request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome?

    /// Every attempt to pay an order that the gateway knows of, test payments included; none when there is none.
    ///
    /// - Throws: ``GatewayError``.
    func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment]

    /// Walks the payments of a period, both ends included, with their cancellations and without repetition; test
    /// payments too.
    ///
    /// Which moment counts is the gateway's own affair. V1: of whatever the payment's status is now, so that a payment
    /// cancelled later is found at its cancellation. V2: of its creation.
    func payments(in period: ClosedRange<Date>) -> PaymentWalk
}

/// What is to be paid for an order.
package struct OrderAmount: Hashable, Sendable {
    /// The order; the payment id at V2.
    package var merchantUID: MerchantUID

    /// How much, in minor units.
    package var amount: Int64

    /// ISO 4217 code, upper case.
    package var currency: String

    /// States what is to be paid.
    package init(merchantUID: MerchantUID, amount: Int64, currency: String) {
        self.merchantUID = merchantUID
        self.amount = amount
        self.currency = currency
    }
}
