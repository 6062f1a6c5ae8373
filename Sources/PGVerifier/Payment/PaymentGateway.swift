/// A payment gateway that verifies receipts.
public protocol PaymentGateway: Sendable {
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
