public import Logging

/// PortOne V1 (formerly I'amport), `api.iamport.kr`.
public struct PortOneV1: PaymentGateway {
    /// The name under which its payments are recorded: `portone-v1`.
    public let name = "portone-v1"

    private let client: PortOneV1Client
    private let metrics = GatewayMetrics(gateway: "portone-v1")

    /// Prepares a client; nothing is sent before the first question.
    ///
    /// `now` measures token lifetimes; tests turn it.
    public init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport,
        logger: Logger = Logger(label: "portone-v1"),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        client = PortOneV1Client(configuration: configuration, transport: transport, logger: logger, now: now)
    }

    /// Looks the payment up by its `imp_uid` (`GET /payments/{imp_uid}`).
    ///
    /// - Throws: ``GatewayError``; definite only for a 404 in the gateway's own envelope.
    public func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        switch receipt {
        case .v1(let impUID, _):
            return try await metrics.measure("payment") { () throws(GatewayError) in
                try await payment(impUID)
            }
        }
    }

    private func payment(_ impUID: ImpUID) async throws(GatewayError) -> GatewayPayment {
        let answer = try await client.call { client, token in
            client.request(.get, client.paymentURL(impUID), token)
        }
        let payment = try PortOneV1Payment.read(answer, gateway: name)
        guard payment.impUID == impUID.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the answer is about another payment")
        }
        return payment
    }
}
