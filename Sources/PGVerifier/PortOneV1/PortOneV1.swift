package import Logging
package import OutboundHTTP

/// PortOne V1 (formerly I'amport), `api.iamport.kr`.
package struct PortOneV1: PaymentGateway {
    /// The name of the gateway in payment records.
    package static let name = "portone-v1"

    /// V1 writes amounts in the currency's unit, with decimals (PortOne V1 contract, payment object).
    ///
    /// PortOne documents no decimals of its own for V1: those of ISO 4217 stand.
    static let amounts = AmountFormat(.currency)

    let client: PortOneV1Client
    let lookups: PortOneV1Lookups

    /// Creates a client; it sends nothing before the first request.
    ///
    /// Use one per process: all callers share its token, limits and look-ups.
    package init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport,
        logger: Logger = Logger(label: "portone-v1"), timing: GatewayTiming = GatewayTiming()
    ) {
        client = PortOneV1Client(configuration: configuration, transport: transport, logger: logger, timing: timing)
        lookups = PortOneV1Lookups(client)
    }

    /// Looks the payment up by its `imp_uid`.
    ///
    /// A single look-up uses `GET /payments/{imp_uid}`; look-ups that wait share one `GET /payments?imp_uid[]=…`, with
    /// the same results. Simultaneous requests for the same payment share one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only if the gateway's own envelope says that it doesn't know the payment.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await lookups.payment(for: receipt)
    }
}

/// The address and credentials of PortOne V1.
package struct PortOneV1Configuration: Sendable {
    /// The API's address: `https://api.iamport.kr`, or a sandbox on this machine.
    package var url: HTTPURL

    /// `imp_key`.
    package var key: Secret

    /// `imp_secret`.
    package var secret: Secret

    /// Whether to include test-channel payments (`include_sandbox`).
    ///
    /// Never in production.
    package var includeTestPayments: Bool

    /// The timeouts and limits.
    package var limits: GatewayLimits

    /// A configuration; the defaults suit production.
    package init(
        url: HTTPURL, key: Secret, secret: Secret, includeTestPayments: Bool = false,
        limits: GatewayLimits = GatewayLimits()
    ) {
        self.url = url
        self.key = key
        self.secret = secret
        self.includeTestPayments = includeTestPayments
        self.limits = limits
    }
}
