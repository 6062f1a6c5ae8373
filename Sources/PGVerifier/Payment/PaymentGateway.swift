/// A payment gateway, asked whether a receipt is true.
public protocol PaymentGateway: Sendable {
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
