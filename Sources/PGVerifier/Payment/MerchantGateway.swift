public import FoundationEssentials

/// The merchant's operations of a gateway.
public protocol MerchantGateway: PaymentGateway {
    /// Registers the amount of an order, before its payment window opens.
    ///
    /// Registering the same amount again succeeds. Registration prevents wrong payments, but proves nothing about a
    /// payment.
    ///
    /// - Throws: ``GatewayError``; definite if another amount is registered, or the order is already paid.
    func register(_ order: OrderAmount) async throws(GatewayError)

    /// Cancels a payment, whole or in part.
    ///
    /// Repeats the request within its time limit; the gateway's protection allows at most one cancellation. A refusal
    /// is a result, not an error.
    ///
    /// - Throws: ``GatewayError`` when it is *unknown* whether the payment was cancelled: ask
    ///   ``outcome(of:)`` later, or cancel again with the very same order.
    func cancel(_ order: CancelOrder) async throws(GatewayError) -> CancelOutcome

    /// The outcome of a cancellation whose response was lost; nil if the gateway doesn't know it.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    func outcome(of order: CancelOrder) async throws(GatewayError) -> CancelOutcome?

    /// Every attempt to pay an order, including test payments.
    ///
    /// - Throws: ``GatewayError``.
    func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment]

    /// Walks the payments of a period (both ends inclusive) with their cancellations, including test payments. Each
    /// payment occurs once.
    ///
    /// The time depends on the gateway. V1: the time of the present status, so a cancelled payment is found at its
    /// cancellation. V2: the time of creation.
    func payments(in period: ClosedRange<Date>) -> PaymentWalk
}
