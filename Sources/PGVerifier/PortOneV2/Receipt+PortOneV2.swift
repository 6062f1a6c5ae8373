extension Receipt {
    /// A PortOne V2 receipt: the payment, whose id is the merchant's own.
    package static func v2(paymentID: PaymentID) -> Receipt {
        Receipt(gatewayName: PortOneV2.name, paymentID: nil, merchantUID: paymentID.text)
    }

    /// The payment.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if the receipt belongs to another gateway.
    var v2PaymentID: PaymentID {
        get throws(GatewayError) {
            guard gatewayName == PortOneV2.name, let paymentID = try? PaymentID(merchantUID) else {
                throw GatewayError(.invalidRequest, message: "the receipt is not one of PortOne V2")
            }
            return paymentID
        }
    }
}

extension PortOneV2 {
    /// The receipt of a recorded payment: the transaction's id looks nothing up.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package static func receipt(
        paymentID: String, merchantUID: String
    ) throws(MalformedIdentifier) -> Receipt {
        .v2(paymentID: try PaymentID(merchantUID))
    }
}
