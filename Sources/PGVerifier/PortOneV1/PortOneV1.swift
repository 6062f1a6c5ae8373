public import Logging

/// PortOne V1 (formerly I'amport), `api.iamport.kr`.
public struct PortOneV1: PaymentGateway {
    /// `portone-v1`.
    public let name = "portone-v1"

    let configuration: PortOneV1Configuration
    let transport: any HTTPTransport

    /// Prepares a client; nothing is sent before the first question.
    ///
    /// `now` measures token lifetimes and deadlines; tests turn it.
    public init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport,
        logger: Logger = Logger(label: "portone-v1"),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.configuration = configuration
        self.transport = transport
    }

    /// Looks the payment up by its `imp_uid`.
    ///
    /// - Throws: ``GatewayError``.
    public func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.unreachable, message: "not asked yet")
    }
}
