/// PortOne V2, `api.portone.io`.
public struct PortOneV2: PaymentGateway {
    /// The name of the gateway in payment records.
    public static let name = "portone-v2"

    /// The name of the gateway in payment records: `portone-v2`.
    public var name: String { Self.name }

    let client: PortOneV2Client
    private let lookups: SharedLookups

    /// Creates a client; it sends nothing before the first request.
    ///
    /// Use one per process: all callers share its limits.
    public init(
        configuration: PortOneV2Configuration, transport: any HTTPTransport, timing: GatewayTiming = .system
    ) {
        let client = PortOneV2Client(configuration: configuration, transport: transport, timing: timing)
        let limits = configuration.limits
        self.client = client
        // V2 has no call for several payments: each look-up is its own call, in its caller's queue.
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
    /// Unlike V1, it shows test payments (PortOne V2 contract, payment). Simultaneous requests for the same payment
    /// share one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only for the gateway's own `PAYMENT_NOT_FOUND`, and for a payment made
    ///   through V1, which is credited only by its `imp_uid`.
    public func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.paymentID
        return try await lookups.payment(for: receipt)
    }
}

extension Receipt {
    /// - Throws: ``GatewayError/Code/invalidRequest`` if the receipt belongs to another gateway.
    var paymentID: PaymentID {
        get throws(GatewayError) {
            guard case .v2(let paymentID) = self else {
                throw GatewayError(.invalidRequest, message: "the receipt is not one of PortOne V2")
            }
            return paymentID
        }
    }
}
