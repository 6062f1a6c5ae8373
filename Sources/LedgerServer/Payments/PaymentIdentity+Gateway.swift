package import Ledger
package import PGVerifier

extension PaymentIdentity {
    /// The payment of a receipt.
    ///
    /// If the receipt has only the merchant's id, that is also the `paymentID` until the gateway returns its own.
    init(_ receipt: Receipt) {
        self.init(
            gateway: receipt.gatewayName, paymentID: receipt.lookupID, merchantUID: receipt.merchantUID,
            merchantPaymentID: receipt.paymentID == nil ? receipt.merchantUID : nil)
    }

    /// The identity of the gateway's payment.
    init(_ payment: GatewayPayment) {
        self.init(
            gateway: payment.gateway, paymentID: payment.paymentID, merchantUID: payment.merchantUID,
            merchantPaymentID: payment.merchantPaymentID)
    }

    /// The receipt that looks the payment up; nil if the gateway is unknown or an id is not valid in a receipt.
    package var receipt: Receipt? {
        let receipt = try? Receipt(gateway: gateway, paymentID: paymentID, merchantUID: merchantUID)
        return receipt.flatMap(\.self)
    }
}

extension PaymentSighting {
    /// What the gateway shows.
    init(_ payment: GatewayPayment) {
        self.init(
            of: PaymentIdentity(payment), amount: payment.amount, currency: payment.currency, paidAt: payment.paidAt)
    }
}
