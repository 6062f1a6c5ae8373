extension Receipt {
    /// A PortOne V1 receipt: the attempt, and the order it was for.
    package static func v1(impUID: ImpUID, merchantUID: MerchantUID) -> Receipt {
        Receipt(gatewayName: PortOneV1.name, paymentID: impUID.text, merchantUID: merchantUID.text)
    }

    /// The attempt.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if the receipt belongs to another gateway.
    var impUID: ImpUID {
        get throws(GatewayError) {
            guard gatewayName == PortOneV1.name, let impUID = paymentID.flatMap({ try? ImpUID($0) }) else {
                throw GatewayError(.invalidRequest, message: "the receipt is not one of PortOne V1")
            }
            return impUID
        }
    }
}

extension PortOneV1 {
    /// The receipt of a recorded payment.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package static func receipt(
        paymentID: String, merchantUID: String
    ) throws(MalformedIdentifier) -> Receipt {
        .v1(impUID: try ImpUID(paymentID), merchantUID: try MerchantUID(merchantUID))
    }
}
