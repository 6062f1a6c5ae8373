package import Logging

/// PortOne V1 (formerly I'amport), `api.iamport.kr`.
package struct PortOneV1: PaymentGateway {
    /// The name under which its payments are recorded.
    package static let name = "portone-v1"

    /// The name under which its payments are recorded: `portone-v1`.
    package var name: String { Self.name }

    let client: PortOneV1Client
    private let lookups: PortOneV1Lookups

    /// Prepares a client; nothing is sent before the first question.
    ///
    /// One process needs one: its token, its bounds and its gathering of look-ups are shared by all who ask it.
    package init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport,
        logger: Logger = Logger(label: "portone-v1"), timing: GatewayTiming = .system
    ) {
        client = PortOneV1Client(configuration: configuration, transport: transport, logger: logger, timing: timing)
        lookups = PortOneV1Lookups(client)
    }

    /// Looks the payment up by its `imp_uid`.
    ///
    /// Alone, by `GET /payments/{imp_uid}`; those that wait together, in one `GET /payments?imp_uid[]=…`, with the same
    /// answer. Who asks for the same payment at the same time shares one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only for a payment that the gateway's own envelope says it doesn't know.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await lookups.payment(for: receipt)
    }
}

extension Receipt {
    /// - Throws: ``GatewayError/Code/invalidRequest`` when the receipt is another gateway's.
    var impUID: ImpUID {
        get throws(GatewayError) {
            guard case .v1(let impUID, _) = self else {
                throw GatewayError(.invalidRequest, message: "PortOne V1 can't be asked for this receipt")
            }
            return impUID
        }
    }
}

/// How PortOne V1 is reached, and with which rights.
package struct PortOneV1Configuration: Sendable {
    /// The API's address: `https://api.iamport.kr`, or a sandbox on this machine.
    package var url: HTTPURL

    /// `imp_key`.
    package var key: Secret

    /// `imp_secret`.
    package var secret: Secret

    /// Whether to ask for test-channel payments too (`include_sandbox`).
    ///
    /// Never in production.
    package var includeTestPayments: Bool

    /// How long and how hard it is asked.
    package var limits: GatewayLimits

    /// States the configuration; the defaults suit production.
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
