import Ledger
import PGVerifier

extension PaymentIdentity {
    /// The payment of a receipt.
    ///
    /// A V2 receipt has no transaction id, so `impUID` is the payment id until the gateway returns the transaction id.
    init(_ receipt: Receipt) {
        switch receipt {
        case .v1(let impUID, let merchantUID):
            self.init(gateway: receipt.gatewayName, impUID: impUID.text, merchantUID: merchantUID.text)
        case .v2(let paymentID):
            self.init(
                gateway: receipt.gatewayName, impUID: paymentID.text, merchantUID: paymentID.text,
                paymentID: paymentID.text)
        }
    }

    /// The identity of the gateway's payment.
    init(_ payment: GatewayPayment) {
        self.init(
            gateway: payment.gateway, impUID: payment.impUID, merchantUID: payment.merchantUID,
            paymentID: payment.paymentID)
    }

    /// The receipt that looks the payment up; nil if the gateway is unknown or an id is not valid in a receipt.
    var receipt: Receipt? {
        let receipt = try? Receipt(gateway: gateway, impUID: impUID, merchantUID: merchantUID)
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
