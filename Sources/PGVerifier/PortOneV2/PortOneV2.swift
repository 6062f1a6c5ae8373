/// PortOne V2, `api.portone.io`.
package struct PortOneV2: PaymentGateway {
    /// The name under which its payments are recorded.
    package static let name = "portone-v2"

    /// The name under which its payments are recorded: `portone-v2`.
    package var name: String { Self.name }

    let client: PortOneV2Client
    private let lookups: SharedLookups

    /// Prepares a client; nothing is sent before the first question.
    ///
    /// One process needs one: its bounds are shared by all who ask it.
    package init(
        configuration: PortOneV2Configuration, transport: any HTTPTransport, timing: GatewayTiming = .system
    ) {
        let client = PortOneV2Client(configuration: configuration, transport: transport, timing: timing)
        let limits = configuration.limits
        self.client = client
        // One payment a call, for V2 has no look-up of many: each waits in its caller's own lane.
        lookups = SharedLookups(
            SharedLookups.Terms(maxWaiting: limits.maxWaitingLookups, patience: limits.totalTimeout)
        ) { questions, _ in
            var answers: [SharedLookups.Outcome] = []
            for question in questions {
                answers.append(
                    await GatewayCaller.$current.withValue(question.caller) { await client.look(up: question.receipt) })
            }
            return answers
        }
    }

    /// Looks the payment up by its id (`GET /payments/{paymentId}`).
    ///
    /// Unlike V1 it shows test payments as they are (PortOne V2 contract, payment). Who asks for the same payment at the
    /// same time shares one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only for the gateway's own `PAYMENT_NOT_FOUND`, and for a payment that was
    ///   made through V1: that one is credited by its `imp_uid` or not at all.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.paymentID
        return try await lookups.payment(for: receipt)
    }
}

extension Receipt {
    /// - Throws: ``GatewayError/Code/invalidRequest`` when the receipt is another gateway's.
    var paymentID: PaymentID {
        get throws(GatewayError) {
            guard case .v2(let paymentID) = self else {
                throw GatewayError(.invalidRequest, message: "PortOne V2 can't be asked for this receipt")
            }
            return paymentID
        }
    }
}

/// How PortOne V2 is reached, and with which rights.
package struct PortOneV2Configuration: Sendable {
    /// The API's address: `https://api.portone.io`, or a sandbox on this machine.
    package var url: HTTPURL

    /// The V2 API secret.
    package var secret: Secret

    /// The store whose payments are ours; always sent, and compared with every answer.
    package var storeID: String

    /// How long and how hard it is asked.
    package var limits: GatewayLimits

    /// States the configuration; the defaults suit production.
    package init(url: HTTPURL, secret: Secret, storeID: String, limits: GatewayLimits = GatewayLimits()) {
        self.url = url
        self.secret = secret
        self.storeID = storeID
        self.limits = limits
    }
}
