package import FoundationEssentials

/// A payment gateway that verifies receipts.
package protocol PaymentGateway: Sendable {
    /// The name of the gateway in payment records, such as `portone-v1`.
    var name: String { get }

    /// Asks the gateway for the payment that `receipt` names.
    ///
    /// The result is that payment, with any status, amount and order. Judge it with
    /// ``verdict(receipt:payment:expectation:policy:)``.
    ///
    /// - Throws: ``GatewayError``; only one with ``GatewayError/isDefinite`` is a statement about the payment.
    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment
}

/// The merchant's operations of a gateway.
package protocol MerchantGateway: PaymentGateway {
    /// Registers the amount of an order, before its payment window opens.
    ///
    /// Registering the same amount again succeeds. Registration prevents wrong payments, but proves nothing about a
    /// payment.
    ///
    /// - Throws: ``GatewayError``; definite if another amount is registered, or the order is already paid.
    func register(_ order: OrderAmount) async throws(GatewayError)

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

    /// Every attempt to pay an order, including test payments.
    ///
    /// - Throws: ``GatewayError``.
    func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment]

    /// Walks the payments of a period (both ends inclusive) with their cancellations, including test payments. Each
    /// payment occurs once.
    ///
    /// The time depends on the gateway. V1: the time of the current status, so a cancelled payment is found at its
    /// cancellation. V2: the time of creation.
    func payments(in period: ClosedRange<Date>) -> PaymentWalk
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
