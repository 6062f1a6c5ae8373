import Ledger
import PGVerifier

extension PaymentIdentity {
    /// The payment that a receipt names.
    ///
    /// A V2 receipt does not tell the transaction's id, so the payment's stands for it until the gateway is asked.
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

    /// The payment that the gateway told of.
    init(_ payment: GatewayPayment) {
        self.init(
            gateway: payment.gateway, impUID: payment.impUID, merchantUID: payment.merchantUID,
            paymentID: payment.paymentID)
    }

    /// By which the gateway is asked for it; nil when the gateway is unknown, or it has a name that no receipt can have.
    var receipt: Receipt? {
        let receipt = try? Receipt(gateway: gateway, impUID: impUID, merchantUID: merchantUID)
        return receipt.flatMap(\.self)
    }
}
