@testable import PGVerifier

extension CancellationRequest {
    /// A cancellation of so much of what is believed to be left.
    static func sample(
        of receipt: Receipt, _ amount: Int64, left balance: Int64 = 1000, key: String = "a-cancellation-key"
    ) throws -> CancellationRequest {
        CancellationRequest(
            receipt: receipt, amount: amount, currency: "KRW", believedBalance: balance, key: try CancellationKey(key),
            reason: "because")
    }

    /// A cancellation of a payment at PortOne's V1 API, of all of it unless an amount is given.
    static func sampleV1(_ amount: Int64 = 1000, left balance: Int64 = 1000) throws -> CancellationRequest {
        try sample(
            of: .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o")), amount, left: balance)
    }
}

extension CancellationOutcome {
    var cancellation: GatewayCancellation? {
        if case .done(let cancellation) = self { cancellation } else { nil }
    }

    var refusal: CancellationRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
