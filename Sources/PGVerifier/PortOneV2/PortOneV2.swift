package import OutboundHTTP

/// PortOne V2, `api.portone.io`.
package struct PortOneV2: PaymentGateway {
    /// The name of the gateway in payment records.
    package static let name = "portone-v2"

    /// V2 writes amounts in the minor unit (PortOne V2 contract, conventions).
    ///
    /// PortOne's SDKs say that it is ISO 4217's (`PaymentTotalAmount`), and document no exception.
    static let amounts = AmountFormat(.minorUnit)

    let client: PortOneV2Client
    private let lookups: SharedLookups

    /// Creates a client; it sends nothing before the first request.
    ///
    /// Use one per process: all callers share its limits.
    package init(
        configuration: PortOneV2Configuration, transport: any HTTPTransport, timing: GatewayTiming = GatewayTiming()
    ) {
        let client = PortOneV2Client(configuration: configuration, transport: transport, timing: timing)
        self.client = client
        // V2 has no call for several payments.
        lookups = SharedLookups(configuration.limits, time: timing.time) { await client.look(up: $0) }
    }

    /// Looks the payment up by its id (`GET /payments/{paymentId}`).
    ///
    /// Unlike V1, it shows test payments (PortOne V2 contract, payment). Simultaneous requests for the same payment
    /// share one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only for the gateway's own `PAYMENT_NOT_FOUND`, and for a payment made
    ///   through V1, which is credited only by its `imp_uid`.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.v2PaymentID
        return try await lookups.payment(for: receipt)
    }
}

/// The address and credentials of PortOne V2.
package struct PortOneV2Configuration: Sendable {
    /// The API's address: `https://api.portone.io`, or a sandbox on this machine.
    package var url: HTTPURL

    /// The V2 API secret.
    package var secret: Secret

    /// Our store; sent with every request and compared with every response.
    package var storeID: String

    /// The timeouts and limits.
    package var limits: GatewayLimits

    /// A configuration; the defaults suit production.
    package init(url: HTTPURL, secret: Secret, storeID: String, limits: GatewayLimits = GatewayLimits()) {
        self.url = url
        self.secret = secret
        self.storeID = storeID
        self.limits = limits
    }
}
