import OutboundHTTP
import WireFormats

/// V2's HTTP protocol: the secret, the store, the idempotency key, the errors.
struct PortOneV2Client: Sendable {
    let configuration: PortOneV2Configuration
    let calls: GatewayCalls

    init(configuration: PortOneV2Configuration, transport: any HTTPTransport, timing: GatewayTiming) {
        self.configuration = configuration
        calls = GatewayCalls(
            gateway: PortOneV2.name, limits: configuration.limits, transport: transport, timing: timing)
    }

    /// Sends a request that is safe to repeat.
    ///
    /// - Throws: ``GatewayError``, at the latest when the time limit is over.
    func ask<Answer: Sendable>(
        _ operation: String, within limit: Duration? = nil,
        _ attempt: @escaping @Sendable (PortOneV2Client, Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let limit = limit ?? configuration.limits.totalTimeout
        return try await calls.ask(operation, within: limit) { current throws(GatewayError) in
            try await attempt(self, current)
        }
    }

    /// Sends one request.
    func answer(to call: GatewayCall, _ attempt: Attempt) async throws(GatewayError) -> JSON {
        let request = call.request(
            to: configuration.url, authorization: "PortOne " + configuration.secret.text, configuration.limits)
        return try await calls.exchange(request, attempt) { response throws(GatewayError) in
            try response.portOneV2Answer()
        }
    }

    /// Looks a payment up, for callers with their own time limit.
    func look(up receipt: Receipt) async -> SharedLookups.Outcome {
        do throws(GatewayError) {
            let paymentID = try receipt.v2PaymentID
            let deadline = calls.timing.time.instant + configuration.limits.totalTimeout
            return .success(
                try await calls.ask("payment", until: deadline) { attempt throws(GatewayError) in
                    try await payment(paymentID, attempt)
                })
        } catch {
            return .failure(error)
        }
    }

    /// `GET /payments/{paymentId}`.
    func payment(_ paymentID: PaymentID, _ attempt: Attempt) async throws(GatewayError) -> GatewayPayment {
        let call = GatewayCall(
            path: ["payments", paymentID.text], query: [(name: "storeId", value: configuration.storeID)])
        let payment = try PortOneV2Payment.read(try await answer(to: call, attempt), storeID: configuration.storeID)
        guard payment.merchantPaymentID == paymentID.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response is about another payment")
        }
        return payment
    }
}
