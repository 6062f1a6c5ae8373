/// The configured gateways.
package struct Gateways: Sendable {
    /// PortOne V1; nil if it is off.
    package let v1: PortOneV1?

    /// PortOne V2; nil if it is off.
    package let v2: PortOneV2?

    /// The configured gateways.
    package init(v1: PortOneV1? = nil, v2: PortOneV2? = nil) {
        self.v1 = v1
        self.v2 = v2
    }

    /// Every gateway.
    package var all: [any MerchantGateway] {
        let all: [(any MerchantGateway)?] = [v1, v2]
        return all.compactMap(\.self)
    }

    /// The gateway of a receipt; nil if it is off.
    ///
    /// The receipt's members decide: `imp_uid` is V1's, `payment_id` is V2's.
    package func gateway(for receipt: Receipt) -> (any PaymentGateway)? {
        switch receipt {
        case .v1: v1
        case .v2: v2
        }
    }

    /// The gateway with this name; nil if it is off.
    package func gateway(named name: String) -> (any MerchantGateway)? {
        all.first { $0.name == name }
    }
}

extension Receipt {
    /// The name of the receipt's gateway.
    package var gatewayName: String {
        switch self {
        case .v1: PortOneV1.name
        case .v2: PortOneV2.name
        }
    }

    /// The receipt of a recorded payment; nil if the gateway is unknown.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package init?(gateway: String, impUID: String, merchantUID: String) throws(MalformedIdentifier) {
        switch gateway {
        case PortOneV1.name: self = .v1(impUID: try ImpUID(impUID), merchantUID: try MerchantUID(merchantUID))
        case PortOneV2.name: self = .v2(paymentID: try PaymentID(merchantUID))
        default: return nil
        }
    }
}
